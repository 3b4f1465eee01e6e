"""A learner's end of a live room: what is answered here is told to the page of whoever teaches, once a learner says so.

    from subword_lab.exercises import live

    live.join("http://192.168.1.5:8890/#K7QX-M2PD", "Kim")         # a name, or one that you make up
    live.hand()                                                     # "I would like some help"
    live.poll()                                                     # the exercise that the whole room is asked
    live.leave()                                                    # and the room forgets you

For all notebooks at once, `subword-lab open --room` says the same, in the environment: SUBWORD_LAB_ROOM and
SUBWORD_LAB_ROOM_NAME. A thread of its own sends, so that no answer ever waits for a network; what cannot be delivered
is tried again, and of more than `MOST_WAITING` the oldest is given up. Every `STILL_HERE` seconds it says that the
learner is still here: a room that was opened again learns so who is in it, and whose hand is up.
"""

import json
import os
import re
import secrets
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

from ..arguments import check
from . import progress

MOST_WAITING = 1_000  # answers that are kept until they can be delivered
AT_ONCE = 50  # answers in a message
LONGEST = {"answer": 500, "message": 1_000, "question": 4_000}  # characters
LONGEST_NAME = 40
PATIENCE = 5.0  # seconds for a message
PAUSES = (1, 2, 5, 10)  # seconds until it is tried again, and again
STILL_HERE = 15.0  # seconds between two signs of a learner who does nothing
LARGEST_REPLY = 10_000  # bytes
POLL = "the room"  # as the learner of an exercise: its figures are those that a room asks all
CODE = re.compile(r"[A-Z2-7]{4}-[A-Z2-7]{4}")
KEY = re.compile(r"[0-9a-f]{32}")
VARIABLE = "SUBWORD_LAB_ROOM"
NOT_HERE = "-"  # in this variable: nobody joins, as where notebooks are marked
REFUSED = {403: "The room does not know this code", 410: "You have left the room"}


