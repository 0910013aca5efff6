"""Strategies: what a player with character answers, by site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dsl.check import fit, queries
from dsl.check.context import Context, Place
from dsl.check.merged import RankedDecl
from dsl.check.reuse import Reuse
from dsl.check.world import OptionInfo, SiteInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, SetType, Type
from dsl.diagnostics import suggest
from dsl.records import mutable
from dsl.source import Span
from dsl.syntax import nodes as syntax

ME = "me"
PASS = "pass"
PICK = "pick"
Lines = tuple[tuple[core.HeadLet, ...], tuple[core.Preference, ...]]


@mutable
class _Written:
    """A strategy's parts by question, those it takes over included."""

    decl: syntax.Strategy
    ranked: RankedDecl
    parts: dict[str, tuple[syntax.StrategyFor, str]]  # and the layer it comes from


def check_strategies(
    ctx: Context, reuse: Reuse, live: dict[str, core.Site]
) -> dict[str, core.Strategy]:
    """All strategies, each for all sites it answers."""
    written = _collect(ctx)
    found: dict[str, core.Strategy] = {}
    for name, strategy in written.items():
        parts = _inherited(written, strategy)
        _check_questions(ctx, strategy)
        shared: dict[str, Lines] = {}
        sites: dict[str, Lines] = {}
        for site_name in live:
            site = ctx.world.sites[site_name]
            part = parts.get(site.site.question)
            if part is None:
                continue
            window = site.site.window
            if window is not None and window in shared:
                sites[site_name] = shared[window]
                continue
            check = partial(_check_part, ctx, name, site, *part)
            basis = (site, part[0], *_heads(ctx, window))
            lines = reuse.made(f"strategy {name} at {site_name}", check, *basis)
            sites[site_name] = lines
            if window is not None:
                shared[window] = lines
        ctx.world.texts.setdefault(f"strategy.{name}", name.replace("_", " "))
        decl = strategy.decl
        found[name] = core.Strategy(name, decl.doc, sites, decl.name.span)
    return found


def _heads(ctx: Context, window: str | None) -> Iterator[object]:
    """The options of a window as they were checked: their heads are what lines speak of."""
    for key in ctx.world.windows[window].options if window is not None else ():
        yield ctx.world.options[key.partition("@")[0]].core


def _collect(ctx: Context) -> dict[str, _Written]:
    found: dict[str, _Written] = {}
    for ranked in ctx.world.merged.declarations:
        decl = ranked.decl
        if not isinstance(decl, syntax.Strategy):
            continue
        before = found.get(decl.name.text)
        if before is not None:
            ctx.error(
                "RW0504",
                decl.name.span,
                f"there is a strategy `{decl.name.text}` already",
                also=[(before.decl.name.span, "first declared here")],
            )
            continue
        parts: dict[str, tuple[syntax.StrategyFor, str]] = {}
        for part in decl.parts:
            for question in part.questions:
                if question.text in parts:
                    ctx.error(
                        "RW0504",
                        question.span,
                        f"`{question.text}` is answered twice in this strategy",
                        help="put all its lines into one block",
                    )
                parts[question.text] = (part, ranked.layer)
            _remark_repeated(ctx, part)
        found[decl.name.text] = _Written(decl, ranked, parts)
    for strategy in found.values():
        _check_base(ctx, found, strategy)
    return found


def _remark_repeated(ctx: Context, part: syntax.StrategyFor) -> None:
    """Warn of a line that stands there twice: what gave no answer above gives none below."""
    before: dict[str, Span] = {}
    for line in part.preferences:
        text = " ".join(line.span.text.split())
        if text in before:
            ctx.bag.warning(
                "RW0910",
                line.span,
                "the same line stands above: this one is never reached",
                also=[(before[text], "this line")],
                help="change one of them, or leave it out",
            )
        before.setdefault(text, line.span)


def _check_base(ctx: Context, found: dict[str, _Written], strategy: _Written) -> None:
    seen: list[str] = []
    base = strategy.decl.base
    while base is not None:
        if base.text not in found:
            near = suggest(base.text, found)
            ctx.error(
                "RW0903",
                base.span,
                f"there is no strategy `{base.text}`",
                help=f"did you mean `{near}`?" if near else None,
            )
            return
        if base.text in seen or base.text == strategy.decl.name.text:
            ctx.error("RW0903", base.span, "this strategy takes over from itself, in a circle")
            return
        seen.append(base.text)
        base = found[base.text].decl.base


