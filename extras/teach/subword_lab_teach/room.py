"""The live room: a page that shows, while a class works, who is where, who waits, and which mistakes are made.

    subword-lab room --host 0.0.0.0             # for whoever teaches
    subword-lab open --room ADDRESS             # for each learner who wants to be seen

`Room` is what is known; it lives in memory, and dies with the command. `serving` puts it on the network: learners
write with the room's code, the page reads with a key of its own, of which the code is made: whoever has the key opens
the same room again. Notebooks (`exercises.live`) and phones (`static/phone.js`) send the same messages, and say now and
then that they are still here; a room that was opened again so knows who is in it, and whose hand is up. A notebook
checks an answer itself; what is typed on a phone is checked here. Whatever they send is bounded, and is text.
"""

import asyncio
import hashlib
import json
import re
import secrets
import socket
import time
from base64 import b32encode
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, reduce
from itertools import count, takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fastjsonschema
import segno
from tornado import httpserver, netutil
from tornado.httputil import HTTPConnection
from tornado.iostream import IOStream
from tornado.web import Application, HTTPError, RequestHandler

from subword_lab import files, html
from subword_lab.arguments import counted
from subword_lab.exercises import Instance, catalog, classroom, feedback, live, question

from . import filled, read
from .poll import NUMBER, Poll, read_polls, words
from .submissions import grouped, printable, visible

PORT = 8890
SPARE = 40  # open files that are no connections
RECENT = 10 * 60  # seconds that a mistake stays on the page, which says so
QUIET = 5 * 60  # seconds without a sign, from which on somebody may wait
STUCK = 3  # wrong answers in a row
MOST_LEARNERS = 500
MOST_LEFT = 10_000  # keys of those who have left; then the first are dropped
MOST_AT_AN_ADDRESS = 300  # all on a hub have one
MOST_WRONG = 4  # wrong answers of a learner that are remembered, each with its question
MOST_MISTAKES = 50  # on the page
MOST_COLUMNS = 60  # of it, for exercises: those that most have answered, or are at
STEADY = 10  # seconds for which the page stays as it is while nothing happens
MOST_TOLD = 1_000  # events of a learner by which a repeated one is known
LARGEST = 500_000  # bytes of a message
MOST_JUDGED = 3  # typed answers at once
VARIANTS = 10  # of an exercise that are asked which mistakes can be made
# Labels that any function can get; see `exercises.trials`.
OF_CODE = "printed returned-none wrong-type state-kept constant argument-back only-the-example argument-changed"
STATES = ("tried", "partial", "done")
PHONE = "phone"  # how the sessions of phones begin
FILES = {  # what a browser loads: its kind, and its text
    "": ("html", read("static", "room.html")),
    "phone": ("html", read("static", "phone.html")),
    "room.js": (
        "javascript",
        files.read("views", "static", "widget.js") + read("static", "room.js"),
    ),
    "phone.js": ("javascript", read("static", "phone.js")),
    "room.css": ("css", files.read("views", "static", "design.css") + read("static", "room.css")),
}
TEXTS = ("kind", "exercise", "outcome", "label", "message", "question", "answer", "poll")
SHOWN = ("exercise", "label", "answer", "message", "question")  # of somebody's mistake
EVENT = {
    "type": "object",
    "required": ["n", "kind"],
    "properties": {name: {"type": "string"} for name in TEXTS}
    | {
        "n": {"type": "integer", "minimum": 1, "maximum": 10**9},
        "kind": {"enum": ["attempt", "typed", "hint", "solution", "hand", "hand down", "leave"]},
        "exercise": {"type": "string", "pattern": f"^({question.ID.pattern})?$"},
        "outcome": {"enum": ["", *feedback.OUTCOMES]},
    },
}
check_message = fastjsonschema.compile(
    {
        "type": "object",
        "required": ["name", "key", "session", "events"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": live.LONGEST_NAME},
            "key": {"type": "string", "pattern": f"^{live.KEY.pattern}$"},
            "session": {"type": "string", "minLength": 1, "maxLength": 40},
            "still": {"type": "boolean"},  # no more is said than that they are still here
            "events": {"type": "array", "maxItems": live.AT_ONCE, "items": EVENT},
        },
    }
)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Refused(HTTPError):
    """What the room does not take: the status as HTTP has it, and the reason."""

    def __init__(self, status: int, why: str):
        super().__init__(status, "%s", why)


