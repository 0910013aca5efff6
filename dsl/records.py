"""Plain records: nodes of trees, what the checker notes of them, types.

There are some three hundred kinds, and making the methods of a usual dataclass takes longer than
checking a game. So most have an `__init__` and nothing else, and are told apart by identity; and
even that is no compiled text: all that have so many parts share the code, with their own names put
in. `fields` and `replace` of `dataclasses` work with them. That a `record` or a `value` is never
changed is seen to by the type checker alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform

C = TypeVar("C", bound=type)


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def record(cls: C) -> C:
    """Makes a class a record that is never changed: its annotations are its parts, in order."""
    return cast(C, _made(cls))


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mutable(cls: C) -> C:
    """The same for a record that is filled in and changed."""
    return cast(C, _made(cls))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: C) -> C:
    """The same for a record that is its parts: those with equal parts are equal."""
    made = _made(cls)
    names = [part.name for part in fields(made)]
    parts = attrgetter(*names) if names else lambda _: ()

    def equal(self: object, other: object) -> bool:
        return parts(self) == parts(other) if type(other) is type(self) else NotImplemented

    made.__eq__ = equal
    made.__hash__ = lambda self: hash(parts(self))
    made.__repr__ = lambda self: (
        f"{made.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"
    )
    return cast(C, made)


Getter = Callable[[object], Sequence[object]]


def getter(names: Sequence[str]) -> Getter:
    """A function that gives the parts of a record with these names."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return lambda node: (get(node),)


def _made(cls: Any) -> Any:
    if hasattr(cls, "__post_init__") or any(map(_is_made_anew, _defaults(cls))):
        return dataclass(slots=True, eq=False, repr=False)(cls)
    made = dataclass(slots=True, eq=False, repr=False, init=False)(cls)
    made.__init__ = _init(made.__qualname__, fields(made))
    return made


def _defaults(cls: type) -> list[object]:
    """The values in its body, and the parts of the records that it is made from."""
    inherited = [each for base in cls.__mro__[1:] for each in _parts(base)]
    return [*vars(cls).values(), *inherited]


def _parts(cls: type) -> Sequence[Field[Any]]:
    return fields(cls) if hasattr(cls, "__dataclass_fields__") else ()


def _is_made_anew(value: object) -> bool:
    return isinstance(value, Field) and value.default_factory is not MISSING


def _init(owner: str, parts: Sequence[Field[Any]]) -> FunctionType:
    """The method that sets the parts of a new record."""
    names = tuple(part.name for part in parts)
    code = _code(len(names)).replace(
        co_varnames=("self", *names), co_names=names, co_qualname=f"{owner}.__init__"
    )
    defaults = tuple(part.default for part in parts if part.default is not MISSING)
    return FunctionType(code, {}, "__init__", defaults or None)


@cache
def _code(count: int) -> CodeType:
    """The code of an `__init__` that sets so many parts, under names that don't matter."""
    names = [f"part_{number}" for number in range(count)]
    lines = [f" self.{name} = {name}" for name in names] or [" pass"]
    space: dict[str, Any] = {}
    exec("\n".join([f"def __init__({', '.join(['self', *names])}):", *lines]), space)
    code: CodeType = space["__init__"].__code__
    return code
