"""Questions: named answers, picks, secret picks, windows that are opened."""

from __future__ import annotations

from dsl.check import commands, fit, heads, narrowing, queries, texts
from dsl.check.context import Context, Place
from dsl.check.world import AnswerInfo, SiteInfo
from dsl.core import nodes as core
from dsl.core.types import MapType, RefType, Type
from dsl.diagnostics import Bag, suggest
from dsl.source import Span
from dsl.syntax import nodes as syntax

PLAYER = "Player"


def _site(
    ctx: Context, question: str, form: str, span: Span, window: str | None = None
) -> SiteInfo:
    """A new place where something is asked."""
    base = f"{ctx.place.name.split()[0]}/{question}"
    name, number = base, 1
    while name in ctx.world.sites:
        number += 1
        name = f"{base}#{number}"
    names: dict[str, tuple[str, Type]] = {
        word: (ctx.scope.names[word].name, ctx.local(ctx.scope.names[word], span).type)
        for word in ctx.scope.names
    }
    if window is not None:
        params = ctx.world.windows[window].params
        names = {local: (local, type_) for local, type_ in params}
    scope = tuple(names.values())
    site = core.Site(name, question, form, scope, window, span)  # type: ignore[arg-type]
    info = SiteInfo(site, names)
    ctx.world.sites[name] = info
    if window is None:
        ctx.world.texts.setdefault(f"question.{question}", question.replace("_", " "))
    return info


def _asked(ctx: Context, node: syntax.Expr) -> core.Expr:
    ctx.scope.forget(ctx.effects.of_question())
    return ctx.value(node, RefType(PLAYER))


def _asking(ctx: Context, asked: core.Expr) -> Context:
    """Where a seat answers: `known(..)` asks for what it knows, if it has a name."""
    inner = ctx.child()
    inner.scope.asked = asked if isinstance(asked, core.Local) else None
    return inner


def _picking(ctx: Context, question: syntax.Question) -> heads.Picking:
    key = f"question.{question.question.text}"
    heads.name_pick(ctx, key, question.picked.text)
    return heads.picking_of(question, question.form, key)


# ---------------------------------------------------------------- named answers


def ask_about(ctx: Context, stmt: syntax.AskAbout) -> core.Block:
    """`ask player about purchase` with its answers."""
    asked = _asked(ctx, stmt.asked)
    question = stmt.question.text
    site = _site(ctx, question, "about", stmt.span)
    label = None
    if stmt.label is not None:
        label = texts.text_of(_asking(ctx, asked), stmt.label.text, f"question.{question}.as")
    shows = texts.shown(_asking(ctx, asked), stmt.shows, f"question.{question}")
    answers: list[core.Answer] = []
    for bullet in stmt.bullets:
        name = bullet.name.text
        if name in site.answers:
            ctx.error("RW0504", bullet.name.span, f"the answer `{name}` stands here twice")
            continue
        key = f"answer.{question}.{name}"
        inner = _asking(ctx, asked)
        head = heads.check_head(inner, bullet.body, key, picks=False)
        add_forbids(inner, head, bullet.name, question, key)
        ctx.world.texts.setdefault(key, name.replace("_", " "))
        items = tuple(head.items)
        site.answers[name] = AnswerInfo(items, head.names)
        body = (*head.says, *inner.block(head.rest))
        answers.append(core.Answer(name, items, body, bullet.span, head.label))
    return (core.AskAbout(stmt.span, site.site.name, asked, tuple(answers), label, shows),)


