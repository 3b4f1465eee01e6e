"""The live room: a page that shows, while a class works, who is where, who waits, and which mistakes are made.

    subword-lab room --host 0.0.0.0             # for whoever teaches
    subword-lab open --room ADDRESS             # for each learner who wants to be seen

`Room` is what is known; it lives in memory, and dies with the command. `serving` puts it on the network: learners
(`exercises.live`) write with the room's code, the page reads with a key of its own, of which the code is made: whoever
has the key opens the same room again. Learners' machines say now and then that they are still here; a room that was
opened again so knows who is in it, and whose hand is up. Whatever they send is bounded, and is text.

A phone joins by a form, and answers what the room is asked (`poll`) on a page of the room. A cookie, signed with the
key, says whose it is.
"""

import asyncio
import hashlib
import json
import secrets
import socket
import sys
import time
from base64 import b32encode
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fastjsonschema
import segno
from tornado import httpserver, netutil
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream
from tornado.web import Application, HTTPError, RequestHandler

from subword_lab import files, html
from subword_lab.exercises import Instance, catalog, feedback, live, own
from subword_lab.exercises.classroom import named

from . import read
from .poll import NUMBER, TEMPLATES, Poll, read_polls, words
from .submissions import printable, visible

PORT = 8890
SPARE = 40  # open files that are no connections
RECENT = 10 * 60  # seconds that a mistake stays on the page
QUIET = 5 * 60  # seconds without a sign, from which on somebody may wait
STUCK = 3  # wrong answers in a row
MOST_LEARNERS = 500
MOST_LEFT = 10_000  # keys of those who have left; then the first are dropped
PHONE = "phone"  # the session of a page
MOST_AT_AN_ADDRESS = 300  # all on a hub have one
OTHER = "other"  # stands for every exercise that the room does not know
MOST_MISTAKES = 4  # different ones of a learner that are remembered, each with its question
MOST_SESSIONS = 30  # of a learner: each notebook that runs is one
LARGEST = 500_000  # bytes of a message
BURST, PER_SECOND = 300, 5  # events of a learner: at once, and from then on
VARIANTS = 10  # of an exercise that are asked which mistakes can be made
# Labels that any function can get; see `exercises.trials`.
OF_CODE = "printed returned-none wrong-type state-kept constant argument-back only-the-example argument-changed"
STATES = ("seen", "tried", "partial", "done")
LOADED = {
    "": "text/html",
    "room.js": "text/javascript",
    "phone.js": "text/javascript",
    "room.css": "text/css",
}
SHARED = {"room.css": ["design.css"], "room.js": ["widget.js"]}  # what stands in front of them
ASIDE = ThreadPoolExecutor(1)
TEXTS = ("kind", "exercise", "outcome", "label", "message", "question", "answer", "poll")
EVENT = {
    "type": "object",
    "required": ["n", "kind"],
    "properties": {name: {"type": "string"} for name in TEXTS}
    | {
        "n": {"type": "integer", "minimum": 1, "maximum": 10**9},
        "kind": {"enum": ["attempt", "hint", "solution", "hand", "hand down", "leave"]},
        "exercise": {"type": "string", "pattern": f"^({own.ID.pattern})?$"},
        "outcome": {"enum": ["", *feedback.OUTCOMES]},
    },
}
as_message = fastjsonschema.compile(
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


@dataclass
class Standing:
    """How a learner stands with an exercise. in_a_row: wrong answers since the last better one."""

    state: str = "seen"
    answers: int = 0
    in_a_row: int = 0


@dataclass
class Participant:
    """Somebody in the room. told: the last event of each of their sessions, by which a repeated one is known.

    allowance: how many events they may send; it grows again with the time.
    """

    number: int
    name: str
    at: float
    address: str = ""
    allowance: float = BURST
    counted: float = 0.0  # when the allowance was
    hand: float | None = None
    last: str = ""  # the exercise
    places: dict[str, Standing] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    wrong: dict[tuple[str, str], dict] = field(default_factory=dict)  # by exercise and label


@cache
def labels(id: str) -> frozenset[str]:
    """The labels that mistakes in an exercise have; another could be anything that somebody wants the class to read."""
    variants = (
        [Instance(catalog(named())[id], seed) for seed in range(VARIANTS)] if id != OTHER else []
    )
    return frozenset(
        [*OF_CODE.split(), *(mistake.label for ex in variants for mistake in ex.asked.mistakes)]
    )


class Room:
    """What is known of a class at work. clock: seconds, from wherever. key: of a room that was open before.

    record: a file for the polls, without names. polls: those that are over, as `Poll.record` has them.

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
        polls: Iterable[dict] = (),
    ):
        self.key = key or secrets.token_urlsafe(24)
        letters = b32encode(hashlib.sha256(self.key.encode()).digest()[:5]).decode()
        self.code = f"{letters[:4]}-{letters[4:]}"
        self.clock = clock
        self.titles = {id: exercise.title for id, exercise in catalog(named()).items()}
        self.titles |= {OTHER: "an exercise that this room does not know"}
        self.learners = dict[str, Participant]()
        # Keys of those who are gone, and whether they left by themselves or were forgotten.
        self.left = dict[str, bool]()
        self.count = 0  # of all who ever came
        self.address = ""  # at which others reach the room
        self.poll: Poll | None = None
        self.polls, self.record = [*polls], record

    @property
    def wrong(self) -> list[dict]:
        """The mistakes of the last minutes in the order of time, of each learner the last different ones."""
        found = [wrong for learner in self.learners.values() for wrong in learner.wrong.values()]
        now = self.clock()
        recent = [wrong for wrong in found if now - wrong["at"] <= RECENT]
        return sorted(recent, key=itemgetter("at"))

    def forget(self, number: object = None) -> None:
        """Forget the learner with this number, or everybody."""
        for key, learner in list(self.learners.items()):
            if number in (None, learner.number):
                self._forget(key, False)

    def _forget(self, key: str, left: bool) -> None:
        self.left[key] = left
        for first in [*self.left][:-MOST_LEFT]:
            del self.left[first]
        del self.learners[key]
        for votes in self.poll.rounds if self.poll else []:
            votes.pop(key, None)

    # ----------------------------------------------------------------------------------------------------------- taking

    def take(self, message: Any, address: str = "") -> dict:
        """Take a learner's message, whole or not at all; one without events says that they join, or are still here.

        address: of the machine that it comes from, if known.

        Returns whether the room knew them before, and whether their hand is up. Raises Refused.
        """
        message = _checked(message)
        key, session, still = message["key"], message["session"], message.get("still", False)
        events, now = [_event(event) for event in message["events"]], self.clock()
        known = key in self.learners
        if self.left.get(key) and (events or still):
            raise Refused(410, "whoever has left is not brought back by another notebook of theirs")
        if key in self.left and still:  # and comes back with the next answer
            return {"known": True}
        if not known:
            self._admit(key, address, now)
        learner = self.learners[key]
        self._spend(learner, max(1, len(events)), now)
        if not (still and known):  # of several notebooks, the last that did something says the name
            others = [other for other in self.learners.values() if other is not learner]
            taken = {visible(other.name).casefold() for other in others}
            name = printable(message["name"]) if visible(message["name"]) else "?"
            name = " ".join(name.split())
            names = (f"{name} ({number})" if number > 1 else name for number in count(1))
            learner.name = next(free for free in names if visible(free).casefold() not in taken)
        if session not in learner.told and len(learner.told) >= MOST_SESSIONS:
            del learner.told[next(iter(learner.told))]
        learner.told.setdefault(session, 0)
        for event in events:
            if key in self.learners and event["n"] > learner.told[session]:
                learner.told[session] = event["n"]
                self._take_event(learner, key, event, now)
        return {"known": known, "hand": learner.hand is not None}

    def _admit(self, key: str, address: str, now: float) -> None:
        here = [learner.address for learner in self.learners.values()]
        if len(here) >= MOST_LEARNERS or (address and here.count(address) >= MOST_AT_AN_ADDRESS):
            raise Refused(
                429, "the room is full, or so many came from your address that it is closed to it"
            )
        self.left.pop(key, None)
        self.count += 1
        self.learners[key] = Participant(self.count, "", now, address, counted=now)

    def asked_for(self, message: object) -> list[str]:
        """The exercises of a message that the room knows. Raises Refused."""
        ids = (event.get("exercise") for event in _checked(message)["events"])
        return [id for id in ids if id in self.titles]

    def _spend(self, learner: Participant, events: int, now: float) -> None:
        grown = learner.allowance + PER_SECOND * (now - learner.counted)
        learner.allowance, learner.counted = min(BURST, grown), now
        if learner.allowance < events:
            raise Refused(429, "too many answers; later")
        learner.allowance -= events

    def _take_event(self, learner: Participant, key: str, event: dict, now: float) -> None:
        kind, outcome = event["kind"], event["outcome"]
        id = event["exercise"] if event["exercise"] in self.titles else OTHER
        learner.at = now
        if kind == "leave":
            self._forget(key, True)
        elif kind.startswith("hand"):
            learner.hand = now if kind == "hand" else None
        else:
            place, learner.last = learner.places.setdefault(id, Standing()), id
            if kind == "attempt":
                state = {"correct": "done", "partial": "partial"}.get(outcome, "tried")
                place.answers += 1
                place.in_a_row = place.in_a_row + 1 if state == "tried" else 0
                learner.hand = None if state == "done" else learner.hand
                place.state = max(place.state, state, key=STATES.index)
                is_wrong = outcome in ("partial", "incorrect")
                label = event["label"] if is_wrong and event["label"] in labels(id) else ""
                if self.poll and id == self.poll.ex.id and outcome in feedback.COSTLY:
                    self.poll.take(key, event, label)
                if is_wrong:
                    mistake = id, NUMBER.sub("", label)
                    known = {"exercise": id, "label": mistake[1], "at": now}
                    learner.wrong[mistake] = {**event, **known}
                    if len(learner.wrong) > MOST_MISTAKES:
                        del learner.wrong[next(iter(learner.wrong))]

    # ----------------------------------------------------------------------------------------------------------- a poll

    def ask(self, id: object) -> None:
        """Ask the room an exercise; the one that is being asked, with new figures. None: the poll is over.

        Raises Refused for an exercise that is none, OSError if the record cannot be written.
        """
        if id is not None and (type(id) is not str or id not in catalog(named())):
            raise Refused(404, "there is no such exercise")
        if self.poll and id == self.poll.ex.id:
            self.poll = Poll(self.poll.ex.another(), [*self.poll.rounds, {}])
        else:
            self.polls += [self.poll.record()] if self.poll else []
            figures = secrets.randbelow(10**6), live.POLL
            self.poll = Poll(Instance(catalog(named())[str(id)], *figures)) if id else None
        self.keep()

    def reveal(self) -> None:
        """Show the right answer; answers to these figures no longer count. Raises OSError as `ask` does."""
        if self.poll:
            self.poll.revealed = True
        self.keep()

    def keep(self) -> None:
        """Write the polls to their file, if there is one."""
        if self.record:
            polls = [*self.polls, self.poll.record()] if self.poll else self.polls
            files.write_whole(self.record, json.dumps(polls, indent=1) + "\n")

    def answer(self, key: str, figures: str, answer: str) -> str:
        """Take an answer to the poll from a page; what is to be said of one that cannot be read. Raises Refused.

        An exercise that asks for code is not answered so: nobody's code runs here.
        """
        poll, now = self.poll, self.clock()
        self._spend(self.learners[key], 1, now)
        if (
            not poll
            or poll.ex.key != figures
            or poll.revealed
            or key in poll.rounds[-1]
            or poll.ex.kind.card_field == "none"
        ):
            return ""
        given = poll.ex.judge(printable(answer, live.LONGEST["answer"]))
        if given.outcome not in feedback.COSTLY:
            return given.message
        news = poll.ex.news({"kind": "attempt", **vars(given)}, given.message)
        event = _event({**news, "message": given.message, "n": 1})
        self._take_event(self.learners[key], key, event, now)
        return ""

    # ---------------------------------------------------------------------------------------------------------- showing

    def state(self, here: str = "") -> dict:
        """What the page shows, as JSON can hold it: learners, exercises, mistakes of the last minutes, and the poll.

        here: the address at which the page was opened; on this machine itself, others have another one.
        """
        now = self.clock()
        seen = {id for learner in self.learners.values() for id in learner.places}
        is_near = urlsplit(here).hostname in (None, "127.0.0.1", "localhost", "::1")
        address = self.address if is_near and self.address else here
        learners = [
            {
                "number": learner.number,
                "name": learner.name,
                "waits": self._waits(learner, now),
                "answers": sum(place.answers for place in learner.places.values()),
                "places": {
                    id: [place.state, place.answers] for id, place in learner.places.items()
                },
            }
            for learner in self.learners.values()
        ]
        return {
            "code": self.code,
            "minutes": RECENT // 60,
            "learners": learners,
            "mistakes": self._mistakes(),
            "address": address,
            "qr": segno.make_qr(f"{address}#{self.code}").svg_inline(light="#fff", omitsize=True),
            "poll": html.styled(self.poll.html(len(self.learners))) if self.poll else "",
            "asked": self.poll.ex.id if self.poll else "",
            "exercises": [
                {"id": id, "title": title} for id, title in self.titles.items() if id in seen
            ],
        }

    def _waits(self, learner: Participant, now: float) -> list:
        """How urgent it is, and why, in words; [0, ""] for whoever does not wait."""
        row = learner.places.get(learner.last, Standing()).in_a_row
        last, quiet, up = learner.last, now - learner.at, now - (learner.hand or now)
        is_quiet = quiet >= QUIET and [*learner.told] != [PHONE]  # where one waits to be asked
        reasons = [
            (learner.hand is not None, 3, f"hand up {_ago(up)}" + f", at {last}" * bool(last)),
            (row >= STUCK, 2, f"{row} wrong answers in a row at {last}, {_ago(quiet)}"),
            (is_quiet, 1, f"nothing {_ago(quiet)}" + f", after {last}" * bool(last)),
        ]
        return next(([urgency, why] for holds, urgency, why in reasons if holds), [0, ""])

    def _mistakes(self) -> list[dict]:
        """By exercise and label, those of most learners first; `message` is what the last of them was told."""
        found: dict[tuple[str, str], list[dict]] = {}
        for wrong in self.wrong:
            found.setdefault((wrong["exercise"], wrong["label"]), []).append(wrong)
        rows = [
            {
                "exercise": id,
                "title": self.titles[id],
                "label": label,
                "words": words(label),
                "message": group[-1]["message"],
                "learners": len(group),
            }
            for (id, label), group in found.items()
        ]
        return sorted(rows, key=lambda row: -row["learners"])

    def example(self, exercise: str, label: str) -> dict:
        """The last answer with this mistake, without a name: the question as HTML, and the answer. Raises Refused."""
        found = [one for one in self.wrong if (one["exercise"], one["label"]) == (exercise, label)]
        if not found:
            raise Refused(404, "this mistake is no longer there")
        kept = {name: found[-1][name] for name in ("answer", "message")}
        return {"question": html.to_html(found[-1]["question"]), **kept}


def _ago(seconds: float) -> str:
    return "now" if seconds < 60 else f"for {int(seconds // 60)} min"


def _checked(message: object) -> dict:
    """The message, if it is one. Raises Refused."""
    try:
        return as_message(message)
    except fastjsonschema.JsonSchemaException:
        raise Refused(400, "this is not a learner's message") from None


def _event(event: dict) -> dict:
    """The event, all of it, as printable text that is not too long."""
    cut = {name: printable(event.get(name, ""), live.LONGEST.get(name, 100)) for name in TEXTS}
    return {**cut, "n": event["n"]}


# ---------------------------------------------------------------------------------------------------------- the network


class _Handler(RequestHandler):
    """Nothing is kept by the browser, framed by others, or said to whoever has not the secret."""

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    async def get(self, name: str) -> None:
        if name in LOADED:
            self.set_header("Content-Type", f"{LOADED[name]}; charset=utf-8")
            shared = [files.read("views", "static", file) for file in SHARED.get(name, ())]
            self.finish("".join([*shared, read("static", name or "room.html")]))
            return
        room: Room = self.settings["room"]
        secret = room.code if name in FOR_LEARNERS else room.key
        given = self.request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(given.encode(), secret.encode()):
            raise HTTPError(403)
        if name == "answers":
            ids = room.asked_for(
                self.body()
            )  # whose mistakes take seconds to find, if they are all
            await IOLoop.current().run_in_executor(ASIDE, lambda: [*map(labels, ids)])
        self.finish(REPLIES[name](room, self) or {})

    post = get

    def body(self) -> object:
        try:
            return json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise HTTPError(400) from None

    def write_error(self, status_code: int, **how: Any) -> None:
        error = how["exc_info"][1]
        self.refuse(getattr(error, "log_message", str(error)) or self._reason)

    def refuse(self, why: str) -> None:
        """What is said instead of a reply."""
        self.finish({"refused": why})

    def log_exception(self, *_: object) -> None:
        """Nothing about a learner is written anywhere."""


FOR_LEARNERS = ("answers", "asked")
REPLIES: dict[str, Callable[[Room, _Handler], dict | None]] = {
    "answers": lambda room, asked: room.take(asked.body(), asked.request.remote_ip or ""),
    "asked": lambda room, asked: {"poll": room.poll.ex.key} if room.poll else {},
    "state": lambda room, asked: room.state(asked.get_query_argument("here", "")[:200]),
    "example": lambda room, asked: room.example(
        *map(asked.get_query_argument, ("exercise", "label"))
    ),
    "forget": lambda room, asked: room.forget(asked.body()),
    "exercises": lambda room, asked: {
        id: exercise.title for id, exercise in catalog(named()).items()
    },
    "ask": lambda room, asked: room.ask(asked.body()),
    "reveal": lambda room, asked: room.reveal(),
}


class _Phone(_Handler):
    """The page on which somebody without a notebook answers. It takes forms, and knows whose they are by a cookie.

    Browsers send this cookie from the room's own pages alone, so that no other site can answer for anybody.
    """

    async def get(self, name: str) -> None:
        room: Room = self.settings["room"]
        key, _, who = (self.get_signed_cookie("learner") or b"").decode().partition(" ")
        if name == "join":
            code = "".join(filter(str.isalnum, self.get_body_argument("code", ""))).upper()
            key, who = key or secrets.token_hex(16), self.get_body_argument("name", "").strip()
            if not secrets.compare_digest(code.encode(), room.code.replace("-", "").encode()):
                raise Refused(403, "This is not the code, which is shown beside the address.")
            if not 0 < len(who) <= live.LONGEST_NAME:
                raise Refused(400, f"A name has from 1 to {live.LONGEST_NAME} characters.")
            cookie = f"{key} {who}"
            self.set_signed_cookie("learner", cookie, 1, httponly=True, samesite="Strict")
        message = {"name": who, "key": key, "session": PHONE, "events": []}
        if name == "join" or (key and not room.left.get(key)):
            address = self.request.remote_ip or ""
            room.take({**message, "still": name != "join"}, address)  # also a room opened again
        if key not in room.learners:
            raise Refused(403, "You are not in the room.")
        if self.get_body_argument("leave", ""):
            room.take({**message, "events": [{"kind": "leave", "n": 1}]})
            raise Refused(410, "You have left, and the room has forgotten you.")
        given = (self.get_body_argument(each, "") for each in ("figures", "answer"))
        note = room.answer(key, *given) if self.request.method == "POST" else ""
        form = room.poll.form(key, note) if room.poll else ""
        mark = f"{room.poll.ex.key} {room.poll.revealed}" if room.poll else ""  # is there news?
        self.render("phone.html", mark=mark, name=room.learners[key].name, form=form, refused="")

    post = get

    def refuse(self, why: str) -> None:
        self.render("phone.html", mark="-", name="", form="", refused=why)


class _Server(httpserver.HTTPServer):
    """One that turns away whoever comes when the system has hardly a file left, and says so once.

    One address has at most half of the connections, so that nobody alone keeps all others out.
    """

    most, full = 1_000, "Too many connections: further ones are turned away until some end.\n"

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        contexts: list[Any] = [each.context for each in self._connections]
        from_there = sum(each.address[0] == address[0] for each in contexts)
        if len(contexts) < self.most and from_there <= self.most // 2:
            super().handle_stream(stream, address)
        else:
            stream.close()
            sys.stderr.write(self.full)
            self.full = ""


@asynccontextmanager
async def serving(room: Room, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[int]:
    """The room on the network, for as long as this lasts; yields the port. Raises OSError if it cannot be had."""
    routes: list = [(rf"/({'|'.join([*LOADED, *REPLIES])})", _Handler), (r"/(join|answer)", _Phone)]
    settings: dict[str, Any] = {
        "room": room,
        "cookie_secret": room.key,
        "template_loader": TEMPLATES,
        "log_function": lambda handler: None,
    }
    server = _Server(
        Application(routes, **settings),
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

    key, record: see `Room`; polls of a record that is there already stay in it.
    Raises OSError if the port cannot be had, ValueError for a record that is none.
    """
    room = Room(
        key=key, record=record, polls=read_polls(record) if record and record.exists() else ()
    )

    async def open_room() -> None:
        async with serving(room, host, port) as taken:
            anywhere = host in ("0.0.0.0", "::")
            inside, outside = ("127.0.0.1", own_address()) if anywhere else (host, host)
            page = f"http://{inside}:{taken}/#teacher={room.key}"
            room.address = f"http://{outside}:{taken}/"
            ready(page, f"{room.address}#{room.code}")
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
