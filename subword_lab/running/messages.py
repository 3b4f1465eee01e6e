"""What the processes of this room tell each other: frozen dataclasses, each a line of JSON.

Nothing is taken on trust: a line that is forged, cut off or of a kind that nobody expects is None. The fields of a
message are lists, other messages, and whatever `values` can carry; each is what its annotation says, at both ends.
"""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from .values import decode, encode

Message = TypeVar("Message")
_hints = cache(get_type_hints)


def to_json(message: object) -> str:
    """The message as a line of JSON; Unusable for a value in it that cannot travel, TypeError for one of another type.

    >>> to_json(Result("value", {"u"}))[:60]
    '{"is": "Result", "outcome": "value", "value": {"set": ["u"]}'
    """
    return json.dumps({"is": type(message).__name__, **_written(type(message), message)})


def from_json(line: str | bytes, *kinds: type[Message]) -> Message | None:
    """The message of one of these kinds that stands in a line; None for any other line.

    >>> from_json(to_json(Result("value", {"u"})), Ready, Result).value
    {'u'}
    >>> for line in ('{"is": "Resu', '{"is": "Result", "outcome": ["value"]}', '{"is": "Ready", "score": 1}'):
    ...     from_json(line, Ready, Result)
    """
    try:
        told = json.loads(line)
        return _read({kind.__name__: kind for kind in kinds}[told.pop("is")], told)
    except Exception:
        return None


def _written(hint: Any, value: Any) -> Any:
    if is_dataclass(hint):
        return {name: _written(inner, getattr(value, name)) for name, inner in _hints(hint).items()}
    if get_origin(hint) is list:
        return [_written(get_args(hint)[0], member) for member in value]
    return encode(_checked(hint, value))


def _read(hint: Any, value: Any) -> Any:
    if is_dataclass(hint):
        return hint(**{name: _read(_hints(hint)[name], member) for name, member in value.items()})
    if get_origin(hint) is list:
        return [_read(get_args(hint)[0], member) for member in list.__iter__(value)]
    return _checked(hint, decode(value))


def _checked(hint: Any, value: Any) -> Any:
    if hint is float and type(value) is int:
        return float(value)
    fits = value in get_args(hint) if get_origin(hint) is Literal else isinstance(value, hint)
    if not fits or type(value) is bool and hint not in (bool, object):
        raise TypeError(f"a message holds {type(value).__name__}; expected {hint}")
    return value


def sender(channel: int) -> Callable[[str], None]:
    """What writes lines to a channel, whatever is patched in this process afterwards."""
    write, leave, number, me = os.write, os._exit, os.getpid, os.getpid()

    def send(line: str) -> None:
        if number() != me:                      # a copy of this process, which the learner's code has made
            leave(0)
        data = f"{line}\n".encode("ascii")
        while data:
            data = data[write(channel, data):]

    return send


# ---------------------------------------------------------------------------------------------------------- one function

@dataclass(frozen=True)
class Limits:
    """What one run may use. The time starts when the process is ready; `steps` is for runs in this process only."""
    seconds: float = 5.0
    memory: int = 512 * 2**20                   # bytes of address space
    output: int = 5_000_000                     # bytes printed, and bytes of values returned
    printed: int = 2_000                        # characters of what was printed that are kept to be shown
    file_size: int = 10_000_000                 # bytes
    open_files: int = 64                        # at once; also how many may be opened for writing in all
    steps: int = 1_000_000                      # lines of Python


Outcome = Literal["value", "unusable", "error", "memory", "exit", "timeout", "output", "protocol", "not run"]


@dataclass(frozen=True)
class Result:
    """What came of one case.

    outcome: "value" (see `value`; None if nothing was returned), "unusable" (what was returned is no plain value),
    "error", "memory" or "exit" (an exception: `error` is its type, `message` its text), "timeout", "output",
    "protocol", or "not run", because the run had ended before. `line` counts in the cell or file of the function, and
    `code` is what stands there.
    """
    outcome: Outcome
    value: object = None
    error: str = ""
    message: str = ""
    line: int | None = None
    code: str = ""
    mutated: bool = False                       # the function changed its arguments


@dataclass(frozen=True)
class Task:
    """What the process is to do: call the function, which is pickled, on cases in JSON. file: see `answer`."""
    folder: str
    package: str
    path: list[str]
    allow: list[str]
    limits: Limits
    file: str | None
    cases: list[str]
    function: bytes


@dataclass(frozen=True)
class Ready:
    """The learner's code begins."""


@dataclass(frozen=True)
class Done:
    """It is at its end."""
