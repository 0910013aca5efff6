"""Routines, events and phases with the rules that hook them, watches and measures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from dsl.check import build, fit, signatures, texts, ways
from dsl.check.contents import walk_syntax
from dsl.check.context import Context, Form, Place
from dsl.check.exclusion import can_both_apply
from dsl.check.merged import RankedDecl
from dsl.check.otherwise import form_of
from dsl.check.reuse import Reuse
from dsl.check.typenodes import resolve_type
from dsl.check.world import RoutineInfo, World
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, IntType, RefType, Type
from dsl.diagnostics import suggest
from dsl.diagnostics.suggest import did_you_mean
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

_MOST_CELLS = 1000


@record
class PlacedHook:
    """A rule on a routine or phase, and what decides its turn."""

    hook: core.Hook
    timing: str
    target: str
    rank: int
    index: int
    ahead_of: syntax.Name | None


def check_body(
    ctx: Context, place: Place, params: list[tuple[str, Type]], body: syntax.Block, words: list[str]
) -> core.Block:
    """A body whose parameters are known by `words`."""
    place.assigned = ctx.effects.sets(body)
    inner = ctx.placed(place)
    for word, (name, type_) in zip(words, params, strict=True):
        inner.scope.namer.used.add(name)
        inner.scope.bind(word, name, type_, body[0].span if body else place_span(ctx))
    named = f"routine.{place.name.replace(' ', '_')}" if place.form == "routine" else place.key
    return texts.spoken_block(inner, body, named)


def place_span(ctx: Context) -> Span:
    """Some place, where nothing else is at hand."""
    return ctx.world.merged.declarations[0].decl.span


# ---------------------------------------------------------------- routines


def check_routine(
    ctx: Context, reuse: Reuse, info: RoutineInfo, hooks: list[PlacedHook]
) -> core.Routine:
    """The body of a routine or event, with its hooks in order."""
    decl = info.decl
    place = Place(info.name, f"routine.{info.verb}", info.ranked.layer, "routine", info.gives)
    words = [name for name, _ in info.params]
    check = partial(check_body, ctx, place, info.params, decl.body, words)
    body = reuse.made(f"routine {info.name}", check)
    ways.check_routine_gives(ctx, info, body)
    says = body[0] if body and isinstance(body[0], core.Say) else None
    if says is not None and says.form != "line":
        body = body[1:]
    else:
        says = None
    mine = [hook for hook in hooks if hook.target == info.name]
    befores, insteads, afters = _ordered(ctx, mine)
    return core.Routine(
        info.name,
        info.verb,
        tuple(info.params),
        info.gives,
        body,
        befores,
        insteads,
        afters,
        isinstance(decl, syntax.EventDecl),
        decl.doc,
        decl.signature.span,
        says,
    )


def check_phase(
    ctx: Context, reuse: Reuse, ranked: RankedDecl, hooks: list[PlacedHook]
) -> core.Phase:
    """The body of a phase, and what always comes then."""
    decl = ranked.decl
    assert isinstance(decl, syntax.Phase)
    name = decl.name.text
    place = Place(name, f"phase.{name}", ranked.layer, "phase")
    body = reuse.made(f"phase {name}", partial(check_body, ctx, place, [], decl.body, []))
    after = Place(name, f"phase.{name}.then", ranked.layer, "then")
    ways.check_next(ctx, decl)
    check = partial(check_body, ctx, after, [], decl.then or (), [])
    then = reuse.made(f"then of {name}", check)
    befores, _, afters = _ordered(ctx, [hook for hook in hooks if hook.target == name])
    ctx.world.texts.setdefault(f"phase.{name}", name.replace("_", " "))
    return core.Phase(name, body, then, befores, afters, decl.doc, decl.name.span)


def _ordered(
    ctx: Context, hooks: list[PlacedHook]
) -> tuple[tuple[core.Hook, ...], tuple[core.Hook, ...], tuple[core.Hook, ...]]:
    """Before and instead: the outermost layer first; after: the library first."""
    found: list[tuple[core.Hook, ...]] = []
    for timing in ("before", "instead of", "after"):
        chosen = [hook for hook in hooks if hook.timing == timing]
        outward = timing == "after"
        chosen.sort(key=lambda h: (h.rank if outward else -h.rank, h.index))
        if timing == "instead of":
            _warn_rivals(ctx, chosen)
        found.append(tuple(hook.hook for hook in _moved(ctx, chosen)))
    return found[0], found[1], found[2]


def _warn_rivals(ctx: Context, hooks: list[PlacedHook]) -> None:
    """Two mods that take the place of one thing: the later one decides whether the other runs."""
    mods = ctx.world.merged.mods
    for outer, inner in pairwise(placed.hook for placed in hooks if placed.hook.layer in mods):
        if outer.layer == inner.layer or not can_both_apply(ctx.world, outer, inner):
            continue
        ctx.bag.warning(
            "RW0852",
            outer.span,
            f"two mods have a rule instead of `{hooks[0].target}`; this one comes first",
            also=[(inner.span, f"the other one, of `{inner.layer}`")],
            help="it runs the other one where it says `as usual`",
        )


def _moved(ctx: Context, hooks: list[PlacedHook]) -> list[PlacedHook]:
    """Put each rule with `ahead of` right before the one it names."""
    for hook in [hook for hook in hooks if hook.ahead_of is not None]:
        assert hook.ahead_of is not None
        names = [other.hook.rule for other in hooks]
        if hook.ahead_of.text not in names:
            near = suggest(hook.ahead_of.text, names)
            ctx.error(
                "RW0512",
                hook.ahead_of.span,
                f"no rule `{hook.ahead_of.text}` runs there {hook.timing} `{hook.target}`",
                help=f"did you mean `{near}`?" if near else None,
            )
            continue
        hooks.remove(hook)
        at = [other.hook.rule for other in hooks].index(hook.ahead_of.text)
        hooks.insert(at, hook)
    return hooks


# ---------------------------------------------------------------- rules


def check_rules(ctx: Context, reuse: Reuse) -> list[PlacedHook]:
    """All rules on routines, events and phases."""
    found: list[PlacedHook] = []
    seen: dict[str, syntax.Name] = {}
    for index, ranked in enumerate(ctx.world.merged.declarations):
        decl = ranked.decl
        if isinstance(decl, syntax.RuleDecl | syntax.WatchDecl):
            before = seen.get(decl.name.text)
            if before is not None:
                ctx.error(
                    "RW0504",
                    decl.name.span,
                    f"there is a rule `{decl.name.text}` already",
                    also=[(before.span, "first declared here")],
                    help="give it a name of its own, or write `replace rule ...`",
                )
            seen[decl.name.text] = decl.name
        if isinstance(decl, syntax.RuleDecl):
            rule = reuse.made(f"rule {decl.name.text}", partial(_rule, ctx, ranked, decl))
            if rule is not None:
                hook, target = rule
                placed = PlacedHook(hook, decl.timing, target, ranked.rank, index, decl.ahead_of)
                found.append(placed)
    return found


def _rule(ctx: Context, ranked: RankedDecl, decl: syntax.RuleDecl) -> tuple[core.Hook, str] | None:
    """The rule, and the name of what it hooks."""
    name = decl.name.text
    form: Form = "instead" if decl.timing == "instead of" else "rule"
    place = Place(name, f"rule.{name}", ranked.layer, form)
    place.assigned = ctx.effects.sets(decl.body)
    inner = ctx.placed(place)
    hooked = hook_head(inner, decl.signature, decl.timing)
    if hooked is None:
        return None
    target, info, params, patterns = hooked
    place.hooked = info
    place.hook_params = [(word, local, type_) for word, local, type_ in params]
    if form == "instead" and info is not None:
        place.gives = info.gives
    condition = None if decl.condition is None else inner.flag(decl.condition)
    there = inner if condition is None else inner.assuming(condition)
    body = texts.spoken_block(there, decl.body, place.key)
    known = build.constant_flag(condition) if condition is not None else None
    if known is False:
        _warn_never(ctx, decl.name, decl.condition)
        return None
    ways.check_rule_gives(ctx, decl, place.gives, body)
    hook = core.Hook(
        name,
        tuple((local, type_) for _, local, type_ in params),
        patterns,
        None if known else condition,
        body,
        ranked.layer,
        decl.doc,
        decl.name.span,
    )
    return hook, target


def _warn_never(ctx: Context, name: syntax.Name, condition: syntax.Expr | None) -> None:
    """A condition that never holds, though no switch rules it out."""
    switches = ctx.world.switches
    for node in walk_syntax(condition):
        if isinstance(node, syntax.NameExpr) and node.name in switches:
            return
    span = name.span if condition is None else condition.span
    ctx.bag.warning("RW9002", span, f"`{name.text}` never applies: this is never so")


HookHead = tuple[str, RoutineInfo | None, list[tuple[str, str, Type]], tuple[core.Pattern, ...]]


def hook_head(ctx: Context, signature: syntax.Signature, timing: str) -> HookHead | None:
    """What a rule or measure hooks, its own names for the parameters, and its patterns."""
    world, verb = ctx.world, signature.verb.text
    prepositions = {prep.preposition for prep in signature.preps}
    if verb in world.phases and signature.param is None and not prepositions:
        if timing == "instead of":
            ctx.error(
                "RW0513",
                signature.span,
                f"`{verb}` is a phase: a rule can come before or after it, not instead",
                help="hook the routine that the phase calls",
            )
            return None
        return verb, None, [], ()
    infos = world.verbs.get(verb, [])
    info = signatures.matching(infos, signature.param is not None, prepositions)
    if info is None:
        _nothing_hooked(ctx, signature, infos)
        return None
    nodes = [] if signature.param is None else [signature.param]
    given = {prep.preposition: prep.param for prep in signature.preps}
    nodes += [given[preposition] for preposition in info.prepositions]
    params: list[tuple[str, str, Type]] = []
    patterns: list[core.Pattern] = []
    for position, (node, (own, type_)) in enumerate(zip(nodes, info.params, strict=True)):
        narrowed = _pattern(ctx, node, own, type_)
        if narrowed != type_ and isinstance(narrowed, RefType):
            patterns.append(core.Pattern(position, narrowed.kind))
        local = ctx.declare(node.name, narrowed)
        params.append((node.name.text, local.name, narrowed))
    return info.name, info, params, tuple(patterns)


def _pattern(ctx: Context, node: syntax.Param, own: str, type_: Type) -> Type:
    """The type of a rule's parameter: that of the event, or a narrower kind that is written."""
    if node.type is not None:
        wanted = resolve_type(ctx, node.type)
        span = node.type.span
    elif node.name.text in ctx.world.words:
        wanted, span = RefType(ctx.world.words[node.name.text]), node.name.span
    else:
        if node.name.text != own and isinstance(type_, RefType):
            _unexplained(ctx, node, own, type_)
        return type_
    if fit.is_poison(wanted) or fit.is_poison(type_):
        return type_
    if not isinstance(wanted, RefType) or not isinstance(type_, RefType):
        if isinstance(wanted, RefType) and node.type is None:
            return type_
        if not ctx.fits(wanted, type_):
            what = fit.describe(type_)
            ctx.error("RW0601", span, f"this is {what}, not {fit.describe(wanted)}")
        return type_
    if ctx.world.is_a(type_.kind, wanted.kind):
        return type_
    if ctx.world.is_a(wanted.kind, type_.kind):
        return wanted
    ctx.error(
        "RW0601",
        span,
        f"this is {fit.describe(type_)}, never {fit.describe(wanted)}",
        help=f"the rule would never apply; take another name, or `{node.name.text}: {type_.kind}`"
        if node.type is None
        else None,
    )
    return type_


