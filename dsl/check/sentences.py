"""Sentences of scenarios: `red owns park, garden`, said with `saying`, and written out here."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace

from dsl.check import fit
from dsl.check.context import Context, Place
from dsl.check.typenodes import param_type
from dsl.core import nodes as core
from dsl.core.types import RefType, SeqType, SetType
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax

PLAYER = "Player"
_FORMS = ("scenario", "saying")
_MOST_NAMED = 12
_COMMANDS = ("move", "exchange", "shuffle", "drop", "reveal", "say")


def check_sayings(ctx: Context) -> None:
    """Check every saying for values of its declared types, whether a scenario says it or not."""
    for ranked in ctx.world.merged.declarations:
        if isinstance(ranked.decl, syntax.Saying):
            _check_saying(ctx, ranked.decl, ranked.layer)


def _check_saying(ctx: Context, decl: syntax.Saying, layer: str) -> None:
    """What is asked and said in it belongs to the scenarios that say it, so it is left behind."""
    world = ctx.world
    aside = replace(world, texts=ChainMap({}, world.texts), sites=dict(world.sites))
    place = Place(decl.verb.text, f"saying.{decl.verb.text}", layer, "saying")
    inner = type(ctx)(aside, ctx.effects, ctx.bag, place)
    params = [decl.subject, *(prep.param for prep in decl.preps)]
    for param in params if decl.object is None else (*params, decl.object):
        inner.declare(param.name, param_type(inner, param))
    inner.block(decl.body)


def is_sentence(ctx: Context, stmt: syntax.Command) -> bool:
    """Whether a command is to be read as subject, verb, objects."""
    if ctx.place.form not in _FORMS:
        return False
    if stmt.verb.text in ctx.world.verbs or stmt.verb.text in _COMMANDS:
        return False
    return isinstance(stmt.object, syntax.NameExpr)


def check_sentence(ctx: Context, stmt: syntax.Command) -> core.Block:
    """What a sentence means: its saying with the subject and objects put in."""
    assert isinstance(stmt.object, syntax.NameExpr)
    if stmt.verb.text == "play":
        return _play(ctx, stmt, stmt.object)
    if stmt.verb.text == "luck" and stmt.object.name == "gives":
        return _luck(ctx, stmt)
    sayings = ctx.world.sayings.get(stmt.object.name, [])
    saying = _matching(sayings, stmt)
    if saying is None:
        _unknown(ctx, stmt, stmt.object, sayings)
        return ()
    subject = syntax.NameExpr(stmt.verb.span, stmt.verb.text)
    return _expanded(ctx, stmt, saying, subject)


def check_plays(ctx: Context, node: syntax.Expr) -> None:
    """An error for a seat of the game that does not play in the scenario."""
    seats = [seat for seat, _ in ctx.world.merged.seats]
    if not isinstance(node, syntax.NameExpr) or node.name not in seats[ctx.world.players :]:
        return
    playing = ", ".join(seats[: ctx.world.players])
    ctx.error(
        "RW0905",
        node.span,
        f"`{node.name}` does not play in this scenario",
        help=f"its seats are {playing}; a line `seats` says who plays",
    )


def _matching(sayings: list[syntax.Saying], stmt: syntax.Command) -> syntax.Saying | None:
    given = {prep.preposition for prep in stmt.preps}
    for saying in sayings:
        wanted = {prep.preposition for prep in saying.preps}
        if wanted == given and (saying.object is not None) == bool(stmt.extras):
            return saying
    return None


def _unknown(
    ctx: Context, stmt: syntax.Command, verb: syntax.NameExpr, sayings: list[syntax.Saying]
) -> None:
    if sayings:
        ctx.error(
            "RW0904",
            stmt.span,
            f"`{verb.name}` is not said like this",
            also=[(sayings[0].span, "declared here")],
        )
        return
    near = suggest(verb.name, ctx.world.sayings)
    nearer = suggest(stmt.verb.text, ctx.world.verbs)
    help_ = f"did you mean `{near}`?" if near else None
    if near is None and nearer:
        help_ = f"did you mean `{nearer}`?"
    if help_ is None:
        help_ = _instead(ctx, stmt, verb.name)
    ctx.error("RW0904", verb.span, f"no saying has the verb `{verb.name}`", help=help_)


def _instead(ctx: Context, stmt: syntax.Command, verb: str) -> str | None:
    """What can be said where no saying is near."""
    options = ctx.world.options
    for word in (stmt.verb.text, verb, verb.removesuffix("s")):
        if word in options:
            return f"`{word}` is an option: an answer, on a line below `when`: `SEAT: {word}`"
    known = sorted(ctx.world.sayings)
    if not known:
        return "no saying is declared here"
    return "sayings have the verbs " + ", ".join(f"`{word}`" for word in known[:_MOST_NAMED])


def _expanded(
    ctx: Context, stmt: syntax.Command, saying: syntax.Saying, subject: syntax.Expr
) -> core.Block:
    head = ctx.at(type(ctx.scope)())
    subject_type = param_type(head, saying.subject)
    if subject_type == RefType(PLAYER):
        check_plays(ctx, subject)
    done: list[core.Stmt] = []
    objects: list[core.Expr | None] = [None]
    if saying.object is not None:
        type_ = param_type(head, saying.object)
        if isinstance(type_, SeqType | SetType):
            listed = syntax.ListExpr(stmt.span, stmt.extras)
            objects = [ctx.value(_single(stmt.extras, listed), type_)]
        else:
            objects = [ctx.value(extra, type_) for extra in stmt.extras]
    for item in objects:
        inner = ctx.at(type(ctx.scope)(ctx.scope.namer))
        _bind(inner, saying.subject, ctx.value(subject, subject_type), done)
        if saying.object is not None and item is not None:
            _bind(inner, saying.object, item, done)
        given = {prep.preposition: prep.value for prep in stmt.preps}
        for prep in saying.preps:
            type_ = param_type(head, prep.param)
            _bind(inner, prep.param, ctx.value(given[prep.preposition], type_), done)
        done += inner.block(saying.body)
    return tuple(done)


def _single(extras: tuple[syntax.Expr, ...], listed: syntax.ListExpr) -> syntax.Expr:
    """A list that is written as one is not put into another one."""
    if len(extras) == 1 and isinstance(extras[0], syntax.ListExpr | syntax.Query):
        return extras[0]
    return listed


def _bind(ctx: Context, param: syntax.Param, value: core.Expr, done: list[core.Stmt]) -> None:
    info = ctx.scope.declare(param.name.text, value.type, param.name.span)
    done.append(core.Let(param.span, info.name, value, fresh=True))


def _play(ctx: Context, stmt: syntax.Command, phase: syntax.NameExpr) -> core.Block:
    if phase.name not in ctx.world.phases:
        near = suggest(phase.name, ctx.world.phases)
        ctx.error(
            "RW0509",
            phase.span,
            f"there is no phase `{phase.name}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return ()
    return (core.PlayPhase(stmt.span, phase.name),)


def _luck(ctx: Context, stmt: syntax.Command) -> core.Block:
    """`luck gives row`: the next results of luck."""
    values = stmt.extras or ()
    if not values:
        ctx.error("RW0904", stmt.span, "write `luck gives` and the results")
        return ()
    node = _single(values, syntax.ListExpr(stmt.span, values))
    if len(values) == 1 and not isinstance(values[0], syntax.ListExpr | syntax.Query):
        expr = ctx.infer(values[0])
        if fit.element_of(expr.type) is None:
            one = expr.type
            expr = core.SeqOf(SeqType(one, 1), expr.span, (expr,))
    else:
        expr = ctx.infer(node)
    return (core.ScriptLuck(stmt.span, expr),)
