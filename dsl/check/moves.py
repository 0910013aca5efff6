"""`move`: units between purses, things into zones."""

from __future__ import annotations

from dsl.check import fit, keys, members, narrowing
from dsl.check.context import Context
from dsl.check.world import ColumnInfo, DefineInfo, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, SetType
from dsl.diagnostics import suggest
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

_UNIT_FORM = "move 300 from player to bank"
_THING_FORM = "move card to player.hand"


def check_move(ctx: Context, stmt: syntax.Command) -> core.Block:
    """`move AMOUNT [UNIT] from A to B`, `move THINGS to ZONE`, `move THINGS under ZONE`."""
    given = {prep.preposition: prep.value for prep in stmt.preps}
    if stmt.object is None or len(given) != len(stmt.preps):
        return _wrong(ctx, stmt)
    if set(given) == {"from", "to"}:
        return _units(ctx, stmt, given["from"], given["to"])
    if stmt.extras:
        return _wrong(ctx, stmt)
    if set(given) == {"to"} or set(given) == {"under"}:
        under = "under" in given
        return _things(ctx, stmt, given["under" if under else "to"], under)
    return _wrong(ctx, stmt)


def _wrong(ctx: Context, stmt: syntax.Command) -> core.Block:
    ctx.error(
        "RW0506",
        stmt.span,
        "this is no way to move something",
        help=f"write `{_UNIT_FORM}` or `{_THING_FORM}`",
    )
    return ()


# ---------------------------------------------------------------- things


def _things(ctx: Context, stmt: syntax.Command, target: syntax.Expr, under: bool) -> core.Block:
    assert stmt.object is not None
    things = ctx.infer(stmt.object)
    if isinstance(things.type, IntType) or _is_word(stmt.object, "all"):
        ctx.error(
            "RW0506",
            stmt.span,
            "an amount is moved from somewhere to somewhere",
            help=f"write `{_UNIT_FORM}`",
        )
        return ()
    found = zone_path(ctx, target)
    if found is None or fit.is_poison(things.type):
        return ()
    zone, holder = found
    things = _fitting(ctx, things, zone)
    if under and not zone.ordered:
        ctx.error(
            "RW0607",
            target.span,
            f"`{zone.field}` has no order, so nothing lies at its bottom",
            also=[(zone.span, "declared here")],
            help="declare it `ordered`, or write `to`",
        )
    return (core.MoveThings(stmt.span, things, zone.name, holder, under),)


def _fitting(ctx: Context, things: core.Expr, zone: ZoneInfo) -> core.Expr:
    element = fit.element_of(things.type)
    if element is not None and not isinstance(element, RefType):
        return ctx.error(
            "RW0601", things.span, f"things are moved here, not {fit.describe(things.type)}"
        )
    wanted = RefType(zone.holds)
    if element is None:
        return ctx.coerce(things, wanted)
    if fit.is_optional(element) or not ctx.fits(element, wanted):
        return ctx.coerce(things, SetType(zone.holds))
    return things


def _is_word(node: syntax.Expr, word: str) -> bool:
    return isinstance(node, syntax.NameExpr) and node.name == word


def zone_path(ctx: Context, node: syntax.Expr) -> tuple[ZoneInfo, core.Expr] | None:
    """The zone that a path names, and its holder; None after an error."""
    if not isinstance(node, syntax.Dot):
        expr = ctx.infer(node)
        if isinstance(expr.type, RefType):
            zones = _zones_of(ctx, expr.type.kind)
            more = " or ".join(f"`{node.span.text}.{name}`" for name in zones)
            ctx.error(
                "RW0607",
                node.span,
                "where exactly? A zone belongs here",
                help=f"write {more}" if zones else None,
            )
        elif not fit.is_poison(expr.type):
            ctx.error("RW0607", node.span, f"a zone belongs here, not {fit.describe(expr.type)}")
        return None
    holder = ctx.entity(node.subject)
    if not isinstance(holder.type, RefType):
        return None
    kind = holder.type.kind
    member = ctx.world.member(kind, node.name.text)
    if isinstance(member, ZoneInfo):
        return member, holder
    if member is None and ctx.world.define(kind, node.name.text) is None:
        members.read_member(ctx, holder, kind, node)
        return None
    zones = _zones_of(ctx, kind)
    near = suggest(node.name.text, zones)
    ctx.error(
        "RW0607",
        node.name.span,
        f"`{node.name.text}` holds no things",
        help=f"did you mean `{near}`?"
        if near
        else "zones here are " + ", ".join(zones)
        if zones
        else None,
    )
    return None