@dataclass
class Participant:
    """Somebody in the room. at: when something last came from them. hand: since when it is up. last: the exercise.

    places: what each of their answers to an exercise was; none where they have only looked.
    """

    address: str
    at: float
    name: str = ""
    session: str = ""
    hand: float | None = None
    last: str = ""
    places: dict[str, deque[str]] = field(default_factory=dict)
    told: deque[tuple[str, int]] = field(default_factory=lambda: deque(maxlen=MOST_TOLD))
    wrong: deque[dict] = field(default_factory=lambda: deque(maxlen=MOST_WRONG))


def lines(question: str) -> Counter[str]:
    """The lines of a question, and how often, with 0 for its figures: code, words of a text, and numbers.

    >>> dict(lines("| `hug` | 10 |\\n| `pug` | 5 |\\nHow often is `u` in *hug pug*?"))
    {'| 0 | 0 |': 2, 'How often is 0 in 0?': 1}
    """
    plain = re.sub(r"`[^`\n]*`|\*[^\W_](?:[^\W_]|[ .])*\*|\d+", "0", question)
    return Counter(plain.splitlines())


@cache
def known(id: str) -> tuple[frozenset[str], Counter[str]]:
    """The labels that mistakes in an exercise have, and the lines of its questions, as often as one of them has each.

    Another one could be anything that somebody wants the class to read, or a page to work on for seconds.
    """
    variants = [Instance(catalog(classroom.named())[id], seed) for seed in range(VARIANTS)]
    found = [mistake.label for ex in variants for mistake in ex.asked.mistakes]
    return frozenset([*OF_CODE.split(), *found]), reduce(
        Counter.__or__, (lines(ex.question) for ex in variants)
    )


@lru_cache(maxsize=4 * MOST_MISTAKES)
def as_shown(question: str, is_own: bool) -> html.Html:
    """A question as HTML; one that is not the room's own, as the text that it is."""
    return (
        html.to_html(question) if is_own else html.tag("p", question, style="white-space:pre-wrap")
    )


def checked(message: Any) -> dict[str, Any]:
    """A learner's message, whose events have every text, printable and not too long; Refused for anything else."""
    try:
        check_message(message)
    except fastjsonschema.JsonSchemaException:
        raise Refused(400, "this is not a learner's message") from None
    events = [
        {name: printable(event.get(name, ""), live.LONGEST.get(name, 100)) for name in TEXTS}
        | {"n": event["n"]}
        for event in message["events"]
    ]
    if [event["kind"] for event in events].count("typed") > 1:
        raise Refused(400, "one answer at a time is checked")
    return message | {"events": events}


