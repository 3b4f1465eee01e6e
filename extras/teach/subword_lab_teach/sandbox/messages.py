"""What processes tell each other: frozen dataclasses, each a line of JSON.

Nothing is taken on trust: a line that is forged, cut off or of a kind that nobody expects is None. The fields of a
message are lists, other messages, and whatever `values` can carry; each is what its annotation says, at both ends.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from subword_lab.running.values import decode, encode

Message = TypeVar("Message")


def to_json(message: object) -> str:
    """The message as a line of JSON; Unusable for a value in it that cannot travel, TypeError for one of another type.

    >>> from subword_lab.running import Result
    >>> to_json(Result("value", {"u"}))
    '{"is": "Result", "outcome": "value", "value": {"set": ["u"]}}'
    """
    return json.dumps({"is": type(message).__name__, **_written(message, type(message))})


def from_json(line: str | bytes, *kinds: type[Message]) -> Message | None:
    """The message of one of these kinds that stands in a line; None for any other line.

    >>> from subword_lab.running import Result
    >>> from_json(to_json(Result("value", {"u"})), Stage, Result).value
    {'u'}
    >>> for line in ('{"is": "Resu', '{"is": "Result", "outcome": ["value"]}', '{"is": "Stage", "name": "won"}'):
    ...     from_json(line, Stage, Result)
    """
    try:
        fields = json.loads(line)
        return _read(fields, {kind.__name__: kind for kind in kinds}[fields.pop("is")])
    except Exception:
        return None


hints_of = cache(get_type_hints)  # of a message's fields; cached, because it takes long


def _written(value: Any, hint: Any) -> Any:
    if hasattr(hint, "__dataclass_fields__"):
        return {
            name: _written(member, hints_of(hint)[name])
            for name, member in vars(value).items()
            if member is not getattr(hint, name, ())
        }  # a default goes without saying
    if get_origin(hint) is list:
        return [_written(member, *get_args(hint)) for member in value]
    return encode(_checked(value, hint))


def _read(value: Any, hint: Any) -> Any:
    if hasattr(hint, "__dataclass_fields__"):
        return hint(**{name: _read(member, hints_of(hint)[name]) for name, member in value.items()})
    if get_origin(hint) is list:
        return [_read(member, *get_args(hint)) for member in list.__iter__(value)]
    return _checked(decode(value), hint)


def _checked(value: Any, hint: Any) -> Any:
    if hint is float and type(value) is int:
        return float(value)
    fits = value in get_args(hint) if get_origin(hint) is Literal else isinstance(value, hint)
    if not fits or (type(value) is bool and hint not in (bool, object)):
        raise TypeError(f"a message holds {type(value).__name__}; expected {hint}")
    return value


@dataclass(frozen=True)
class Stage:
    """Where a process is that runs a learner's code: that begins, or is at its end."""

    name: Literal["ready", "done"]


READY, DONE = Stage("ready"), Stage("done")
