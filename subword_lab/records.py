"""Frozen dataclasses that are made when they are first used.

Importing `dataclasses` takes longer than everything else that an algorithm imports, because it brings `inspect` along.
So that importing an algorithm costs no more than importing a library that is compiled, its classes become dataclasses
at the first look at one of them or the first object. For type checkers, `record` is `dataclass`.

    @record(kw_only=True)                       # @dataclass(frozen=True, kw_only=True)
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import field
else:

    def record(cls: type | None = None, **how: object) -> object:
        """A class that becomes a frozen dataclass, to which `how` is passed on.

        >>> @record
        ... class Pair:
        ...     left: str
        ...     right: str = field(default="", repr=False)
        >>> Pair("h", "u"), Pair("h", "u") == Pair("h", right="u")
        (Pair(left='h'), True)
        """
        if cls is None:
            return lambda cls: record(cls, **how)
        for name in ("__init__", "__dataclass_fields__", "__signature__", "__setstate__"):
            setattr(cls, name, _Late(cls, name, how))
        return cls

    class field:
        """What `dataclasses.field` is given."""

        def __init__(self, **how: object):
            self.how = how


_one_at_a_time = RLock()


class _Late:
    """An attribute of a class that is no dataclass yet: whoever asks for it makes the class one."""

    def __init__(self, cls: type, name: str, how: dict):
        self.cls, self.name, self.how = cls, name, how

    def __get__(self, instance: object, owner: type) -> object:
        with _one_at_a_time:
            if vars(self.cls).get(self.name) is self:
                self._make()
        return getattr(owner if instance is None else instance, self.name)

    def _make(self) -> None:
        import dataclasses

        for name, value in list(vars(self.cls).items()):
            if isinstance(value, _Late):
                delattr(self.cls, name)
            elif isinstance(value, field):  # type: ignore[arg-type]
                setattr(self.cls, name, dataclasses.field(**value.how))
        dataclasses.dataclass(frozen=True, **self.how)(self.cls)
