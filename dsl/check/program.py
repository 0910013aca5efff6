"""From merged declarations to the typed core program: `check_program`."""

from __future__ import annotations

import hashlib
from dataclasses import field

from dsl.check import (
    asking,
    defines,
    doubled,
    earlier,
    fields,
    fit,
    flow,
    hooks,
    idle,
    kinds,
    leaving,
    rows,
    searches,
    sentences,
    signatures,
    starts,
    strategies,
    switches,
    tries,
    visibility,
    windows,
)
from dsl.check import (
    scenarios as scenes,
)
from dsl.check.always import check_always
from dsl.check.checker import Checker
from dsl.check.contents import Contents
from dsl.check.context import Context, Place
from dsl.check.effects import Effects
from dsl.check.follow_ups import independent, put_together
from dsl.check.gathered import Gathered, pieces
from dsl.check.merged import Merged
from dsl.check.reuse import Past, Reuse, begin
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.diagnostics import Bag
from dsl.records import record
from dsl.source import NOWHERE, Span
from dsl.syntax import nodes as syntax

FIRST_PHASE = "start"


@record
class Together:
    """What is known of the declarations that some programs have in common."""

    contents: Contents = field(default_factory=Contents)
    nodes: Gathered = field(default_factory=Gathered)
    past: dict[int, Past] = field(default_factory=dict)  # by the number of players


def check_program(
    merged: Merged,
    players: int,
    bag: Bag,
    *,
    scenarios: bool = True,
    together: Together | None = None,
    checker: type[Context] = Checker,
) -> core.Program | None:
    """The core program of a variant for a number of players, or None where it has errors.

    The bag may have errors already, from reading the texts; then there is no program either.
    Without `scenarios` they are left out. Programs that are checked `together` share what is
    known of the same declarations. `checker` may note what it finds (see `subscriptions`).
    """
    before = list(bag)
    own = Bag()
    own.extend(before)
    world = World(merged, players)
    program = _checked(world, own, scenarios, together, checker)
    found = list(own)[len(before) :]
    if own.has_errors:
        whole = [put_together(one, world) for one in found]
        found = list(independent(whole, before, merged))
    bag.extend(found)
    return program


def _checked(
    world: World,
    bag: Bag,
    scenarios: bool,
    together: Together | None,
    checker: type[Context],
) -> core.Program | None:
    players = world.players
    is_alone = together is None
    together = together or Together()
    effects = Effects(world, together.contents)
    ctx = checker(world, effects, bag, Place("", "", "", "value"))
    _declare(ctx)
    reuse = Reuse(world) if is_alone else begin(together.past.get(players), world)
    program = _build(ctx, together.nodes, reuse, scenarios)
    if not bag.has_errors:
        _check_whole(bag, world, program, together)
    if bag.has_errors:
        return None
    if reuse.now is not None:
        together.past[players] = reuse.now
    return program


def _declare(ctx: Context) -> None:
    """Everything that others can refer to."""
    world = ctx.world
    kinds.declare_kinds(world, ctx.bag)
    switches.declare_switches(ctx)
    kinds.fill_families(ctx)  # switches may read how many there are of a kind
    switches.set_switches(ctx)
    kinds.fill_pools(ctx)  # their bounds may read switches
    fields.declare_fields(ctx)
    rows.fill_data(ctx)
    for ranked in world.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Phase):
            before = world.phases.get(decl.name.text)
            if before is not None:
                ctx.error(
                    "RW0504",
                    decl.name.span,
                    f"there is a phase `{decl.name.text}` already",
                    also=[(before.decl.span, "first declared here")],
                )
                continue
            world.phases[decl.name.text] = ranked
        elif isinstance(decl, syntax.Saying):
            world.sayings.setdefault(decl.verb.text, []).append(decl)
    for ranked in world.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Routine | syntax.EventDecl):
            place = Place(decl.signature.verb.text, "", ranked.layer, "routine")
            signatures.declare_routine(ctx.placed(place), decl, ranked)
        elif isinstance(decl, syntax.Window):
            place = Place(decl.signature.verb.text, "", ranked.layer, "value")
            signatures.declare_window(ctx.placed(place), decl, ranked)
    defines.declare_defines(ctx)
    windows.declare_options(ctx)
    ctx.effects.prepare()


@record
class _Bodies:
    """All that runs."""

    routines: dict[str, core.Routine]
    phases: dict[str, core.Phase]
    watches: tuple[core.Watch, ...]
    options: dict[str, core.Option]
    windows: dict[str, core.Window]


def _check_bodies(ctx: Context, reuse: Reuse) -> _Bodies:
    """Options before windows: an option may be split, so that each window has its own."""
    world = ctx.world
    hooked = hooks.check_rules(ctx, reuse)
    routines = {
        name: hooks.check_routine(ctx, reuse, info, hooked) for name, info in world.routines.items()
    }
    phases = {name: hooks.check_phase(ctx, reuse, r, hooked) for name, r in world.phases.items()}
    watches = hooks.check_watches(ctx, reuse)
    options = {
        option.name: option
        for info in world.options.values()
        for option in windows.check_option(ctx, reuse, info)
    }
    opened = {name: windows.check_window(ctx, info) for name, info in world.windows.items()}
    windows.report_idle_forbids(ctx)
    return _Bodies(routines, phases, watches, options, opened)


