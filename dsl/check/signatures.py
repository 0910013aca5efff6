"""Heads: the parameters of routines, events and windows, and which routine a command calls."""

from __future__ import annotations

from dsl.check.context import Context
from dsl.check.merged import RankedDecl
from dsl.check.typenodes import param_type, resolve_type
from dsl.check.world import RoutineInfo, WindowInfo, World
from dsl.core.types import Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax

# First words of statements: misspelt, they look like a command of nobody.
_STATEMENTS = (
    "return", "repeat", "open", "ask", "get", "let", "end", "next", "needs", "expect", "secretly",
    "which",
)  # fmt: skip


def head_params(ctx: Context, signature: syntax.Signature) -> list[tuple[str, Type]]:
    """The parameters of a head, with their types; brings them into the scope."""
    nodes = [] if signature.param is None else [signature.param]
    nodes += [prep.param for prep in signature.preps]
    found = []
    for node in nodes:
        info = ctx.declare(node.name, param_type(ctx, node))
        found.append((info.name, info.type))
    return found


def declare_routine(
    ctx: Context, decl: syntax.Routine | syntax.EventDecl, ranked: RankedDecl
) -> RoutineInfo | None:
    """Enter the head of a routine or event."""
    signature, world = decl.signature, ctx.world
    prepositions = tuple(prep.preposition for prep in signature.preps)
    verb, has_object = signature.verb.text, signature.param is not None
    _no_double(ctx, signature)
    for other in world.verbs.get(verb, ()):
        if other.has_object == has_object and set(other.prepositions) == set(prepositions):
            ctx.error(
                "RW0504",
                signature.span,
                f"`{other.name}` is declared twice",
                also=[(other.decl.signature.span, "first declared here")],
                help="to take its place, write `replace to ...`",
            )
            return None
    if verb in world.phases:
        ctx.error("RW0504", signature.span, f"`{verb}` is a phase already")
    name = " ".join((verb, *prepositions))
    if name in world.routines:
        name = " ".join((verb, "..." if has_object else "alone", *prepositions))
    params = head_params(ctx, signature)
    gives = None
    if isinstance(decl, syntax.Routine) and decl.gives is not None:
        gives = resolve_type(ctx, decl.gives)
    info = RoutineInfo(name, verb, has_object, prepositions, params, gives, decl, ranked)
    world.routines[name] = info
    world.verbs.setdefault(verb, []).append(info)
    return info


def declare_window(ctx: Context, decl: syntax.Window, ranked: RankedDecl) -> None:
    """Enter the head of a window."""
    name = decl.signature.verb.text
    before = ctx.world.windows.get(name)
    if before is not None:
        ctx.error(
            "RW0504",
            decl.signature.span,
            f"the window `{name}` is declared twice",
            also=[(before.decl.signature.span, "first declared here")],
        )
        return
    _no_double(ctx, decl.signature)
    prepositions: list[str | None] = [None] if decl.signature.param is not None else []
    prepositions += [prep.preposition for prep in decl.signature.preps]
    params = head_params(ctx, decl.signature)
    ctx.world.windows[name] = WindowInfo(name, tuple(prepositions), params, decl, ranked)


def _no_double(ctx: Context, signature: syntax.Signature) -> None:
    seen: set[str] = set()
    for prep in signature.preps:
        if prep.preposition in seen:
            ctx.error(
                "RW0504",
                prep.span,
                f"`{prep.preposition}` stands here twice",
                help="each preposition can be used once, so that values can't be mistaken",
            )
        seen.add(prep.preposition)


def written(info: RoutineInfo) -> str:
    """How a call of the routine looks."""
    return written_head(info.decl.signature)


def written_head(signature: syntax.Signature) -> str:
    """How a call of what has this head looks."""
    words = [signature.verb.text]
    if signature.param is not None:
        words.append(signature.param.name.text)
    for prep in signature.preps:
        words += [prep.preposition, prep.param.name.text]
    return " ".join(words)


def matching(
    infos: list[RoutineInfo], has_object: bool, prepositions: set[str]
) -> RoutineInfo | None:
    """The routine with just these parts."""
    for info in infos:
        if info.has_object == has_object and set(info.prepositions) == prepositions:
            return info
    return None


def find_routine(ctx: Context, stmt: syntax.Command, builtin: list[str]) -> RoutineInfo | None:
    """The routine or event that a command calls; None after an error."""
    world, verb = ctx.world, stmt.verb.text
    infos = world.verbs.get(verb, [])
    given = [prep.preposition for prep in stmt.preps]
    info = matching(infos, stmt.object is not None, set(given))
    if info is not None and not stmt.extras and len(given) == len(set(given)):
        return info
    if infos:
        ways = " or ".join(f"`{written(info)}`" for info in infos)
        ctx.error(
            "RW0506",
            stmt.span,
            f"`{verb}` is not said like this",
            also=[(infos[0].decl.signature.span, "declared here")],
            help=f"it is said {ways}",
        )
        return None
    _no_routine(ctx, stmt, builtin)
    return None


_EVERYDAY = {"give", "take", "get", "receive", "transfer", "add", "subtract", "lose", "gain", "put"}
"""Words in which people say that something changes hands."""


def _everyday(world: World) -> str:
    """How it is said that something changes hands."""
    owed = "`pay 50 from a to b` is a payment, and " if "pay" in world.verbs else ""
    return f"{owed}`move THING to PLACE` or `move 50 from a to b` moves what is there"


def _no_routine(ctx: Context, stmt: syntax.Command, builtin: list[str]) -> None:
    world, verb = ctx.world, stmt.verb.text
    help_ = None
    if verb in world.phases:
        help_ = f"it is a phase: `next {verb}` in a `then` block, or `end {verb}`"
    elif verb in world.windows:
        help_ = f"it is a window: `open {verb}`"
    elif verb in world.options:
        help_ = "it is an option: a player decides to do it in its window"
    elif verb in world.entities:
        help_ = "it names a thing: a line begins with what is done; sayings stand in scenarios"
    elif verb in _EVERYDAY and stmt.object is not None:
        help_ = _everyday(world)
    elif verb in ctx.scope.names:
        help_ = f"to set it, write `{verb} = ...`"
        if stmt.object is not None:
            help_ = "the verb comes first: `VERB VALUE to VALUE`, such as `move 5 from a to b`"
    else:
        near = suggest(verb, [*_STATEMENTS, *world.verbs, *builtin])
        help_ = (
            f"did you mean `{near}`?"
            if near
            else f"declare it, `to {verb} ...`; `rulewright words NAME` lists what there is"
        )
    ctx.error("RW0505", stmt.verb.span, f"there is no routine or event `{verb}`", help=help_)