def _unexplained(ctx: Context, node: syntax.Param, own: str, type_: RefType) -> None:
    """A word that names no kind would mean anything at all: a rule for one space, or a slip."""
    word = node.name.text
    near = did_you_mean(word, ctx.world.words)
    ctx.error(
        "RW0525",
        node.name.span,
        f"`{word}` is no kind, so the rule would apply to every {type_.kind}",
        help=near
        or f"say which with `if {own} is {word}`, or give it its kind: `{word}: {type_.kind}`",
    )


def _nothing_hooked(ctx: Context, signature: syntax.Signature, infos: list[RoutineInfo]) -> None:
    world, verb = ctx.world, signature.verb.text
    if infos:
        ways = " or ".join(f"`{signatures.written(info)}`" for info in infos)
        ctx.error(
            "RW0513",
            signature.span,
            f"`{verb}` is not said like this, so the rule would never apply",
            also=[(infos[0].decl.signature.span, "declared here")],
            help=f"it is said {ways}",
        )
        return
    near = suggest(verb, [*world.verbs, *world.phases])
    help_ = f"did you mean `{near}`?" if near else None
    if verb in world.options:
        help_ = "that is an option; hook the routine it calls"
    rule = next((one for one in _rules(world) if one.name.text == verb), None)
    if rule is not None:
        hooked = " ".join(rule.signature.span.text.split())
        help_ = f"`{verb}` is a rule; hook what it hooks: `{rule.timing} {hooked}`"
    elif help_ is None:
        help_ = form_of((ranked.decl for ranked in world.merged.declarations), verb)
    ctx.error(
        "RW0513",
        signature.verb.span,
        f"there is no event, routine or phase `{verb}` to hook",
        help=help_,
    )