def _zones_of(ctx: Context, kind: str) -> list[str]:
    return [
        name
        for step in ctx.world.chain(kind)
        for name, member in ctx.world.members.get(step, {}).items()
        if isinstance(member, ZoneInfo)
    ]


# ---------------------------------------------------------------- units


@record
class _Purse:
    column: ColumnInfo
    subject: core.Expr
    span: Span

    @property
    def unit(self) -> str:
        """What it holds."""
        assert isinstance(self.column.type, IntType)
        return self.column.type.unit or ""

    def content(self) -> core.Expr:
        """How much is in it."""
        return core.Field(self.column.type, self.span, self.column.name, self.subject)


def _units(
    ctx: Context, stmt: syntax.Command, source: syntax.Expr, target: syntax.Expr
) -> core.Block:
    assert stmt.object is not None
    unit = _written_unit(ctx, stmt)
    is_all = _is_word(stmt.object, "all") and "all" not in ctx.scope.names
    amount = None if is_all else ctx.number(stmt.object)
    if unit is None and amount is not None and isinstance(amount.type, IntType):
        unit = amount.type.unit
    explicit = _explicit_unit(ctx, source) or _explicit_unit(ctx, target)
    unit = unit or explicit or fit.MONEY
    giver, taker = _purse(ctx, source, unit), _purse(ctx, target, unit)
    if giver is None or taker is None:
        return ()
    if amount is None:
        amount = giver.content()
    elif isinstance(amount.type, IntType):
        amount = ctx.coerce(amount, IntType(0, fit.MOST, unit))
    guarded = is_all or is_guarded(ctx, giver.column, giver.subject, amount)
    is_quiet = ctx.place.is_library or ctx.place.form in ("saying", "scenario")
    if not (guarded or is_quiet or fit.is_poison(amount.type)):
        _warn(ctx, stmt, amount, giver)
    return (
        core.MoveUnits(
            stmt.span,
            amount,
            giver.column.name,
            giver.subject,
            taker.column.name,
            taker.subject,
            guarded,
        ),
    )


def _warn(ctx: Context, stmt: syntax.Command, amount: core.Expr, giver: _Purse) -> None:
    what, where = amount.span.text, giver.span.text
    ctx.bag.warning(
        "RW0710",
        stmt.span,
        f"is there so much? `{where}` may hold less than {what}",
        help=f"ask first, `if {where}.{giver.column.field} >= {what}`, or move `min(..)` of it",
    )


def _written_unit(ctx: Context, stmt: syntax.Command) -> str | None:
    if not stmt.extras:
        return None
    extra = stmt.extras[0]
    if isinstance(extra, syntax.NameExpr):
        if extra.name == fit.MONEY or extra.name in ctx.world.units:
            return extra.name
        singular = _singular(ctx, extra.name)
        if singular is not None:
            return singular
        near = suggest(extra.name, [fit.MONEY, *ctx.world.units])
        ctx.error(
            "RW0501",
            extra.span,
            f"there is no unit `{extra.name}`",
            help=f"did you mean `{near}`?" if near else None,
        )
    else:
        ctx.error("RW0506", extra.span, f"a unit belongs here: `{_UNIT_FORM}`")
    return None


def _singular(ctx: Context, word: str) -> str | None:
    """The unit of which a word is the plural."""
    for name, decl in ctx.world.units.items():
        if decl is not None and decl.plural is not None and decl.plural.text == word:
            return name
    return None