def _inherited(
    found: dict[str, _Written], strategy: _Written
) -> dict[str, tuple[syntax.StrategyFor, str]]:
    chain = [strategy]
    while chain[-1].decl.base is not None:
        base = found.get(chain[-1].decl.base.text)
        if base is None or base in chain:
            break
        chain.append(base)
    parts: dict[str, tuple[syntax.StrategyFor, str]] = {}
    for link in reversed(chain):
        parts |= link.parts
    return parts


def _check_questions(ctx: Context, strategy: _Written) -> None:
    """A question that nothing asks is a mistake, unless a mod may have taken it away."""
    world = ctx.world
    known = {info.site.question for info in world.sites.values()} | set(world.windows)
    for part in strategy.decl.parts:
        for question in part.questions:
            if question.text in known or world.merged.mods:
                continue
            near = suggest(question.text, sorted(known))
            ctx.error(
                "RW0901",
                question.span,
                f"nothing asks the question `{question.text}`",
                help=f"did you mean `{near}`?"
                if near
                else f"`rulewright words {world.merged.variant}` lists all questions",
            )


# ---------------------------------------------------------------- one part at one site


def _check_part(
    ctx: Context, strategy: str, site: SiteInfo, part: syntax.StrategyFor, layer: str
) -> Lines:
    place = Place(strategy, f"strategy.{strategy}", layer, "strategy")
    inner = ctx.placed(place)
    _bind(inner, site.names, part.span)
    inner.scope.namer.used.add(ME)
    inner.scope.bind(ME, ME, RefType("Player"), part.span)
    inner.scope.asked = core.Local(RefType("Player"), part.span, ME)
    lets: list[core.HeadLet] = []
    for let in part.lets:
        value = inner.infer(let.value)
        info = inner.declare(let.name, value.type)
        lets.append(core.HeadLet(info.name, value))
    lines = [_line(inner.child(), site, node) for node in part.preferences]
    return tuple(lets), tuple(line for line in lines if line is not None)


def _bind(ctx: Context, names: dict[str, tuple[str, Type]], span: Span) -> None:
    for word, (name, type_) in names.items():
        ctx.scope.namer.used.add(name)
        ctx.scope.bind(word, name, type_, span)


def _line(ctx: Context, site: SiteInfo, node: syntax.Preference) -> core.Preference | None:
    if node.form == "pass":
        return _pass(ctx, site, node)
    if node.form == "pick":
        return _pick(ctx, site, node)
    return _named(ctx, site, node)


def _pass(ctx: Context, site: SiteInfo, node: syntax.Preference) -> core.Preference | None:
    if site.site.form in ("about", "gather"):
        ctx.error(
            "RW0902",
            node.span,
            f"nobody can pass at `{site.site.question}`",
            help=_answers_help(site.answers),
        )
        return None
    there, condition = _conditioned(ctx, node)
    return _finished(there, node, PASS, (), None, (), condition)


def _answers_help(answers: object) -> str | None:
    names = [f"`{name}`" for name in answers]  # type: ignore[attr-defined]
    return "the answers are " + " and ".join(names) if names else None


def _finished(
    ctx: Context,
    node: syntax.Preference,
    answer: str,
    args: tuple[tuple[str, core.Expr], ...],
    value: core.Expr | None,
    generators: tuple[core.Generator, ...] = (),
    condition: core.Expr | None = None,
) -> core.Preference:
    ranking = tuple(
        core.Ranking(key.extreme == "most", ctx.number(key.value)) for key in node.ranking
    )
    return core.Preference(answer, args, value, generators, condition, ranking, node.span)


def _conditioned(ctx: Context, node: syntax.Preference) -> tuple[Context, core.Expr | None]:
    """The `if` of a line, and the context in which it holds."""
    if node.condition is None:
        return ctx, None
    condition = ctx.flag(node.condition)
    return ctx.assuming(condition), condition


def _pick(ctx: Context, site: SiteInfo, node: syntax.Preference) -> core.Preference | None:
    pick = site.pick
    if pick is None:
        ctx.error(
            "RW0902",
            node.span,
            f"`{site.site.question}` is answered by a name, not by `pick`",
            help=_answers_help(site.answers),
        )
        return None
    element: Type = pick.type
    if isinstance(pick.type, SetType):
        element = RefType(pick.type.kind)
        ctx.scope.bind(fit.kind_word(pick.type.kind), pick.item, element, pick.span)
    ctx.scope.namer.used |= {pick.name, pick.item}
    words = {pick.name, *_written_names(site, pick)}
    for word in words:
        ctx.scope.bind(word, pick.item, element, pick.span)
    inner, generators = queries.clauses(ctx, node.clauses)
    value = node.args[0].value
    is_search = isinstance(value, syntax.NameExpr) and (
        value.name in words
        or (isinstance(pick.type, SetType) and value.name == fit.kind_word(pick.type.kind))
    )
    there, condition = _conditioned(inner, node)
    given = None if is_search and not node.clauses else there.value(value, pick.type)
    return _finished(there, node, PICK, (), given, generators, condition)