def _rules(world: World) -> Iterator[syntax.RuleDecl]:
    for ranked in world.merged.declarations:
        if isinstance(ranked.decl, syntax.RuleDecl):
            yield ranked.decl


# ---------------------------------------------------------------- watches and measures


def check_watches(ctx: Context, reuse: Reuse) -> tuple[core.Watch, ...]:
    """All `whenever` rules."""
    found = [
        reuse.made(f"rule {ranked.decl.name.text}", partial(_watch, ctx, ranked, ranked.decl))
        for ranked in ctx.world.merged.declarations
        if isinstance(ranked.decl, syntax.WatchDecl)
    ]
    return tuple(watch for watch in found if watch is not None)


def _watch(ctx: Context, ranked: RankedDecl, decl: syntax.WatchDecl) -> core.Watch | None:
    name = decl.name.text
    place = Place(name, f"rule.{name}", ranked.layer, "watch")
    place.assigned = ctx.effects.sets(decl.body)
    inner = ctx.placed(place)
    condition = inner.flag(decl.condition)
    body = texts.spoken_block(inner.assuming(condition), decl.body, place.key)
    if build.constant_flag(condition) is False:
        _warn_never(ctx, decl.name, decl.condition)
        return None
    ends = _only_ends(body)
    return core.Watch(name, condition, body, ends, ranked.layer, decl.doc, decl.name.span)


