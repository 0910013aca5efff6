"""Who knows where things lie: a column of seats for each family that can lie out of sight.

Kept only in programs compiled with `Options.knowledge`, by declared visibility alone. A seat that
sees a thing come or go knows its place from then on. A move that it can't see at either end makes
it forget all that it knew of the zone the thing came from: whichever thing went, it may have been
one of those. Shuffling makes everybody forget who does not see the zone.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.layout import HeldFamily, ZonePlace
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


def known_column(held: HeldFamily) -> str:
    """The column of the seats that know where a thing of the family lies, a bit each."""
    return f"known_{held.place_column}"


def hidden_families(program: core.Program) -> frozenset[str]:
    """The families of things that can lie where not every seat sees them."""
    hidden: set[str] = set()
    while True:
        more = {
            program.kinds[zone.holds].family
            for zone in program.zones.values()
            if zone.seen_by != "everyone" or zone.family in hidden
        }
        if more <= hidden:
            return frozenset(hidden)
        hidden |= more


def is_tracked(low: Lowering, held: HeldFamily) -> bool:
    """Whether this program keeps who knows the places of a family."""
    return low.options.knowledge and held.family in hidden_families(low.program)


def after_move(
    low: Lowering, held: HeldFamily, things: tuple[flat.Expr, ...], ends: tuple[flat.Expr, ...]
) -> list[flat.Stmt]:
    """What the seats know after things have left their places: `ends` are all the places where
    one came from or went to. What lay where one came from is that which still lies there."""
    if not is_tracked(low, held):
        return []
    column, table = _declared(low, held), _seers(low, held)
    seers: flat.Expr = build.num(0)
    for end in ends:
        seen = flat.Cell(table, build.binary("+", end, build.num(held.offset)))
        seers = seen if seers == build.num(0) else flat.Bin("|", seers, seen)
    forget: list[flat.Stmt] = []
    for end in ends:
        at = build.binary("+", end, build.num(held.offset))
        members = flat.Cell(held.sets, at, flat.Set(held.bits))
        forget.append(flat.ForSet("other", members, (_keep(column, flat.Var("other")),)))
    everyone = build.num((1 << low.program.players) - 1)
    return [
        flat.SetVar("seers", seers),
        flat.If(flat.Bin("!=", flat.Var("seers"), everyone), tuple(forget)),
        *(flat.SetCell(column, thing, flat.Var("seers")) for thing in things),
    ]


def after_shuffle(
    low: Lowering, zone: ZonePlace, row: flat.Expr, holder: flat.Expr
) -> list[flat.Stmt]:
    """What the seats still know after a zone was shuffled."""
    if not is_tracked(low, zone.held):
        return []
    column, table = _declared(low, zone.held), _seers(low, zone.held)
    at = build.binary("+", zone.place(holder), build.num(zone.held.offset))
    item = low.temp("item")
    keep = _keep(column, flat.Var(item))
    return [flat.SetVar("seers", flat.Cell(table, at)), flat.ForRow(item, row, (keep,))]


def _keep(column: str, thing: flat.Expr) -> flat.Stmt:
    known = flat.Bin("&", flat.Cell(column, thing), flat.Var("seers"))
    return flat.SetCell(column, thing, known)


def _declared(low: Lowering, held: HeldFamily) -> str:
    column = known_column(held)
    if column not in low.out.columns:
        seers = low.out.tables[_seers(low, held)].values
        starts = low.out.columns[held.place_column].initial
        known = tuple(seers[place + held.offset] for place in starts)
        low.out.columns[column] = flat.ColumnDecl(column, flat.INT, known, "state")
    return column


def _seers(low: Lowering, held: HeldFamily) -> str:
    """The table of the seats that see what lies at a place. Where that depends on who has the
    holder, nobody counts as seeing it: what is seen only now is not remembered."""
    table = f"seers_{held.place_column}"
    if table not in low.out.tables:
        everyone = (1 << low.program.players) - 1
        cells = [everyone] * held.size
        hidden = hidden_families(low.program)
        players = low.program.kinds[low.program.player_kind]
        for zone in held.zones:
            for position, holder in enumerate(zone.zone.holders):
                seers = everyone if zone.zone.seen_by == "everyone" else 0
                if zone.zone.family in hidden:
                    seers = 0
                elif zone.zone.seen_by == "owner" and zone.zone.family == players.family:
                    seers = 1 << holder if holder in players.members else 0
                cells[zone.base + zone.step * position + held.offset] = seers
        low.out.tables[table] = flat.Table(table, flat.INT, tuple(cells))
    return table
