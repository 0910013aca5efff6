"""Commands: calls of routines and events, and the few that are built in."""

from __future__ import annotations

from collections.abc import Callable

from dsl.check import exchanges, fit, members, moves, sentences, signatures, texts
from dsl.check.context import Context
from dsl.check.world import ColumnInfo, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import RefType, Type
from dsl.syntax import nodes as syntax


def check_command(ctx: Context, stmt: syntax.Command) -> core.Block:
    """A sentence that changes the world."""
    verb = stmt.verb.text
    if sentences.is_sentence(ctx, stmt):
        return sentences.check_sentence(ctx, stmt)
    builtin = BUILTINS.get(verb)
    if builtin is not None and verb not in ctx.world.verbs:
        return builtin(ctx, stmt)
    routine = signatures.find_routine(ctx, stmt, list(BUILTINS))
    if routine is None:
        _infer_all(ctx, stmt)
        return ()
    args = arguments(ctx, stmt, routine.params, routine.has_object, routine.prepositions)
    return (core.Call(stmt.span, routine.name, args, None, fresh=False),)


def check_get(ctx: Context, stmt: syntax.Get) -> core.Block:
    """`get x from COMMAND`."""
    routine = signatures.find_routine(ctx, stmt.command, list(BUILTINS))
    if routine is None:
        _infer_all(ctx, stmt.command)
        if stmt.name.text not in ctx.scope.names:
            ctx.declare(stmt.name, fit.POISON)
        return ()
    args = arguments(ctx, stmt.command, routine.params, routine.has_object, routine.prepositions)
    gives = routine.gives
    if gives is None:
        ctx.error(
            "RW0704",
            stmt.command.span,
            f"`{routine.verb}` gives nothing",
            also=[(routine.decl.signature.span, "declared here")],
        )
        gives = fit.POISON
    before = ctx.scope.names.get(stmt.name.text)
    if before is not None and ctx.fits(gives, before.type):
        ctx.scope.forget_local(before.name)
        return (core.Call(stmt.span, routine.name, args, before.name, fresh=False),)
    info = ctx.declare(stmt.name, gives)
    return (core.Call(stmt.span, routine.name, args, info.name, fresh=True),)


def arguments(
    ctx: Context,
    stmt: syntax.Command,
    params: list[tuple[str, Type]],
    has_object: bool,
    prepositions: tuple[str | None, ...],
) -> tuple[core.Expr, ...]:
    """The values for the parameters, in the order of the declaration."""
    found: list[core.Expr] = []
    rest = list(params)
    if has_object:
        assert stmt.object is not None
        found.append(ctx.value(stmt.object, rest.pop(0)[1]))
    given = {prep.preposition: prep.value for prep in stmt.preps}
    for preposition, (_, type_) in zip(prepositions, rest, strict=True):
        found.append(ctx.value(given[preposition or ""], type_))
    return tuple(found)


def _infer_all(ctx: Context, stmt: syntax.Command) -> None:
    """Look at the parts of a command that is wrong as a whole, for mistakes of their own."""
    for node in [stmt.object, *(prep.value for prep in stmt.preps)]:
        if node is not None and not isinstance(node, syntax.NameExpr):
            ctx.infer(node)


def unknown_member(ctx: Context, kind: str, node: syntax.Dot) -> None:
    """Report a name that is neither a field nor a define of the kind."""
    poisoned = core.Const(RefType(kind), node.subject.span, 0)
    members.read_member(ctx, poisoned, kind, node)


# ---------------------------------------------------------------- built in


def _plain_form(
    ctx: Context, stmt: syntax.Command, prepositions: tuple[str, ...], example: str
) -> bool:
    """Whether a built-in command has its parts; an error with an example where not."""
    given = tuple(prep.preposition for prep in stmt.preps)
    if stmt.object is not None and not stmt.extras and given == prepositions:
        return True
    ctx.error("RW0506", stmt.span, f"`{stmt.verb.text}` is written like this: `{example}`")
    return False


def _move(ctx: Context, stmt: syntax.Command) -> core.Block:
    return moves.check_move(ctx, stmt)


def _exchange(ctx: Context, stmt: syntax.Command) -> core.Block:
    if not _plain_form(ctx, stmt, ("with",), "exchange mine with theirs"):
        return ()
    assert stmt.object is not None
    return exchanges.check_exchange(ctx, stmt, stmt.object, stmt.preps[0].value)


def _shuffle(ctx: Context, stmt: syntax.Command) -> core.Block:
    if not _plain_form(ctx, stmt, (), "shuffle deck.cards"):
        return ()
    assert stmt.object is not None
    found = moves.zone_path(ctx, stmt.object)
    if found is None:
        return ()
    zone, holder = found
    if not zone.ordered:
        ctx.error(
            "RW0607",
            stmt.object.span,
            f"`{zone.field}` has no order to shuffle",
            also=[(zone.span, "declared here")],
            help="declare it `ordered`",
        )
    return (core.Shuffle(stmt.span, zone.name, holder),)


def _drop(ctx: Context, stmt: syntax.Command) -> core.Block:
    if not _plain_form(ctx, stmt, (), "drop x"):
        return ()
    assert stmt.object is not None
    thing = ctx.entity(stmt.object)
    if isinstance(thing.type, RefType) and not ctx.world.is_pool(thing.type.kind):
        ctx.error(
            "RW0618",
            stmt.object.span,
            f"{fit.describe(thing.type)} can't be given back: it was not made in play",
        )
    return (core.Drop(stmt.span, thing),)


def _reveal(ctx: Context, stmt: syntax.Command) -> core.Block:
    example = "reveal note.value to player"
    if not _plain_form(ctx, stmt, ("to",), example):
        return ()
    target = stmt.object
    if not isinstance(target, syntax.Dot):
        ctx.error("RW0506", stmt.span, f"a field is revealed: `{example}`")
        return ()
    subject = ctx.entity(target.subject)
    if not isinstance(subject.type, RefType):
        return ()
    member = ctx.world.member(subject.type.kind, target.name.text)
    if not isinstance(member, ColumnInfo):
        if member is None and ctx.world.define(subject.type.kind, target.name.text) is None:
            unknown_member(ctx, subject.type.kind, target)
        else:
            what = "zone" if isinstance(member, ZoneInfo) else "value that is worked out"
            ctx.error("RW0607", target.span, f"a field can be revealed, not a {what}")
        return ()
    to = stmt.preps[0].value
    everyone = isinstance(to, syntax.NameExpr) and to.name == "everyone"
    seat = None if everyone else ctx.value(to, RefType("Player"))
    return (core.Reveal(stmt.span, member.name, subject, seat),)


def _say(ctx: Context, stmt: syntax.Command) -> core.Block:
    prepositions = tuple(prep.preposition for prep in stmt.preps)
    if not isinstance(stmt.object, syntax.Text) or prepositions not in ((), ("to",)) or stmt.extras:
        ctx.error("RW0506", stmt.span, 'a line of the log is written `say "text"`')
        return ()
    key = f"{ctx.place.key}.say.{ctx.place.number('say')}"
    text = texts.text_of(ctx, stmt.object, key)
    to = None
    if stmt.preps:
        word = stmt.preps[0].value
        if not (isinstance(word, syntax.NameExpr) and word.name == "everyone"):
            to = ctx.value(word, RefType("Player"))
    return (core.Say(stmt.span, text, to),)


BUILTINS: dict[str, Callable[[Context, syntax.Command], core.Block]] = {
    "move": _move,
    "exchange": _exchange,
    "shuffle": _shuffle,
    "drop": _drop,
    "reveal": _reveal,
    "say": _say,
}