def _explicit_unit(ctx: Context, node: syntax.Expr) -> str | None:
    if not isinstance(node, syntax.Dot):
        return None
    for kind in ctx.world.holders_of(node.name.text):
        member = ctx.world.member(kind, node.name.text)
        if isinstance(member, ColumnInfo) and member.role == "purse":
            assert isinstance(member.type, IntType)
            return member.type.unit
    return None


def purse_path(ctx: Context, node: syntax.Expr) -> core.Expr | None:
    """The purse that a path names, as a field; None, without an error, where it names none."""
    if not isinstance(node, syntax.Dot):
        return None
    kinds = ctx.world.holders_of(node.name.text)
    found = [ctx.world.member(kind, node.name.text) for kind in kinds]
    if not any(isinstance(m, ColumnInfo) and m.role == "purse" for m in found):
        return None
    subject = ctx.entity(node.subject)
    if not isinstance(subject.type, RefType):
        return subject
    column = purse_named(ctx, subject.type.kind, node.name.text)
    if column is None:
        return ctx.error("RW0607", node.span, f"`{node.name.text}` is no purse here")
    return core.Field(column.type, node.span, column.name, subject)


def _purse(ctx: Context, node: syntax.Expr, unit: str) -> _Purse | None:
    if isinstance(node, syntax.Dot):
        named = _named_purse(ctx, node, unit)
        if named is not None:
            return named
    subject = ctx.infer(node)
    if fit.is_poison(subject.type):
        return None
    if isinstance(subject, core.CallDefine) and fit.unit(subject.type) == unit:
        _report_define(ctx, ctx.world.defines[subject.define], node.span)
        return None
    if not isinstance(subject.type, RefType):
        ctx.error(
            "RW0607",
            node.span,
            f"a holder of {unit} belongs here, not {fit.describe(subject.type)}",
        )
        return None
    subject = ctx.present(subject)
    if not isinstance(subject.type, RefType):
        return None
    return _default_purse(ctx, subject, subject.type.kind, unit, node.span)


def _named_purse(ctx: Context, node: syntax.Dot, unit: str) -> _Purse | None:
    """The purse that a path names itself, or None where the path leads to a holder."""
    kinds = ctx.world.holders_of(node.name.text)
    columns = [ctx.world.member(kind, node.name.text) for kind in kinds]
    if not any(isinstance(c, ColumnInfo) and c.role == "purse" for c in columns):
        return None
    subject = ctx.entity(node.subject)
    if not isinstance(subject.type, RefType):
        return None
    column = purse_named(ctx, subject.type.kind, node.name.text)
    if column is None:
        return None
    purse = _Purse(column, subject, node.subject.span)
    if purse.unit != unit:
        ctx.error("RW0603", node.span, f"`{node.name.text}` holds {purse.unit}, not {unit}")
        return None
    return purse


def purse_named(ctx: Context, kind: str, name: str) -> ColumnInfo | None:
    """The purse of this name that every entity of the kind has."""
    for column in ctx.world.columns.values():
        if column.role == "purse" and column.field == name and ctx.world.has(kind, column):
            return column
    return None


def _default_purse(
    ctx: Context, subject: core.Expr, kind: str, unit: str, span: Span
) -> _Purse | None:
    column = default_purse(ctx, kind, unit)
    worked_out = _in_its_place(ctx, kind, column, unit)
    if worked_out is not None:
        _report_define(ctx, worked_out, span)
        return None
    if column is not None:
        return _Purse(column, subject, span)
    lacking = _lacking(ctx, kind, unit)
    holder = fit.a(lacking or kind)
    ctx.error(
        "RW0607",
        ctx.world.kinds[lacking].span if lacking else span,
        f"{holder} holds no {unit}"
        + (f", and {unit} is moved to or from every {kind}" if lacking else ""),
        also=[(span, "here")] if lacking else [],
        help=f"give it a purse: `add to {lacking or kind}` and `name: holds {unit}`",
    )
    return None


def _report_define(ctx: Context, info: DefineInfo, span: Span) -> None:
    ctx.error(
        "RW0608",
        span,
        f"`{info.word}` is worked out by a `define` here; nothing can be moved to or from it",
        also=[(info.span, "defined here")],
        help="move what it is worked out from",
    )


