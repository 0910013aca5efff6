"""What must always hold: what is known before play is tested here, the rest in play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dsl.check import fit, queries, texts
from dsl.check.context import Context, Place
from dsl.check.evaluate import Env, Evaluator, Faulty, NotConstant, Value
from dsl.check.merged import RankedDecl, Row
from dsl.check.reuse import Reuse
from dsl.check.rows import rows_by_entity
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, RefType, Type
from dsl.core.walking import walk
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

_MOST_PLACES = 3

Rows = dict[tuple[str, int], Row]


@record
class _Line:
    """An `always` line: for each binding of the generators the condition must hold."""

    decl: syntax.Always
    generators: tuple[core.Generator, ...]
    condition: core.Expr
    reason: core.TextOf | None


def check_always(ctx: Context, reuse: Reuse) -> tuple[core.AlwaysCheck, ...]:
    """The lines that are left to be tested in play.

    Those that can be told from data, switches and the number of players are tested now (RW0450),
    unless something else is wrong that may be the cause.
    """
    found = [
        reuse.made(f"always {ranked.decl.name.text}", partial(_checked, ctx, ranked, ranked.decl))
        for ranked in ctx.world.merged.declarations
        if isinstance(ranked.decl, syntax.Always)
    ]
    return tuple(check for check in found if check is not None)


def _checked(ctx: Context, ranked: RankedDecl, decl: syntax.Always) -> core.AlwaysCheck | None:
    line = _line(ctx, ranked, decl)
    if ctx.bag.has_errors:
        return None
    try:
        broken = _broken(ctx, line)
    except NotConstant:
        _refuse_what_is_read_before_play(ctx, line)
        return _in_play(line)
    if broken:
        _report(ctx, line, broken, rows_by_entity(ctx))
    return None


def _line(ctx: Context, ranked: RankedDecl, decl: syntax.Always) -> _Line:
    name = decl.name.text
    place = Place(name, f"always.{name}", ranked.layer, "always")
    inner, generators = queries.clauses(ctx.placed(place), decl.clauses)
    condition = inner.flag(decl.condition)
    key = f"{place.key}.reason"
    reason = None if decl.reason is None else texts.text_of(inner, decl.reason, key)
    return _Line(decl, generators, condition, reason)


def _broken(ctx: Context, line: _Line) -> list[Env]:
    """The bindings for which it does not hold; raises NotConstant if that is known only in play."""
    evaluator = Evaluator(ctx.world)
    try:
        return [
            env
            for env in evaluator.bindings(line.generators, {})
            if not evaluator.value(line.condition, env)
        ]
    except Faulty as fault:
        span = line.decl.condition.span
        ctx.error("RW0616", span, f"this has no value: {fault}")
        return []


def _in_play(line: _Line) -> core.AlwaysCheck:
    condition = line.condition
    if line.generators:
        condition = core.Fold(
            fit.FLAG, condition.span, "all", line.generators, condition, None, None
        )
    return core.AlwaysCheck(line.decl.name.text, condition, line.decl.name.span)


def _refuse_what_is_read_before_play(ctx: Context, line: _Line) -> None:
    for node in walk((line.generators, line.condition)):
        if isinstance(node, core.Builtin) and node.name in ("says", "named_alike"):
            ctx.error(
                "RW0616",
                node.span,
                "what is printed is read before play, and the rest of this line changes in play",
                help="only data, switches and what is computed from them can stand beside it",
            )


# ---------------------------------------------------------------- what is said of the data


def _report(ctx: Context, line: _Line, broken: list[Env], rows: Rows) -> None:
    """One error for each set of entries: what is wrong between two is wrong both ways."""
    reported: set[frozenset[Span]] = set()
    for env in broken:
        places = tuple(dict.fromkeys(_places(ctx, line, env, rows))) or (line.decl.name.span,)
        if frozenset(places) not in reported:
            reported.add(frozenset(places))
            _report_one(ctx, line, env, places)


def _report_one(ctx: Context, line: _Line, env: Env, places: tuple[Span, ...]) -> None:
    name = line.decl.name
    if line.reason is None:
        written = " ".join(line.decl.condition.span.text.split())
        message = f"this must always hold, and does not: `{written}`"
    else:
        message = _spoken(ctx, line.reason, env)
    ctx.error(
        "RW0450",
        places[-1],
        message,
        also=[(place, "and this") for place in places[-_MOST_PLACES:-1]]
        + [(name.span, "what must always hold")],
        help=f"if your game is meant to be so: `remove always {name.text}`",
    )


def _places(ctx: Context, line: _Line, env: Env, rows: Rows) -> Iterator[Span]:
    """Where in the data it is said what breaks the line; the last place is the first to look at."""
    entries = [
        (generator.variable, row)
        for generator in line.generators
        if (row := _row(ctx, generator.variable_type, env[generator.variable], rows)) is not None
    ]
    if not entries:
        yield from _counted(ctx, line.condition, env, rows)
    for variable, row in entries:
        yield _field_read(ctx, line.condition, variable, row) or row.id_span


def _row(ctx: Context, type_: Type, value: Value, rows: Rows) -> Row | None:
    if not isinstance(type_, RefType) or not isinstance(value, int):
        return None
    return rows.get((ctx.world.kinds[type_.kind].family, value))


def _field_read(ctx: Context, condition: core.Expr, variable: str, row: Row) -> Span | None:
    """The first field of the entry that the condition reads and the data give."""
    for node in walk(condition):
        if isinstance(node, core.Field) and isinstance(node.subject, core.Local):
            field = ctx.world.columns[node.column].field
            if node.subject.name == variable and field in row.fields:
                return row.fields[field].span
    return None


def _counted(ctx: Context, condition: core.Expr, env: Env, rows: Rows) -> Iterator[Span]:
    """The entries that the condition goes through first, else the section where they would be."""
    for node in walk(condition):
        if isinstance(node, core.Generator) and isinstance(node.variable_type, RefType):
            section = ctx.world.kinds[ctx.world.kinds[node.variable_type.kind].family].plural
            places = [
                row.id_span
                for inner in Evaluator(ctx.world).bindings((node,), env)
                if (row := _row(ctx, node.variable_type, inner[node.variable], rows)) is not None
            ]
            if not places and section in ctx.world.merged.section_places:
                places = [ctx.world.merged.section_places[section]]
            yield from places
            return


def _spoken(ctx: Context, reason: core.TextOf, env: Env) -> str:
    parts = []
    for part in reason.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        try:
            parts.append(_shown(ctx, part.type, Evaluator(ctx.world).value(part, env)))
        except (NotConstant, Faulty):
            parts.append(part.span.text)
    return "".join(parts)


def _shown(ctx: Context, type_: Type, value: Value) -> str:
    if not isinstance(value, int):
        return ", ".join(_shown(ctx, fit.element_of(type_) or type_, item) for item in value)
    if isinstance(type_, RefType) and value >= 0:
        return ctx.world.entity_names[ctx.world.kinds[type_.kind].family][value]
    if isinstance(type_, ChoiceType) and value >= 0:
        return texts.spoken(type_.values[value])
    if isinstance(type_, FlagType):
        return "yes" if value else "no"
    return str(value)