def add_forbids(
    ctx: Context, head: heads.CheckedHead, answer: syntax.Name, where: str, key: str
) -> None:
    """Add the refusals that other files give to an answer."""
    for number, (ranked, decl) in enumerate(ctx.world.forbids.get((answer.text, where), ()), 1):
        ctx.world.used_forbids.add(id(decl))
        place = Place(ctx.place.name, key, ranked.layer, "option")
        if not _outlives(ctx, ranked.layer):
            inner = ctx.placed(place, ctx.scope)
            heads.add_refusal(inner, head, decl, f"{key}.forbid.{number}")
            continue
        bag, items = Bag(), list(head.items)
        inner = type(ctx)(ctx.world, ctx.effects, bag, place, ctx.scope)
        heads.add_refusal(inner, head, decl, f"{key}.forbid.{number}")
        wrong = next((one for one in bag if one.severity == "error"), None)
        if wrong is not None:
            head.items[:] = items
            ctx.bag.warning(
                "RW0812",
                answer.span,
                f"a `forbid {answer.text}` of `{ranked.layer}` can't be asked here any more: "
                f"{wrong.message}",
                also=[(decl.span, "it is left out")],
                help="keep the names of the head that was replaced, or forbid it anew",
            )


def _outlives(ctx: Context, layer: str) -> bool:
    """Whether a layer knows nothing of what is checked here, which belongs to a later one."""
    merged = ctx.world.merged
    order = [*merged.parents, merged.variant, *merged.mods]
    here = ctx.place.layer
    if here not in order:
        return False
    return layer not in order or order.index(layer) < order.index(here)


# ---------------------------------------------------------------- picks


def ask(ctx: Context, stmt: syntax.Ask) -> core.Block:
    """`ask player which x to keep in LIST` with its body."""
    asked = _asked(ctx, stmt.asked)
    site = _site(ctx, stmt.question.question.text, "pick", stmt.span)
    inner = _asking(ctx, asked)
    pick = heads.check_pick(inner, _picking(ctx, stmt.question))
    site.pick = pick
    label, shows, lines = _put(_asking(ctx, asked), stmt.body or (), stmt.question.question.text)
    body = texts.spoken_block(inner, lines, f"question.{stmt.question.question.text}")
    otherwise = () if stmt.otherwise is None else ctx.block(stmt.otherwise)
    declines = stmt.question.if_any
    return (
        core.Ask(stmt.span, site.site.name, asked, pick, declines, body, otherwise, label, shows),
    )


def _put(
    ctx: Context, body: syntax.Block, question: str
) -> tuple[core.TextOf | None, core.TextOf | None, syntax.Block]:
    """How a question is put and what it shows, where the block below it begins with that; and the
    other lines."""
    label: core.TextOf | None = None
    shows: core.TextOf | None = None
    for place, line in enumerate(body):
        if isinstance(line, syntax.Label) and label is None:
            label = texts.text_of(ctx, line.text, f"question.{question}.as")
        elif isinstance(line, syntax.Shows) and shows is None:
            shows = texts.shown(ctx, line, f"question.{question}")
        else:
            return label, shows, body[place:]
    return label, shows, ()


def ask_until_end(ctx: Context, stmt: syntax.Ask, rest: syntax.Block) -> list[core.Stmt]:
    """A pick without a body: the name holds for the rest of the block, which runs with a pick.

    With `if any`, the rest runs in any case, and the name may be none.
    """
    if stmt.question.if_any:
        return _ask_optional(ctx, stmt, rest)
    asked = _asked(ctx, stmt.asked)
    site = _site(ctx, stmt.question.question.text, "pick", stmt.span)
    inner = _asking(ctx, asked)
    pick = heads.check_pick(inner, _picking(ctx, stmt.question))
    site.pick = pick
    body = inner.block(rest)
    return [core.Ask(stmt.span, site.site.name, asked, pick, False, body, ())]


def _ask_optional(ctx: Context, stmt: syntax.Ask, rest: syntax.Block) -> list[core.Stmt]:
    asked = _asked(ctx, stmt.asked)
    site = _site(ctx, stmt.question.question.text, "pick", stmt.span)
    inner = _asking(ctx, asked)
    pick = heads.check_pick(inner, _picking(ctx, stmt.question))
    site.pick = pick
    type_ = fit.optional(pick.type)
    if not fit.can_be_optional(type_):
        ctx.error(
            "RW0619",
            stmt.question.span,
            "a set that is picked may be empty: `if any` says nothing here",
            help="begin the count with 0: `which 0..3 cards to keep in ...`",
        )
    info = ctx.declare(stmt.question.picked, type_)
    span = stmt.question.picked.span
    none = ctx.infer(syntax.Literal_(span, "none"), type_)
    taken = core.Let(span, info.name, core.Local(pick.type, span, pick.name), fresh=False)
    question = core.Ask(stmt.span, site.site.name, asked, pick, True, (taken,), ())
    return [core.Let(span, info.name, none, fresh=True), question, *ctx.block(rest)]