class Room:
    """What is known of a class at work. clock: seconds, from wherever. key: of a room that was open before.

    record: a file for the polls, without names; those that it holds stay in it. Raises ValueError for one that holds
    something else.

    >>> room = Room(clock=lambda: 100)
    >>> event = {"n": 1, "kind": "attempt", "exercise": "bpe-01", "outcome": "correct"}
    >>> room.take({"name": "Kim", "key": "0" * 32, "session": "a", "events": [event]})
    {'known': False, 'hand': False}
    >>> [(learner["name"], learner["places"]) for learner in room.state()["learners"]]
    [('Kim', {'bpe-01': ['done', 1]})]
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        key: str = "",
        record: Path | None = None,
    ):
        self.key = key or secrets.token_urlsafe(24)
        letters = b32encode(hashlib.sha256(self.key.encode()).digest()[:5]).decode()
        self.code = f"{letters[:4]}-{letters[4:]}"
        self.clock = clock
        self.titles = {id: exercise.title for id, exercise in catalog(classroom.named()).items()}
        self.learners = dict[str, Participant]()
        # Keys of those who are gone, and whether they left by themselves or were forgotten.
        self.left = dict[str, bool]()
        self.address = ""  # at which others reach the room
        self.happened = 0  # how much, by which the page is made anew
        self._made: tuple[object, dict] = None, {}
        self.poll: Poll | None = None
        self.judges = asyncio.Semaphore(MOST_JUDGED)
        self.record = record
        self.polls: list[dict] = []  # that are over
        self._kept: list[dict] = []  # what of the file is this room's
        if record and record.exists():
            read_polls(record)  # which says what is wrong with it

    def forget(self, name: object = None) -> None:
        """Forget the learner of this name, or everybody."""
        for key, learner in list(self.learners.items()):
            if name in (None, learner.name):
                self._forget(key, has_left=False)

    def _forget(self, key: str, has_left: bool) -> None:
        self.happened += 1
        self.left[key] = has_left
        for first in [*self.left][:-MOST_LEFT]:
            del self.left[first]
        del self.learners[key]
        for votes in self.poll.rounds if self.poll else []:
            votes.pop(key, None)

    # ----------------------------------------------------------------------------------------------------------- taking

    def take(
        self, message: Any, address: str = "", judged: feedback.Feedback | None = None
    ) -> dict:
        """Take a learner's message, whole or not at all; one without events says that they join, or are still here.

        address: of the machine that it comes from, if known. judged: what `prepare` made of its typed answer.

        Returns whether the room knew them before, and whether their hand is up. Raises Refused.
        """
        message = checked(message)
        key, session, still = message["key"], message["session"], message.get("still", False)
        known = key in self.learners
        if self.left.get(key) and (message["events"] or still):
            raise Refused(410, "You have left the room, and it has forgotten you.")
        if key in self.left and still and not message["events"]:  # and comes with the next answer
            return {"known": True}
        events = [self._judged(event, key, judged) for event in message["events"]]
        if not known:
            self._admit(key, address)
        learner = self.learners[key]
        self.happened += bool(events) or not (still and known)
        learner.session = session
        if not (still and known):  # of several notebooks, the last that did something says the name
            learner.name = self._free_name(message["name"], learner)
        for event in events:
            if key in self.learners and (session, event["n"]) not in learner.told:
                learner.told.append((session, event["n"]))
                self._take_event(key, learner, event)
        return {"known": known, "hand": learner.hand is not None}

    async def prepare(self, message: Any) -> feedback.Feedback | None:
        """What takes long, in threads, so that nobody else waits: to know the exercises, and to judge a typed answer.

        Returns what that is worth, for `take`; None if there is none. Raises Refused.
        """
        message = checked(message)
        for event in message["events"]:
            if event["exercise"] in self.titles:
                await asyncio.to_thread(known, event["exercise"])
            poll = self.poll if event["kind"] == "typed" else None
            if poll and poll.is_open_to(message["key"], event["poll"]):
                async with self.judges:
                    return await asyncio.to_thread(poll.ex.judge, event["answer"])
        return None

    def _judged(self, event: dict, key: str, judged: feedback.Feedback | None) -> dict:
        """An event; what was typed for the poll, as a notebook tells of it."""
        if event["kind"] != "typed":
            return event
        if not self.poll or not self.poll.is_open_to(key, event["poll"]):
            raise Refused(409, "The room is asked something else now, or your answer has arrived.")
        ex = self.poll.ex
        told = vars(judged or ex.judge(event["answer"]))
        if told["outcome"] not in feedback.COSTLY:
            raise Refused(422, told["message"])
        return {**event, **told, "kind": "attempt", "exercise": ex.id, "question": ex.question}

    def _admit(self, key: str, address: str) -> None:
        here = [learner.address for learner in self.learners.values()]
        if len(here) >= MOST_LEARNERS or (address and here.count(address) >= MOST_AT_AN_ADDRESS):
            raise Refused(
                429, "the room is full, or so many came from your address that it is closed to it"
            )
        self.left.pop(key, None)
        self.learners[key] = Participant(address, self.clock())

    def _free_name(self, name: str, learner: Participant) -> str:
        """The name, with a number behind it if somebody else has one that looks like it."""
        taken = {
            visible(other.name).casefold()
            for other in self.learners.values()
            if other is not learner
        }
        name = " ".join(printable(name).split()) if visible(name) else "?"
        names = (f"{name} ({number})" if number > 1 else name for number in count(1))
        return next(free for free in names if visible(free).casefold() not in taken)

    def _take_event(self, key: str, learner: Participant, event: dict) -> None:
        kind, id, learner.at = event["kind"], event["exercise"], self.clock()
        if kind == "leave":
            self._forget(key, has_left=True)
        elif kind in ("hand", "hand down"):
            learner.hand = learner.at if kind == "hand" else None
        elif id in self.titles:
            learner.last = id
            learner.places.setdefault(id, deque(maxlen=MOST_TOLD))
            if kind == "attempt":
                self._take_attempt(key, learner, event)

    def _take_attempt(self, key: str, learner: Participant, event: dict) -> None:
        outcome, is_wrong = event["outcome"], event["outcome"] in ("partial", "incorrect")
        state = {"correct": "done", "partial": "partial"}.get(outcome, "tried")
        learner.places[event["exercise"]].append(state)
        if state == "done":
            learner.hand = None
        labels, course = known(event["exercise"]) if is_wrong else (set(), Counter())
        event = event | {"label": event["label"] if event["label"] in labels else ""}
        if self.poll:
            self.poll.take(key, event)
        if is_wrong:
            asked = self.poll.ex.question if self.poll else ""
            learner.wrong.append(
                {
                    **event,
                    "label": NUMBER.sub("", event["label"]),
                    "at": learner.at,
                    "is_own": event["question"] == asked or lines(event["question"]) <= course,
                }
            )

    # ----------------------------------------------------------------------------------------------------------- a poll

    def ask(self, id: object) -> None:
        """Ask the room an exercise; the one that is being asked, with new figures. None: the poll is over.

        Raises Refused for an exercise that is none, OSError if the record cannot be written.
        """
        if id is not None and (type(id) is not str or id not in self.titles):
            raise Refused(404, "there is no such exercise")
        if self.poll and id == self.poll.ex.id:
            self.poll = Poll(self.poll.ex.another(), [*self.poll.rounds, {}])
        else:
            self.polls += [self.poll.record()] if self.poll else []
            figures = secrets.randbelow(10**6), live.POLL
            self.poll = (
                Poll(Instance(catalog(classroom.named())[str(id)], *figures)) if id else None
            )
        self.happened += 1
        self.keep()

    def reveal(self) -> None:
        """Show the right answer; answers to these figures no longer count. Raises OSError as `ask` does."""
        if self.poll:
            self.poll.revealed = True
        self.happened += 1
        self.keep()

    def keep(self) -> None:
        """Write the polls to their file, if there is one; what others have written there stays."""
        if self.record:
            polls = [*self.polls, self.poll.record()] if self.poll else [*self.polls]
            there = read_polls(self.record) if self.record.exists() else []
            for own in self._kept:
                if own in there:
                    there.remove(own)
            files.write_whole(self.record, json.dumps(there + polls, indent=1) + "\n")
            self._kept = json.loads(
                json.dumps(polls)
            )  # as it will be read again, while the poll goes on

    # ---------------------------------------------------------------------------------------------------------- showing

    def state(self, here: str = "") -> dict:
        """What the page shows, as JSON can hold it: learners, exercises, mistakes of the last minutes, and the poll.

        here: the address at which the page was opened; on this machine itself, others have another one.
        """
        at = Counter(
            id
            for learner in self.learners.values()
            for id, states in learner.places.items()
            if states or id == learner.last
        )
        seen = {id for id, _ in at.most_common(MOST_COLUMNS)}
        is_near = urlsplit(here).hostname in (None, "127.0.0.1", "localhost", "::1")
        address = self.address if is_near and self.address else here
        return {
            "code": self.code,
            "learners": [
                {
                    "name": learner.name,
                    "waits": self._waits(learner),
                    "answers": sum(map(len, learner.places.values())),
                    "places": {
                        id: [max(states, key=STATES.index, default="seen"), len(states)]
                        for id, states in learner.places.items()
                        if id in seen
                    },
                }
                for learner in self.learners.values()
            ],
            "mistakes": self._mistakes(),
            "address": address,
            "qr": segno.make_qr(f"{address}#{self.code}").svg_inline(light="#fff", omitsize=True),
            "poll": html.styled(self.poll.html(len(self.learners))) if self.poll else "",
            "asked": self.poll.ex.id if self.poll else "",
            "exercises": [
                {"id": id, "title": title} for id, title in self.titles.items() if id in seen
            ],
        }

    def shown(self, here: str = "") -> dict:
        """The state, and how the class stands as HTML: made anew once something has happened."""
        now = here, self.happened, self.clock() // STEADY
        if self._made[0] != now:
            state = self.state(here)
            answers = counted(sum(learner["answers"] for learner in state["learners"]), "answer")
            count = f"{counted(len(state['learners']), 'learner')}, {answers}"
            page = filled("static/class.html", **state)
            self._made = now, state | {"class": page, "count": count}
        return self._made[1]

    def _waits(self, learner: Participant) -> list:
        """How urgent it is, and why, in words; [0, ""] for whoever does not wait."""
        now, last = self.clock(), learner.last
        # Wrong answers since the last better one.
        row = len([*takewhile("tried".__eq__, reversed(learner.places.get(last, ())))])
        quiet, up = now - learner.at, now - (learner.hand or now)
        is_quiet = quiet >= QUIET and not learner.session.startswith(PHONE)  # one waits to be asked
        reasons = [
            (learner.hand is not None, 3, f"hand up {_ago(up)}" + f", at {last}" * bool(last)),
            (row >= STUCK, 2, f"{row} wrong answers in a row at {last}, {_ago(quiet)}"),
            (is_quiet, 1, f"nothing {_ago(quiet)}" + f", after {last}" * bool(last)),
        ]
        return next(([urgency, why] for holds, urgency, why in reasons if holds), [0, ""])

    def _mistakes(self) -> list[dict]:
        """By exercise and label, those of most learners first; each with an answer as an example, without a name."""
        since = self.clock() - RECENT
        different = (  # of each learner
            {(one["exercise"], one["label"]): one for one in learner.wrong if one["at"] >= since}
            for learner in self.learners.values()
        )
        made = grouped(entry for own in different for entry in own.items())
        most = sorted(made.items(), key=lambda entry: -len(entry[1]))[:MOST_MISTAKES]
        return [
            {
                **{name: group[-1][name] for name in SHOWN},
                "question": as_shown(group[-1]["question"], group[-1]["is_own"]),
                "title": self.titles[id],
                "words": words(label),
                "learners": len(group),
            }
            for (id, label), group in most
        ]

    def page(
        self, message: Any, address: str = "", judged: feedback.Feedback | None = None
    ) -> dict:
        """Take a phone's message, see `take`, and say what the phone shows. Raises Refused."""
        self.take(message, address, judged)
        key = message["key"]
        if key not in self.learners:
            raise Refused(410, "You are not in the room, and it has forgotten you.")
        who = self.learners[key].name
        return {"page": filled("static/form.html", poll=self.poll, key=key, who=who)}


