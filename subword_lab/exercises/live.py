"""A learner's end of a live room: what is answered here is told to the page of whoever teaches, once a learner says so.

    from subword_lab.exercises import live

    live.join("http://192.168.1.5:8890/#K7QX-M2PD", "Kim")         # a name, or one that you make up
    live.hand()                                                     # "I would like some help"
    live.leave()                                                    # and the room forgets you

For all notebooks at once, `subword-lab open --room` says the same, in the environment: SUBWORD_LAB_ROOM and
SUBWORD_LAB_ROOM_NAME. A thread of its own sends, so that no answer ever waits for a network; what cannot be delivered
is tried again, and of more than `MOST_WAITING` the oldest is given up.
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
from urllib.parse import urlsplit

from . import progress

MOST_WAITING = 1_000  # answers that are kept until they can be delivered
AT_ONCE = 50  # answers in a message
LONGEST = {"answer": 500, "message": 1_000, "question": 4_000}  # characters
LONGEST_NAME = 40
PATIENCE = 5.0  # seconds for a message
PAUSES = (1, 2, 5, 10)  # seconds until it is tried again, and again
CODE = re.compile(r"[A-Z2-7]{4}-[A-Z2-7]{4}")
KEY = re.compile(r"[0-9a-f]{32}")
NOT_HERE = "-"  # in SUBWORD_LAB_ROOM: nobody joins, as where notebooks are marked


class Membership:
    """A learner's place in a room that was joined.

    address: with the code behind #, as the instructor gives it. name: as it stands on the instructor's page. key: by
    which the room knows this learner again, in another notebook or tomorrow.

    Raises ValueError for an address or a name that cannot be one.
    """

    def __init__(self, address: str, name: str, key: str = ""):
        parts = urlsplit(str(address).strip())
        if (
            parts.scheme not in ("http", "https")
            or not parts.netloc
            or not CODE.fullmatch(parts.fragment)
        ):
            raise ValueError(
                f"the room's address is {address!r}; expected one such as "
                "http://192.168.1.5:8890/#K7QX-M2PD"
            )
        if not str(name).strip() or len(str(name)) > LONGEST_NAME:
            raise ValueError(
                f"the name is {name!r}; expected at most {LONGEST_NAME} characters, your name or one that "
                "you make up"
            )
        self.name, self.code, self.key = (
            str(name).strip(),
            parts.fragment,
            key or secrets.token_hex(16),
        )
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/answers"
        self.session, self.told = secrets.token_hex(8), 0
        self.problem = ""  # what the last message met with
        self._waiting = deque[dict](maxlen=MOST_WAITING)
        self._lock, self._news = threading.Lock(), threading.Event()
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
        event = {
            name: value[: LONGEST.get(name, 100)] if isinstance(value, str) else value
            for name, value in event.items()
        }
        with self._lock:
            self.told += 1
            self._waiting.append({**event, "n": self.told})
        self._news.set()

    def delivered(self, seconds: float = 3.0) -> bool:
        """Wait until all is sent, at most so long; whether it is."""
        deadline = time.monotonic() + seconds
        while self._waiting and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self._waiting

    def send(self) -> bool:
        """Send what waits, now, at most `AT_ONCE`; whether the room has taken it, or never will."""
        with self._lock:
            events = list(self._waiting)[:AT_ONCE]
        body = json.dumps(
            {"name": self.name, "key": self.key, "session": self.session, "events": events}
        ).encode()
        request = urllib.request.Request(
            self.url,
            body,
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.code}"},
        )
        try:
            urllib.request.urlopen(request, timeout=PATIENCE).close()
            self.problem = ""
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in (408, 429) or error.code >= 500:  # full, or busy: later
                return False
            self.problem = {
                403: "The room does not know this code",
                410: "You have left the room",
            }.get(error.code, f"The room has refused what was sent ({error.code})")
        except Exception as error:
            self.problem = f"The room cannot be reached now ({type(error).__name__})"
            return False
        with self._lock:
            while events and self._waiting and self._waiting[0]["n"] <= events[-1]["n"]:
                self._waiting.popleft()
        return True

    def _work(self) -> None:
        failures = 0
        while True:
            self._news.wait()
            self._news.clear()
            while self._waiting:
                failures = 0 if self.send() else failures + 1
                if failures:
                    time.sleep(PAUSES[min(failures, len(PAUSES)) - 1])


_joined: Membership | None = None
_left = False  # by `leave`, which holds against the environment, too


def join(address: str, name: str) -> Membership | None:
    """Join a room. What comes back says how it went; nothing is sent before, and nothing later waits for the room.

    Raises ValueError for an address or a name that cannot be one.
    """
    global _joined, _left
    if os.environ.get("SUBWORD_LAB_ROOM") == NOT_HERE:
        return None
    if sys.platform == "emscripten":
        raise ValueError("a page in the browser cannot join a room; open the course on a computer")
    _joined, _left = Membership(address, name, _key()), False
    _joined.send()
    return _joined


def hand(up: bool = True) -> str:
    """Raise a hand in the room, or take it down; in words, what came of it."""
    room = _here()
    if room is None:
        return "You are in no room."
    room.put({"kind": "hand" if up else "hand down"})
    return "Your hand is up; live.hand(False) takes it down." if up else "Your hand is down."


def leave() -> str:
    """Leave the room, which forgets all that came from you; in words, what came of it."""
    global _joined, _left
    room, _joined, _left = _here(), None, True
    if room is None:
        return "You are in no room."
    room.put({"kind": "leave"})
    return (
        "You have left, and the room has forgotten you."
        if room.delivered() and not room.problem
        else "You have left. The room cannot be reached; it forgets you when it can, or when it closes."
    )


def tell(make: Callable[[], dict]) -> None:
    """Tell the room, if there is one, what `make` returns. Whatever goes wrong with it is no matter here."""
    with suppress(Exception):
        if room := _here():
            room.put(make())


def _here() -> Membership | None:
    """The room that was joined, in a cell or by the environment."""
    global _joined
    address = os.environ.get("SUBWORD_LAB_ROOM", "")
    if _joined is None and not _left and address not in ("", NOT_HERE):
        with suppress(ValueError):  # which `subword-lab open` has looked at
            _joined = Membership(
                address, os.environ.get("SUBWORD_LAB_ROOM_NAME", "somebody"), _key()
            )
    return _joined


def _key() -> str:
    """By which a room knows this learner in all notebooks: kept beside the progress, if that is kept."""
    key = kept = secrets.token_hex(16)
    if home := progress.store().home:
        with suppress(OSError):
            home.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                (home / "room-key").touch(mode=0o600, exist_ok=False)
                (home / "room-key").write_text(key, encoding="ascii")
            kept = (home / "room-key").read_text(encoding="ascii", errors="replace").strip()
    return kept if KEY.fullmatch(kept) else key