def _in_its_place(
    ctx: Context, kind: str, column: ColumnInfo | None, unit: str
) -> DefineInfo | None:
    """The define that has taken the place of the purse that would be meant."""
    world = ctx.world
    words = [column.field] if column is not None else [
        other.field
        for other in world.columns.values()
        if other.role == "purse" and fit.unit(other.type) == unit
        and world.kinds[other.kind].family == world.kinds[kind].family
    ]  # fmt: skip
    for word in words:
        info = world.define(kind, word)
        if info is not None and any(
            v.decl is not None and v.kind is not None and world.are_related(v.kind, kind)
            for v in info.variants
        ):
            return info
    return None


def _lacking(ctx: Context, kind: str, unit: str) -> str | None:
    """A kind below this one that has no purse for the unit, where others have one."""
    below = [k for k in ctx.world.kinds if k != kind and ctx.world.is_a(k, kind)]
    have = [k for k in below if default_purse(ctx, k, unit) is not None]
    return next((k for k in below if k not in have), None) if have else None


def default_purse(ctx: Context, kind: str, unit: str) -> ColumnInfo | None:
    """The first purse for a unit, of the narrowest kind that has one."""
    for step in ctx.world.chain(kind):
        for member in ctx.world.members.get(step, {}).values():
            if isinstance(member, ColumnInfo) and member.role == "purse":
                assert isinstance(member.type, IntType)
                if member.type.unit == unit:
                    return member
    for column in ctx.world.columns.values():
        if column.role == "purse" and ctx.world.has(kind, column):
            assert isinstance(column.type, IntType)
            if column.type.unit == unit:
                return column
    return None


def is_guarded(ctx: Context, column: ColumnInfo, subject: core.Expr, amount: core.Expr) -> bool:
    """Whether it is certain that the purse holds the amount."""
    if _is_endless(ctx, column, subject):
        return True
    purse = core.Field(column.type, subject.span, column.name, subject)
    key = keys.key_of(purse)
    if keys.key_of(amount) == key or (isinstance(amount, core.Const) and amount.value == 0):
        return True
    if isinstance(amount, core.Arith) and amount.op == "min":
        sides = (amount.left, amount.right)
        return any(is_guarded(ctx, column, subject, side) for side in sides)
    if narrowing.guard_key(purse, amount) in ctx.scope.facts:
        return True
    return any(
        all(is_guarded(_given(ctx, case), column, subject, amount) for case in fact.cases)
        for fact in ctx.scope.facts.values()
        if fact.cases
    )


def _given(ctx: Context, facts: narrowing.Facts) -> Context:
    """The same place, knowing more; facts with cases of their own are left out."""
    scope = ctx.scope.child()
    scope.facts = {key: fact for key, fact in scope.facts.items() if not fact.cases} | facts
    return ctx.at(scope)


def _is_endless(ctx: Context, column: ColumnInfo, subject: core.Expr) -> bool:
    """Whether the purse never runs out, whoever of those it can be has it."""
    endless, rest = _holders(ctx, column, subject)
    return bool(endless) and not rest


def may_be_endless(ctx: Context, column: ColumnInfo, subject: core.Expr) -> bool:
    """Whether the purse may be one that is not counted."""
    return bool(_holders(ctx, column, subject)[0])


def _holders(ctx: Context, column: ColumnInfo, subject: core.Expr) -> tuple[set[int], set[int]]:
    """Those who can have the purse: for whom it is endless, and the rest."""
    assert isinstance(subject.type, RefType)
    world, kind = ctx.world, subject.type.kind
    found = set(world.kinds[kind].members)
    endless: set[int] = set()
    for other in world.kinds.values():
        if _is_excluded(ctx, subject, other.name):
            found -= set(other.members)
        if other.name in column.endless:
            endless |= set(other.members)
    return found & endless, found - endless


def _is_excluded(ctx: Context, subject: core.Expr, kind: str) -> bool:
    return narrowing.not_kind_key(subject, kind) in ctx.scope.facts