def _only_ends(block: core.Block) -> bool:
    for stmt in block:
        if isinstance(stmt, core.If):
            if not _only_ends(stmt.otherwise):
                return False
            if not all(_only_ends(branch) for _, branch in stmt.branches):
                return False
        elif not isinstance(stmt, core.End | core.Say):
            return False
    return True


def check_measures(ctx: Context) -> dict[str, core.Measure]:
    """All measures."""
    found: dict[str, core.Measure] = {}
    for ranked in ctx.world.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Measure):
            measure = _measure(ctx, ranked, decl)
            if measure is not None:
                found[measure.name] = measure
    return found


def _measure(ctx: Context, ranked: RankedDecl, decl: syntax.Measure) -> core.Measure | None:
    name = decl.name.text
    inner = ctx.placed(Place(name, f"measure.{name}", ranked.layer, "value"))
    if decl.timing == "instead of":
        ctx.error("RW0513", decl.span, "a measure only looks: before or after, never instead")
        return None
    hooked = hook_head(inner, decl.signature, decl.timing)
    if hooked is None:
        return None
    target, _, params, patterns = hooked
    condition = None if decl.condition is None else inner.flag(decl.condition)
    there = inner if condition is None else inner.assuming(condition)
    value = there.number(decl.value)
    per: list[core.Expr] = []
    axes: list[tuple[str, int]] = []
    for node in decl.per:
        key = there.present(there.infer(node))
        axis = _axis(ctx, key.type)
        if axis is None:
            if not fit.is_poison(key.type):
                what = fit.describe(key.type)
                ctx.error("RW0601", node.span, f"nothing can be counted per {what}")
            continue
        per.append(key)
        axes.append(axis)
    hook = core.Hook(
        name,
        tuple((local, type_) for _, local, type_ in params),
        patterns,
        condition,
        (),
        ranked.layer,
        decl.doc,
        decl.name.span,
    )
    title = name.replace("_", " ")
    if decl.title is not None:
        title = "".join(part for part in decl.title.parts if isinstance(part, str))
    ctx.world.texts[f"measure.{name}"] = title
    return core.Measure(name, title, target, decl.timing, hook, value, tuple(per), tuple(axes))


def _axis(ctx: Context, type_: Type) -> tuple[str, int] | None:
    if isinstance(type_, RefType):
        return type_.kind, ctx.world.family(type_.kind).size
    if isinstance(type_, ChoiceType):
        return type_.name or "choice", len(type_.values)
    if isinstance(type_, FlagType):
        return "flag", 2
    if isinstance(type_, IntType):
        return "number", max(1, min(_MOST_CELLS, type_.high + 1))
    return None