def _ago(seconds: float) -> str:
    return "now" if seconds < 60 else f"for {int(seconds // 60)} min"


# ---------------------------------------------------------------------------------------------------------- the network


class _Handler(RequestHandler):
    """Nothing is kept by the browser, framed by others, or said to whoever has not the secret."""

    judged: feedback.Feedback | None = None  # what was typed

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    async def get(self, name: str) -> None:
        if name in FILES:
            kind, text = FILES[name]
            self.set_header("Content-Type", f"text/{kind}; charset=utf-8")
            self.finish(text)
            return
        room: Room = self.settings["room"]
        secret = room.code if name in FOR_LEARNERS else room.key
        given = self.request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(given.encode(), secret.encode()):
            raise Refused(403, "This is not the code, which is shown beside the address.")
        self.settings["server"].hold(self.request.server_connection)
        if name in ("answers", "page"):
            self.judged = await room.prepare(self.body())
        self.finish(REPLIES[name](room, self) or {})

    post = get

    def on_finish(self) -> None:
        self.settings["server"].wait(self.request.server_connection)

    def body(self) -> object:
        try:
            return json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise HTTPError(400) from None

    def write_error(self, status_code: int, **how: Any) -> None:
        error = how["exc_info"][1]
        why = error.args[0] if isinstance(error, Refused) else str(error)
        self.finish({"refused": why} | ({"page": ""} if status_code in (403, 410) else {}))

    def log_exception(self, *_: object) -> None:
        """Nothing about a learner is written anywhere."""