def secretly(ctx: Context, stmt: syntax.Secretly) -> core.Block:
    """`secretly ask each p in LIST how much x to bid in RANGE`, all at once."""
    ctx.scope.forget(ctx.effects.of_question())
    inner, generator = queries.clause(ctx, stmt.asked)
    if not ctx.fits(generator.variable_type, RefType(PLAYER)):
        ctx.error(
            "RW0601",
            stmt.asked.source.span,
            f"only players can be asked, not {fit.describe(generator.source.type)}",
        )
    site = _site(inner, stmt.question.question.text, "gather", stmt.span)
    inner.scope.asked = core.Local(generator.variable_type, stmt.asked.span, generator.variable)
    pick = heads.check_pick(inner, _picking(ctx, stmt.question))
    site.pick = pick
    if stmt.question.if_any:
        ctx.error("RW0619", stmt.question.span, "in secret, everybody asked must answer")
    after = ctx.child()
    table_type = MapType(fit.optional(pick.type), RefType(PLAYER))
    if (answers := _is_answered(inner, pick)) and _is_everybody(ctx, generator):
        table_type = MapType(pick.type, RefType(PLAYER))
    table = after.declare(stmt.question.picked, table_type)
    if answers:
        one = core.Const(fit.FLAG, stmt.span, 1)
        all_asked = core.Fold(fit.FLAG, stmt.span, "any", (generator,), one, None, None)
        fact = narrowing.fact_about(all_asked, None, ctx.effects)
        after.scope.facts[narrowing.answered_key(table.name, generator)] = fact
        after.scope.forget(ctx.effects.of_question())
    label, shows, lines = _put(inner, stmt.body, stmt.question.question.text)
    body = after.block(lines)
    return (
        core.Gather(
            stmt.span, site.site.name, generator, pick, table.name, table_type, body, label, shows
        ),
    )


def _is_answered(inner: Context, pick: core.HeadPick) -> bool:
    """Whether everybody who is asked certainly has something to pick."""
    return pick.where is None and queries.is_never_empty(inner, pick.source)


def _is_everybody(ctx: Context, asked: core.Generator) -> bool:
    """Whether all players are asked, so that the table has an answer of each."""
    everybody = isinstance(asked.source, core.AllOf) and asked.source.kind == PLAYER
    return everybody and asked.where is None


# ---------------------------------------------------------------- windows


def open_window(ctx: Context, stmt: syntax.OpenWindow) -> core.Block:
    """`open bidding`, `open raising of debt`."""
    ctx.scope.forget(ctx.effects.of_question())
    command = stmt.command
    name = command.verb.text
    info = ctx.world.windows.get(name)
    if info is None:
        near = suggest(name, ctx.world.windows)
        ctx.error(
            "RW0508",
            command.verb.span,
            f"there is no window `{name}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return ()
    has_object = bool(info.prepositions) and info.prepositions[0] is None
    wanted = [p for p in info.prepositions if p is not None]
    given = [prep.preposition for prep in command.preps]
    fits = has_object == (command.object is not None) and sorted(wanted) == sorted(given)
    if not fits or command.extras:
        head = info.decl.signature
        ctx.error(
            "RW0506",
            command.span,
            f"the window `{name}` is not opened like this",
            also=[(head.span, "declared here")],
            help=f"write `open {' '.join(head.span.text.split())}` with your own names",
        )
        return ()
    args = commands.arguments(ctx, command, info.params, has_object, tuple(wanted))
    site = _site(ctx, name, "window", stmt.span, name)
    return (core.OpenWindow(stmt.span, site.site.name, name, args),)
