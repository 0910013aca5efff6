"""Expressions of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsl.core.types import Type
from dsl.records import record
from dsl.source import Span

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@record
class ExprBase:
    """An expression with its type."""

    type: Type
    span: Span


@record
class Const(ExprBase):
    """A number, flag, identity, choice or none as its number."""

    value: int


@record
class Local(ExprBase):
    name: str


@record
class Field(ExprBase):
    """A field of an entity: data, state, or how many a purse holds. `column` names a `Column`."""

    column: str
    subject: Expr


@record
class Lookup(ExprBase):
    """`table[key]`; `table` has a MapType (a `Field`, or the answers of a gather as a `Local`)."""

    table: Expr
    key: Expr


@record
class ZoneItems(ExprBase):
    """What lies in a zone of a holder: a SetType, or a SeqType (first is on top) where the zone is
    ordered.
    """

    zone: str
    holder: Expr


@record
class HolderOf(ExprBase):
    """The holder in whose `zone` the thing lies, or none (the `as` name of a zone)."""

    zone: str
    thing: Expr


@record
class CallDefine(ExprBase):
    """A derived value; the variant for the subject's kind is chosen by `Define.variants`."""

    define: str
    args: tuple[Expr, ...]


@record
class Usual(ExprBase):
    """Inside a but-line: the value without this line."""


ArithOp = Literal["+", "-", "*", "/", "min", "max"]


@record
class Arith(ExprBase):
    """`/` rounds down."""

    op: ArithOp
    left: Expr
    right: Expr


@record
class MulDiv(ExprBase):
    """`value * times / by`, rounded down, up or to the nearest, to a multiple of `unit`."""

    value: Expr
    times: Expr
    by: Expr
    rounding: Literal["down", "up", "near"]
    unit: int


@record
class Compare(ExprBase):
    """On numbers, identities, choices and sets (`is`, `is not` only)."""

    op: Literal["is", "is not", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@record
class Logic(ExprBase):
    """Short-circuit `and`, `or`."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@record
class Not(ExprBase):
    operand: Expr


@record
class Conditional(ExprBase):
    condition: Expr
    then_value: Expr
    else_value: Expr


@record
class IsKind(ExprBase):
    """Whether an identity (possibly none) is of a kind."""

    subject: Expr
    kind: str


@record
class AllOf(ExprBase):
    """All entities of a kind; of a pool kind, those in use. A SetType."""

    kind: str


@record
class SetOf(ExprBase):
    """A set written out; none items are left out."""

    items: tuple[Expr, ...]


@record
class SeqOf(ExprBase):
    """A row written out."""

    items: tuple[Expr, ...]


@record
class SetOp(ExprBase):
    """Union, difference, intersection of sets."""

    op: Literal["+", "-", "&"]
    left: Expr
    right: Expr


@record
class Contains(ExprBase):
    """`item in collection` (set, row, zone, range)."""

    item: Expr
    collection: Expr


@record
class RangeOf(ExprBase):
    """`low..high step n`, as a collection of numbers (SeqType)."""

    low: Expr
    high: Expr
    step: Expr


@record
class Generator:
    """One `each variable in source where condition`."""

    variable: str
    variable_type: Type
    source: Expr
    where: Expr | None


FoldKind = Literal["count", "sum", "min", "max", "any", "all", "first", "set", "row", "distinct"]


@record
class Fold(ExprBase):
    """A query and what is made of it.

    `count` how many; `sum`, `min`, `max` of `value` (min and max of nothing give `default`, or a
    fault); `any`, `all` of the flag `value`; `first` the first item, by the least `key` where there
    is one (none if there is none: the type is optional); `set` the items as a set; `row` the values
    in order, by `key`; `distinct` how many different values.
    """

    kind: FoldKind
    generators: tuple[Generator, ...]
    value: Expr
    key: Expr | None
    default: Expr | None


BuiltinName = Literal[
    "cycle",  # cycle(collection, item, n): the item n places on, around the end
    "rotated",  # rotated(collection, item): all in order from item on, or from the next one there
    "reversed",
    "path",  # path(collection, a, b): what is passed going forward from a to b, b included
    "next_of",  # next_of(collection, item): the first one of a set after item, going around
    "position",  # position(collection, item), from 0
    "top",  # top(n, row): the first n as a row
    "subsets",  # subsets(set, n): search only
    "abs",
    "power",
    "known",  # known(field, seat): whether a seat knows a field of an entity
    "says",  # before play: says(thing, number): whether what is printed on it shows the number
    "named_alike",  # before play: named_alike(thing, thing)
    "was",  # in scenarios: the value before the last `when`
]


@record
class Builtin(ExprBase):
    name: BuiltinName
    args: tuple[Expr, ...]


@record
class TextOf(ExprBase):
    """A text for people: its message key, and parts that are literal or values to show."""

    key: str
    parts: tuple[str | Expr, ...]


@record
class Together(ExprBase):
    """Several values in one hole of a text: those that are something, with an `and`."""

    items: tuple[Expr, ...]


@record
class PrintedOn(ExprBase):
    """What is printed on a thing, in the hole of a text: its name, where nothing is."""

    thing: Expr


Expr = (
    Const
    | Local
    | Field
    | Lookup
    | ZoneItems
    | HolderOf
    | CallDefine
    | Usual
    | Arith
    | MulDiv
    | Compare
    | Logic
    | Not
    | Conditional
    | IsKind
    | AllOf
    | SetOf
    | SeqOf
    | SetOp
    | Contains
    | RangeOf
    | Fold
    | Builtin
    | TextOf
    | Together
    | PrintedOn
)
"""All expressions there are. What goes by their class names each of them, so that the type checker
tells where a new one must be placed."""


def is_expr(value: object) -> TypeIs[Expr]:
    """Whether something is an expression of whatever class."""
    return isinstance(value, ExprBase)