def _written_names(site: SiteInfo, pick: core.HeadPick) -> list[str]:
    """How the picked value is called where it is asked for."""
    text = pick.span.text
    base = pick.name.rpartition("_")[0] if pick.name.rpartition("_")[2].isdigit() else pick.name
    return [name for name in (pick.name, base) if name and name in text]


def _named(ctx: Context, site: SiteInfo, node: syntax.Preference) -> core.Preference | None:
    assert node.answer is not None
    name = node.answer.text
    found = _find_answer(ctx, site, name)
    if found is None:
        _no_answer(ctx, site, node.answer)
        return None
    key, head, names = found
    _bind(ctx, names, node.span)
    inner, generators = queries.clauses(ctx, node.clauses)
    there, condition = _conditioned(inner, node)
    args = arguments(there, name, head, names, node.args)
    return _finished(there, node, key, args, None, generators, condition)


Found = tuple[str, tuple[core.HeadItem, ...], dict[str, tuple[str, Type]]]


def _find_answer(ctx: Context, site: SiteInfo, name: str) -> Found | None:
    answer = site.answers.get(name)
    if answer is not None:
        return name, answer.head, answer.names
    if site.site.window is None:
        return None
    for key in ctx.world.windows[site.site.window].options:
        if key.partition("@")[0] == name:
            info: OptionInfo = ctx.world.options[name]
            if info.core is not None:
                return key, info.core.head, info.names
    return None


def _no_answer(ctx: Context, site: SiteInfo, name: syntax.Name) -> None:
    """An answer that is nowhere is a mistake; one that another site of the question has is not."""
    world, question = ctx.world, site.site.question
    here: list[str] = list(site.answers)
    if site.site.window is not None:
        here = [key.partition("@")[0] for key in world.windows[site.site.window].options]
    elsewhere = [
        other
        for info in world.sites.values()
        if info.site.question == question
        for other in info.answers
    ]
    if name.text in elsewhere or world.merged.mods:
        return
    near = suggest(name.text, here)
    help_ = f"did you mean `{near}`?" if near else _answers_help(here)
    if near is None and name.text in world.options:
        windows = " or ".join(f"`{w}`" for w in world.options[name.text].windows)
        help_ = f"it belongs under {windows}"
    if site.pick is not None:
        help_ = f"write `pick` and what is picked: `pick {site.pick.name}`"
    ctx.error("RW0902", name.span, f"`{question}` has no answer `{name.text}`", help=help_)


def arguments(
    ctx: Context,
    answer: str,
    head: tuple[core.HeadItem, ...],
    names: dict[str, tuple[str, Type]],
    args: tuple[syntax.Arg, ...],
) -> tuple[tuple[str, core.Expr], ...]:
    """The values given for what an answer picks, by the names of the head."""
    picks = [item for item in head if isinstance(item, core.HeadPick)]
    words = {
        word: pick for pick in picks for word, (local, _) in names.items() if local == pick.name
    }
    found: dict[str, core.Expr] = {}
    for index, arg in enumerate(args):
        pick = words.get(arg.name.text) if arg.name is not None else None
        if arg.name is None and index < len(picks):
            pick = picks[index]
        if pick is None or pick.name in found:
            word = arg.name.text if arg.name is not None else arg.span.text
            near = suggest(word, words)
            ctx.error(
                "RW0611",
                arg.span,
                f"`{answer}` picks no `{word}`",
                help=f"did you mean `{near}`?"
                if near
                else "it picks " + ", ".join(words)
                if words
                else "it picks nothing",
            )
            ctx.infer(arg.value)
            continue
        expr = ctx.infer(arg.value, pick.type)
        if isinstance(pick.type, SetType) and isinstance(expr.type, RefType):
            expr = core.SetOf(SetType(expr.type.kind), expr.span, (ctx.present(expr),))
        found[pick.name] = _loosely(ctx, expr, pick.type)
    return tuple(found.items())


def _loosely(ctx: Context, expr: core.Expr, type_: Type) -> core.Expr:
    """A value for a pick: whether it is among the candidates is asked in play."""
    both = (expr.type, type_)
    match both:
        case (RefType(kind=one), RefType(kind=other)) if ctx.world.are_related(one, other):
            return ctx.present(expr)
        case (SetType(kind=one), SetType(kind=other)) if ctx.world.are_related(one, other):
            return expr
    if isinstance(expr.type, IntType) and isinstance(type_, IntType):
        return ctx.as_number(expr)
    return ctx.coerce(expr, type_)