class Membership:
    """A learner's place in a room that was joined.

    address: with the code behind #, as the instructor gives it. name: as it stands on the instructor's page. key: by
    which the room knows this learner again, in another notebook or tomorrow.

    Raises ValueError for an address or a name that cannot be one.
    """

    def __init__(self, address: str, name: str, key: str = ""):
        parts = urlsplit(str(address).strip())
        check(
            parts.scheme in ("http", "https") and parts.netloc and CODE.fullmatch(parts.fragment),
            f"the room's address is {address!r}; expected one such as "
            "http://192.168.1.5:8890/#K7QX-M2PD, with the code that is shown beside it behind the #",
        )
        check(
            str(name).strip() and len(str(name)) <= LONGEST_NAME,
            f"the name is {name!r}; expected at most {LONGEST_NAME} characters, your name or one that "
            "you make up",
        )
        self.name, self.code = str(name).strip(), parts.fragment
        self.key, self.session = key or secrets.token_hex(16), secrets.token_hex(8)
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self.problem = ""  # what the last message met with
        self.hand = False  # whether it is up, for a room that was opened again
        self._numbers = count(1)  # of events, by which the room knows one that is sent again
        self._waiting = deque[dict](maxlen=MOST_WAITING)
        self._news = threading.Event()
        threading.Thread(target=self._work, name="room", daemon=True).start()

    def __repr__(self) -> str:
        if self.problem:
            return f"{self.problem}. Nothing here waits for the room; what you answer is kept as always."
        return (
            f"You are in the room as {self.name}. From now on it is told which exercises you answer, how often and "
            "how well; of a wrong answer also the answer, without your name. live.hand() asks for help, and "
            "live.leave() ends it: then the room forgets you."
        )

    def put(self, event: dict) -> None:
        """Send one event, soon."""
        texts = {name: str(value)[: LONGEST.get(name, 100)] for name, value in event.items()}
        self._waiting.append({**texts, "n": next(self._numbers)})
        self._news.set()

    def delivered(self, seconds: float = 3.0) -> bool:
        """Wait until all is sent, at most so long; whether it is."""
        deadline = time.monotonic() + seconds
        while self._waiting and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self._waiting

    def raise_hand(self, up: bool) -> None:
        """Raise the hand, or take it down."""
        self.hand = up
        self.put({"kind": "hand" if up else "hand down"})

    def ask(self, path: str, message: object = None) -> dict:
        """What the room replies, to a message if there is one. Raises OSError, ValueError, TypeError."""
        body = None if message is None else json.dumps(message).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.code}"}
        request = urllib.request.Request(f"{self.url}/{path}", body, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return dict(json.loads(reply.read(LARGEST_REPLY)))

    def send(self, *, still: bool = False) -> bool:
        """Send what waits, now, at most `AT_ONCE`; whether the room has taken it, or never will.

        still: say no more than that one is still here, which brings nobody back who has left.
        """
        events = [*self._waiting.copy()][:AT_ONCE]  # while others may put in more
        reply: dict = {"known": True, "hand": self.hand}
        try:
            reply = self.ask(
                "answers",
                {
                    "name": self.name,
                    "key": self.key,
                    "session": self.session,
                    "events": events,
                    "still": still,
                },
            )
            self.problem = ""
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in (408, 429) or error.code >= 500:  # full, or busy: later
                return False
            self.problem = REFUSED.get(
                error.code, f"The room has refused what was sent ({error.code})"
            )
        except Exception as error:
            self.problem = f"The room cannot be reached now ({type(error).__name__})"
            return False
        while events and self._waiting and self._waiting[0]["n"] <= events[-1]["n"]:
            self._waiting.popleft()
        up = reply.get("hand", False)
        if self.hand and not up and not reply.get("known"):  # it was opened again
            self.raise_hand(True)
        else:
            self.hand = up
        return True

    def _work(self) -> None:
        failures = 0
        while True:
            if not self._news.wait(STILL_HERE) and self is _joined:
                self.send(still=True)
            self._news.clear()
            while self._waiting:
                failures = 0 if self.send() else failures + 1
                if failures:
                    time.sleep(PAUSES[min(failures, len(PAUSES)) - 1])


_joined: Membership | None = None


def join(address: str, name: str) -> Membership | None:
    """Join a room. What comes back says how it went; nothing is sent before, and nothing later waits for the room.

    Raises ValueError for an address or a name that cannot be one.
    """
    global _joined
    if os.environ.get(VARIABLE) == NOT_HERE:
        return None
    check(
        sys.platform != "emscripten",
        "a page in the browser cannot join a room; open the course on a computer",
    )
    _joined = Membership(address, name, _key())
    _joined.send()
    return _joined


def hand(up: bool = True) -> str:
    """Raise a hand in the room, or take it down; in words, what came of it."""
    room = _here()
    if room is None:
        return "You are in no room."
    room.raise_hand(up)
    return "Your hand is up; live.hand(False) takes it down." if up else "Your hand is down."


def poll() -> object:
    """The exercise that the whole room is asked now, with the same figures for all; in words, why there is none.

    The first answer that is checked counts, and the room sees what it was, without a name.
    """
    from . import catalog
    from .instance import Instance

    room = _here()
    if room is None:
        return "You are in no room; live.join(address, name) joins one."
    try:
        asked = room.ask("asked").get("poll")
        if not asked:
            return "The room is asked nothing now."
        id, _, seed, _, turn = asked.split("/")
        return Instance(catalog(None)[id], int(seed), POLL, int(turn))
    except KeyError as error:
        return f"The room is asked {error}, an exercise that is not known here."
    except (OSError, ValueError, TypeError, AttributeError) as error:
        return f"The room cannot be reached now ({type(error).__name__})."


def leave() -> str:
    """Leave the room, which forgets all that came from you; in words, what came of it."""
    global _joined
    room, _joined = _here(), None
    os.environ.pop(VARIABLE, None)  # which would join again
    if room is None:
        return "You are in no room."
    room.put({"kind": "leave"})
    if room.delivered() and not room.problem:
        return "You have left, and the room has forgotten you."
    return (
        "You have left. The room cannot be reached; it forgets you when it can, or when it closes."
    )


def tell(make: Callable[[], dict]) -> None:
    """Tell the room, if there is one, what `make` returns. Whatever goes wrong with it is no matter here."""
    with suppress(Exception):
        if room := _here():
            room.put(make())


def _here() -> Membership | None:
    """The room that was joined, in a cell or by the environment."""
    global _joined
    address = os.environ.get(VARIABLE, "")
    if _joined is None and address not in ("", NOT_HERE):
        name = os.environ.get("SUBWORD_LAB_ROOM_NAME", "somebody")
        with suppress(ValueError):  # which `subword-lab open` has looked at
            _joined = Membership(address, name, _key())
    return _joined


def _key() -> str:
    """By which a room knows this learner in all notebooks: kept beside the progress, if that is kept."""
    key = secrets.token_hex(16)
    if home := progress.store().home:
        file = home / "room-key"
        with suppress(OSError, ValueError):
            home.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.touch(mode=0o600)
                file.write_text(key, encoding="ascii")
            kept = file.read_text(encoding="ascii") if file.is_file() else ""  # a pipe never ends
            key = kept if KEY.fullmatch(kept) else key
    return key