FOR_LEARNERS = ("answers", "asked", "page")
REPLIES: dict[str, Callable[[Room, _Handler], dict | None]] = {
    "answers": lambda room, asked: room.take(
        asked.body(), asked.request.remote_ip or "", asked.judged
    ),
    "page": lambda room, asked: room.page(
        asked.body(), asked.request.remote_ip or "", asked.judged
    ),
    "asked": lambda room, asked: {"poll": room.poll.ex.key} if room.poll else {},
    "state": lambda room, asked: room.shown(asked.get_query_argument("here", "")[:200]),
    "forget": lambda room, asked: room.forget(asked.body()),
    "exercises": lambda room, asked: room.titles,
    "ask": lambda room, asked: room.ask(asked.body()),
    "reveal": lambda room, asked: room.reveal(),
}


class _Server(httpserver.HTTPServer):
    """One that, when the system has hardly a file left, lets those go for newcomers who have waited longest.

    Whoever came without the code waits, and whoever has been answered.
    """

    most = 1_000

    def initialize(self, *values: Any, **named: Any) -> None:
        super().initialize(*values, **named)
        self.waiting: dict[IOStream, None] = {}  # those first who have waited longest

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        if len(self._connections) >= self.most:
            longest = next(iter(self.waiting), stream)
            self.waiting.pop(longest, None)
            longest.close()
            if longest is stream:  # everybody is being answered
                return
        self.waiting[stream] = None
        super().handle_stream(stream, address)

    def start_request(self, server_conn: Any, request_conn: HTTPConnection) -> Any:
        self.wait(server_conn)
        return super().start_request(server_conn, request_conn)

    def on_close(self, server_conn: Any) -> None:
        self.hold(server_conn)
        super().on_close(server_conn)

    def hold(self, server_conn: Any) -> None:
        """Somebody does not wait any more, or for now."""
        self.waiting.pop(server_conn.stream, None)

    def wait(self, server_conn: Any) -> None:
        """Somebody waits from now on; also one who reads no answer."""
        self.hold(server_conn)
        if not server_conn.stream.closed():
            self.waiting[server_conn.stream] = None