def _build(ctx: Context, nodes: Gathered, reuse: Reuse, with_scenarios: bool) -> core.Program:
    """The program from what is declared; where something is wrong, it has poison in it."""
    world, merged = ctx.world, ctx.world.merged
    defines.check_defines(ctx, reuse)
    bodies = _check_bodies(ctx, reuse)
    always = check_always(ctx, reuse)
    measures = hooks.check_measures(ctx)
    winners, scores = _outcome(ctx)
    played: tuple[core.Scenario, ...] = ()
    if with_scenarios:
        sentences.check_sayings(ctx)
        played = scenes.check_scenarios(ctx)
    live = _live_sites(world, bodies, played, nodes)
    _texts(ctx)
    return core.Program(
        variant=merged.variant,
        title=merged.title,
        mods=merged.mods,
        switches=tuple((n, switches.shown(world, info)) for n, info in world.switches.items()),
        players=world.players,
        player_kind=kinds.PLAYER,
        digest=hashlib.sha256(f"{merged.digest}/{world.players}".encode()).hexdigest(),
        first_phase=FIRST_PHASE,
        phase_limit=merged.phase_limit,
        act_limit=merged.act_limit,
        families=world.families,
        kinds=_kinds(world),
        columns=starts.build_columns(ctx),
        zones=starts.build_zones(ctx),
        defines=world.checked,
        routines=bodies.routines,
        phases=bodies.phases,
        watches=bodies.watches,
        always=always,
        windows=bodies.windows,
        options=bodies.options,
        measures=measures,
        strategies=strategies.check_strategies(ctx, reuse, live),
        sites=live,
        winners=winners,
        scores=scores,
        scenarios=played,
        texts={**world.texts, **merged.texts},
        said=dict(world.texts),
        names={name: tuple(shown) for name, shown in world.entity_names.items()},
        printed={
            name: tuple(text or "" for text in printed)
            for name, printed in world.entity_texts.items()
        },
        board=_board(world),
        language=merged.language,
        forms=merged.forms,
    )


def _board(world: World) -> core.Board:
    """How the table is drawn: the ring is the family of what stands in its section."""
    merged = world.merged
    rows = merged.sections.get(str(merged.board.get("ring", "")), ())
    first = rows[0].id if rows else None
    ring = next((each.name for each in world.families.values() if first in each.ids), None)
    sides = merged.board.get("sides")
    return core.Board(ring, sides if isinstance(sides, int) else 4, dict(merged.colours))


def _check_whole(bag: Bag, world: World, program: core.Program, together: Together) -> None:
    """What can only be seen of a program as a whole, and only if its parts are right."""
    nodes = together.nodes
    flow.check_flow(bag, program, nodes)
    searches.check_searches(bag, program, nodes)
    tries.check_tries(bag, program, nodes)
    earlier.report_earlier(bag, world, world.merged, program)
    doubled.report_doubled(bag, world, program)
    leaving.report_leaving(bag, world.merged, program)
    idle.report_idle(bag, world.merged, program, together.contents)
    visibility.check_visibility(bag, program, nodes)
    asking.check_asking(bag, program, nodes)


def _kinds(world: World) -> dict[str, core.Kind]:
    return {
        info.name: core.Kind(info.name, info.family, info.base, info.members, info.doc, info.span)
        for info in world.kinds.values()
    }


def _outcome(ctx: Context) -> tuple[core.Expr, core.Expr | None]:
    """Who has won, and by what score."""
    world = ctx.world
    if FIRST_PHASE not in world.phases:
        ctx.error(
            "RW0517",
            _anywhere(ctx),
            f"there is no phase `{FIRST_PHASE}`",
            help=f"a game begins with it: `phase {FIRST_PHASE}`",
        )
    info = world.defines.get("winners")
    if info is None:
        winners = ctx.error(
            "RW0517",
            _anywhere(ctx),
            "nothing says who has won",
            help="write `define winners: list of Player`",
        )
    else:
        call = core.CallDefine(info.type, info.span, info.name, ())
        winners = ctx.as_set(call)
        if fit.element_of(winners.type) != RefType(kinds.PLAYER):
            ctx.error("RW0517", info.span, "`winners` must be a `list of Player`")
    score = world.define(kinds.PLAYER, "final_score")
    if score is None:
        return winners, None
    player = core.Local(RefType(kinds.PLAYER), NOWHERE, "player")
    return winners, core.CallDefine(score.type, score.span, score.name, (player,))


def _anywhere(ctx: Context) -> Span:
    declarations = ctx.world.merged.declarations
    return declarations[-1].decl.span if declarations else NOWHERE


def _texts(ctx: Context) -> None:
    """The words for what is declared, where nothing else says them."""
    world = ctx.world
    for name in world.kinds:
        word = fit.kind_word(name)
        term = world.merged.terms.get(word)
        world.texts.setdefault(f"kind.{word}", term[0] if term else word.replace("_", " "))
    for what, text in world.merged.currency.items():
        world.texts.setdefault(f"currency.{what}", text)
    for name in world.units:
        one, other = world.merged.terms.get(name, (name, f"{name}s"))
        world.texts.setdefault(f"unit.{name}.one", one)
        world.texts.setdefault(f"unit.{name}.other", other)
    for column in world.columns.values():
        world.texts.setdefault(f"field.{column.name}", column.field.replace("_", " "))
    for zone in world.zones.values():
        world.texts.setdefault(f"field.{zone.name}", zone.field.replace("_", " "))


def _live_sites(
    world: World, bodies: _Bodies, played: tuple[core.Scenario, ...], nodes: Gathered
) -> dict[str, core.Site]:
    """The sites that are still there when switches have taken branches away. What only scenarios
    open is there for them."""
    parts = (*pieces(bodies), *played)
    found = {
        *(node.site for node in nodes.of(core.AskAbout, *parts)),
        *(node.site for node in nodes.of(core.Ask, *parts)),
        *(node.site for node in nodes.of(core.Gather, *parts)),
        *(node.site for node in nodes.of(core.OpenWindow, *parts)),
    }
    return {name: info.site for name, info in world.sites.items() if name in found}