@asynccontextmanager
async def serving(room: Room, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[int]:
    """The room on the network, for as long as this lasts; yields the port. Raises OSError if it cannot be had."""
    routes: list = [(rf"/({'|'.join([*FILES, *REPLIES])})", _Handler)]
    application = Application(routes, room=room, log_function=lambda handler: None)
    server = application.settings["server"] = _Server(
        application,
        max_body_size=LARGEST,
        max_buffer_size=2 * LARGEST,
        max_header_size=20_000,
        idle_connection_timeout=60,
        body_timeout=20,
    )
    with suppress(ImportError):  # a system without such a limit
        import resource

        server.most = max(1, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE)
    sockets = netutil.bind_sockets(port, host)
    server.add_sockets(sockets)
    try:
        yield sockets[0].getsockname()[1]
    finally:
        server.stop()
        await server.close_all_connections()


def run(
    host: str,
    port: int,
    ready: Callable[[str, str], None],
    key: str = "",
    record: Path | None = None,
) -> None:
    """Keep a room open until Ctrl-C. ready: is told the addresses of its page, and for learners.

    key, record: see `Room`. Raises OSError if the port cannot be had, ValueError for a record that is none.
    """
    room = Room(key=key, record=record)

    async def open_room() -> None:
        async with serving(room, host, port) as taken:
            anywhere = host in ("0.0.0.0", "::")
            inside, outside = ("127.0.0.1", own_address()) if anywhere else (host, host)
            room.address = f"http://{outside}:{taken}/"
            ready(f"http://{inside}:{taken}/#teacher={room.key}", f"{room.address}#{room.code}")
            await asyncio.Event().wait()

    try:
        asyncio.run(open_room())
    finally:
        with suppress(OSError):  # which was said when the poll was asked
            room.keep()


def own_address() -> str:
    """The address at which others most likely reach this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
    return socket.gethostname()
