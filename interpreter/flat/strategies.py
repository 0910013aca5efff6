"""Strategies as decision chains: line after line, guards first, the first legal answer is taken.

No list of legal answers is made. At an any-time window every step notes, right before it reads
something, that the seat has to be asked again when that changes; so a line whose cheap guard fails
makes nobody wait for anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat import build, heads, randoms, rewrite, sets, waking
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering, free_locals
from interpreter.flat.exprs import lower
from interpreter.flat.greedy import GoOn, greedy_pick
from interpreter.flat.heads import SEAT
from interpreter.flat.questions import AnswerHead, AskedSite, registers
from interpreter.flat.reads import Read, reads_of
from interpreter.flat.tree import all_nodes


@dataclass(frozen=True, slots=True)
class Chain:
    """What is known at one point of a line being made: bound names, what was noted as read,
    conditions to come.
    """

    env: Env
    own: frozenset[str]
    noted: frozenset[str]
    waiting: tuple[core.Expr, ...]


@dataclass(slots=True)
class Making:
    """The answer function being made."""

    low: Lowering
    site: AskedSite
    answer: AnswerHead
    preference: core.Preference
    best: list[str] = field(default_factory=list)


def add_strategies(low: Lowering) -> None:
    """Makes the answer functions of every strategy at every site, and of the random bot."""
    wanted = low.options.strategies
    for strategy in low.program.strategies.values():
        if wanted is not None and strategy.name not in wanted:
            continue
        functions: dict[str, str] = {}
        for tag, site in low.asked_sites.items():
            entry = _entry(low, strategy, site)
            if entry is None and not (site.core_site.form == "window" and site.may_pass):
                functions[tag] = randoms.random_function(low, site)
            else:
                functions[tag] = _answer_function(low, strategy, site, entry)
        low.out.strategies[strategy.name] = functions
    if wanted is None or "random" in wanted:
        low.out.strategies["random"] = {
            tag: randoms.random_function(low, site) for tag, site in low.asked_sites.items()
        }
    if flat.SEALED in low.out.sites:
        low.add("bot_sealed", (("seat", flat.INT),), (flat.Give(build.num(0)),), flat.INT)
        for functions in low.out.strategies.values():
            functions[flat.SEALED] = "bot_sealed"


Entry = tuple[tuple[core.HeadLet, ...], tuple[core.Preference, ...]]


def _entry(low: Lowering, strategy: core.Strategy, site: AskedSite) -> Entry | None:
    if site.core_site.name in strategy.sites:
        return strategy.sites[site.core_site.name]
    for name, entry in strategy.sites.items():
        known = low.program.sites.get(name)
        if known is not None and known.window is not None and known.window == site.core_site.window:
            return entry
    return None


def _answer_function(
    low: Lowering, strategy: core.Strategy, site: AskedSite, entry: Entry | None
) -> str:
    name = low.function_name(f"bot_{low.safe(strategy.name)}_{site.asked.site}")
    low.add(name, site.asked.params, (), flat.INT, f"{strategy.name} at {site.core_site.question}")
    body: list[flat.Stmt] = []
    env = site.asked.env
    lets, preferences = entry or ((), ())
    noted: frozenset[str] = frozenset()
    own = _own_names(env)
    for let in lets:
        notes, noted = _note(low, site, let.value, own, noted, _all_lines(low, site))
        stmts, env = heads.head_let(low, env, let.name, let.value)
        body += [*notes, *stmts]
    for line, preference in enumerate(preferences):
        body += _woken_line(low, site, line, preference, Chain(env, own, frozenset(), ()))
    body += _when_nothing_fits(low, site)
    low.out.functions[name].body = tuple(body)
    return name


def _all_lines(low: Lowering, site: AskedSite) -> flat.Expr | None:
    return waking.later_lines(low, site.wake, 0) if site.wake is not None else None


def _woken_line(
    low: Lowering, site: AskedSite, line: int, preference: core.Preference, chain: Chain
) -> list[flat.Stmt]:
    """One line; at an any-time window only looked at when something it read has changed."""
    if site.wake is None or (preference.answer == "pass" and preference.condition is None):
        return _preference(low, site, preference, chain)
    type_ = waking.bits_of(low, site.wake)
    this = flat.Var("line", type_)
    if preference.answer == "pass":
        later = flat.SetVar("line", waking.later_lines(low, site.wake, line), type_)
        return [later, *_preference(low, site, preference, chain)]
    bit = waking.bit_of_line(low, site.wake, line)
    wake = waking.everything(low, site.wake)
    body = _preference(low, site, preference, chain)
    looked = waking.set_bits(low, site.wake, flat.SetBin("-", wake, this))
    start = flat.SetVar("line", flat.Single(bit, type_.bits), type_)
    return [flat.If(build.has(wake, bit), (start, *_forget(low, site, body), *body, looked))]


def _forget(low: Lowering, site: AskedSite, body: list[flat.Stmt]) -> list[flat.Stmt]:
    """The line starts anew: it no longer waits for what it read of others the last time."""
    assert site.wake is not None
    type_ = waking.bits_of(low, site.wake)
    this = flat.Var("line", type_)
    written = {
        node.name for stmt in body for node in all_nodes(stmt) if isinstance(node, flat.SetScalar)
    }
    masks = [mask for (_, read), mask in low.masks.items() if not read.own and mask in written]
    return [
        flat.SetScalar(mask, flat.SetBin("-", flat.Scalar(mask, type_), this), type_)
        for mask in masks
    ]


def _own_names(env: Env) -> frozenset[str]:
    return frozenset(name for name, value in env.names.items() if value == SEAT)


def _when_nothing_fits(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    if site.may_pass:
        return [flat.Give(build.num(0))]
    return [*low.first_legal(site), flat.Give(build.num(0))]


def first_legal(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    """Gives the first legal answer of a site, if there is one."""
    stmts: list[flat.Stmt] = []
    for answer in site.answers:
        anything = core.Preference(answer.name, (), None, (), None, (), site.core_site.span)
        making = Making(low, site, answer, anything)
        stmts += _head(
            making, Chain(answer.env, frozenset(), frozenset(), ()), answer.head, note=False
        )
    return stmts


def legal_with(low: Lowering, site: AskedSite, preference: core.Preference) -> list[flat.Stmt]:
    """Gives the number of an answer with some picks given, if it is legal."""
    now = replace(site, wake=None)
    answer = next(answer for answer in site.answers if answer.name == preference.answer)
    start = Chain(site.asked.env, frozenset(), frozenset(), ())
    return _line(Making(low, now, answer, preference), start)


# ---------------------------------------------------------------- one line


def _preference(
    low: Lowering, site: AskedSite, preference: core.Preference, chain: Chain
) -> list[flat.Stmt]:
    if preference.answer == "pass":
        done: list[flat.Stmt] = [flat.Give(build.num(0))]
        if preference.condition is None:
            return done
        ready = replace(chain, waiting=tuple(sets.conjuncts(preference.condition)))
        making = Making(low, site, site.answers[0], preference)
        return _conditions(making, ready, lambda _: done)
    if preference.answer == "pick":
        answer = site.answers[0]
    else:
        found = [answer for answer in site.answers if answer.name == preference.answer]
        if not found:
            return []
        answer = found[0]
    return _line(Making(low, site, answer, preference), chain)


def _line(making: Making, chain: Chain) -> list[flat.Stmt]:
    preference, answer = making.preference, making.answer
    names = {**answer.env.names, **chain.env.names}
    for name, value in answer.env.names.items():
        names.setdefault(name, value)
    env = replace(chain.env, names=names)
    own = chain.own | _own_names(env)
    waiting = tuple(sets.conjuncts(preference.condition))
    start = Chain(env, own, chain.noted, waiting)
    ranked = bool(preference.ranking) and not _is_first_match(making)
    stmts: list[flat.Stmt] = []
    if ranked:
        making.best = [making.low.temp("best") for _ in preference.ranking]
        stmts.append(flat.SetVar(_found(making), build.num(0)))
        stmts += [flat.SetVar(best, build.num(0)) for best in making.best]
        for index, register in enumerate(registers(making.low, answer.head)):
            zero = (
                flat.Bits(0, register.type.bits)
                if isinstance(register.type, flat.Set)
                else build.num(0)
            )
            stmts.append(flat.SetVar(f"{_found(making)}_{index}", zero, register.type))
    stmts += _conditions(making, start, lambda at: _generators(making, at, preference.generators))
    if ranked:
        give: list[flat.Stmt] = [
            _set_register(register, flat.Var(f"{_found(making)}_{index}", register.type))
            for index, register in enumerate(registers(making.low, answer.head))
        ]
        stmts.append(
            flat.If(flat.Var(_found(making)), (*give, flat.Give(build.num(answer.number))))
        )
    return stmts


def _found(making: Making) -> str:
    return f"{making.best[0]}_found"


def _generators(
    making: Making, chain: Chain, generators: tuple[core.Generator, ...]
) -> list[flat.Stmt]:
    if not generators:
        return _head(making, chain, making.answer.head, note=True)
    first, *rest = generators
    low = making.low
    notes, noted = _note(low, making.site, first, chain.own, chain.noted)

    def visit(env: Env) -> list[flat.Stmt]:
        inner = Chain(env, chain.own, noted, chain.waiting)
        return _conditions(making, inner, lambda at: _generators(making, at, tuple(rest)))

    return [*notes, *low.iterate(chain.env, first, visit)]


def _conditions(
    making: Making, chain: Chain, then: Callable[[Chain], list[flat.Stmt]]
) -> list[flat.Stmt]:
    """The conditions whose names are all bound by now, each under the note of what it reads."""
    ready = [
        condition
        for condition in chain.waiting
        if set(free_locals(condition)) <= set(chain.env.names)
    ]
    if not ready:
        return then(chain)
    first = min(ready, key=lambda one: _is_hot(making, chain, one))
    rest = tuple(condition for condition in chain.waiting if condition is not first)
    lacking = _lacking(making, chain, first)
    if lacking is not None:
        return _with_floor(making, replace(chain, waiting=rest), lacking, then)
    notes, noted = _note(making.low, making.site, first, chain.own, chain.noted)
    inner = replace(chain, noted=noted, waiting=rest)
    test = lower(making.low, chain.env, first)
    return [*notes, flat.If(test, tuple(_conditions(making, inner, then)))]


@dataclass(frozen=True, slots=True)
class Lacking:
    """A condition that the seat's own purse holds at least so many units."""

    purse: core.Field
    least: core.Expr
    more: bool


def _lacking(making: Making, chain: Chain, condition: core.Expr) -> Lacking | None:
    """`me.cash >= amount`, in this or another spelling, where the amount reads no purse."""
    low = making.low
    condition = rewrite.expanded(low, condition) or condition
    if making.site.wake is None or not isinstance(condition, core.Compare):
        return None
    left, right, op = condition.left, condition.right, condition.op
    if op in ("<", "<="):
        left, right, op = right, left, ">" if op == "<" else ">="
    if op not in (">", ">=") or not isinstance(left, core.Field):
        return None
    column = low.program.columns[left.column]
    mine = isinstance(left.subject, core.Local) and left.subject.name in chain.own
    if column.role != "purse" or not mine or low.layout.fields[left.column].single:
        return None
    if not waking.is_cold(low, _reads(low, right, chain.own)):
        return None
    return Lacking(left, right, op == ">")


def _with_floor(
    making: Making, chain: Chain, lacking: Lacking, then: Callable[[Chain], list[flat.Stmt]]
) -> list[flat.Stmt]:
    """The condition; where it fails, the line waits until the purse is full enough. That it
    holds less than before can only make it fail."""
    low, wake = making.low, making.site.wake
    assert wake is not None
    notes, noted = _note(low, making.site, lacking.least, chain.own, chain.noted)
    least = low.expr(chain.env, lacking.least)
    least = build.binary("+", least, build.num(int(lacking.more)))
    if not build.is_atom(least):
        name = low.temp("least")
        notes = [*notes, flat.SetVar(name, least)]
        least = flat.Var(name)
    inner = _conditions(making, replace(chain, noted=noted), then)
    return [*notes, *_wait_for(making, chain, lacking.purse, least, inner)]


def _wait_for(
    making: Making, chain: Chain, purse: core.Field, least: flat.Expr, inner: list[flat.Stmt]
) -> list[flat.Stmt]:
    """`inner` if a purse holds so much; else the line waits until it does."""
    low, wake = making.low, making.site.wake
    assert wake is not None
    floor, own, others = waking.floor(low, wake, purse.column)
    waiting = own if waking_is_own(chain, purse) else others
    type_ = waking.bits_of(low, wake)
    owner = low.expr(chain.env, purse.subject)
    known = flat.Cell(floor, owner)
    wait = (
        flat.SetScalar(
            waiting, build.set_or(flat.Scalar(waiting, type_), flat.Var("line", type_)), type_
        ),
        flat.If(flat.Bin("<", least, known), (flat.SetCell(floor, owner, least),)),
    )
    test = build.binary(">=", low.expr(chain.env, purse), least)
    return [flat.If(test, tuple(inner), wait)]


def waking_is_own(chain: Chain, purse: core.Field) -> bool:
    """Whether a purse belongs to the seat that answers."""
    return isinstance(purse.subject, core.Local) and purse.subject.name in chain.own


def _purse_bound(making: Making, pick: core.HeadPick) -> core.Field | None:
    """The purse that bounds an amount that a line gives: `how much paid in 0..player.cash`."""
    source = pick.source
    if making.site.wake is None or pick.form != "amount" or not isinstance(source, core.RangeOf):
        return None
    if not isinstance(source.step, core.Const) or source.step.value != 1:
        return None
    purse = source.high
    if not isinstance(purse, core.Field) or _given(making, pick) is None:
        return None
    column = making.low.program.columns[purse.column]
    single = making.low.layout.fields[purse.column].single
    return purse if column.role == "purse" and not single else None


def _is_hot(making: Making, chain: Chain, condition: core.Expr) -> bool:
    """What changes seldom is looked at first: a line that fails there waits for little."""
    reads = _reads(making.low, condition, chain.own)
    return making.site.wake is not None and not waking.is_cold(making.low, reads)


def _head(
    making: Making, chain: Chain, head: tuple[core.HeadItem, ...], *, note: bool
) -> list[flat.Stmt]:
    if not head:
        return _success(making, chain)
    item, rest = head[0], head[1:]
    low = making.low
    if isinstance(item, core.HeadNeeds) and note:
        needed = tuple(sets.conjuncts(item.condition))
        with_needs = replace(chain, waiting=(*chain.waiting, *needed))
        if rest and isinstance(rest[0], core.HeadNeeds):
            return _head(making, with_needs, rest, note=note)
        return _conditions(making, with_needs, lambda at: _head(making, at, rest, note=note))
    notes: list[flat.Stmt] = []
    noted = chain.noted
    if note:
        bounded = isinstance(item, core.HeadPick) and _purse_bound(making, item) is not None
        read = item.source.low if bounded else item  # type: ignore[union-attr]
        notes, noted = _note(low, making.site, read, chain.own, chain.noted)
    on = replace(chain, noted=noted)
    match item:
        case core.HeadLet(name=name, value=value):
            stmts, env = heads.head_let(low, chain.env, name, value)
            bound = replace(on, env=env)
            return [
                *notes,
                *stmts,
                *_conditions(making, bound, lambda at: _head(making, at, rest, note=note)),
            ]
        case core.HeadNeeds(condition=condition):
            test = lower(low, chain.env, condition)
            return [*notes, flat.If(test, tuple(_head(making, on, rest, note=note)))]
        case core.HeadPick():
            return [*notes, *_picked(making, on, item, rest, note=note)]


def _given(making: Making, pick: core.HeadPick) -> core.Expr | None:
    if making.preference.answer == "pick":
        value = making.preference.value
        if isinstance(value, core.Local) and value.name == pick.name:
            return None
        return value
    return next((value for name, value in making.preference.args if name == pick.name), None)


def _picked(
    making: Making,
    chain: Chain,
    pick: core.HeadPick,
    rest: tuple[core.HeadItem, ...],
    *,
    note: bool,
) -> list[flat.Stmt]:
    low = making.low
    local, type_ = heads.pick_param(low, pick)
    given = _given(making, pick)

    def go_on_with(value: flat.Expr) -> list[flat.Stmt]:
        bound = replace(chain, env=chain.env.bind(pick.name, value))
        return _conditions(making, bound, lambda at: _head(making, at, rest, note=note))

    if given is not None:
        notes, noted = (
            _note(low, making.site, given, chain.own, chain.noted) if note else ([], chain.noted)
        )
        chain = replace(chain, noted=noted)
        purse = _purse_bound(making, pick) if note else None
        lowered = low.set_(chain.env, given) if isinstance(type_, flat.Set) else low.expr(chain.env, given)
        if isinstance(lowered, (flat.Num, flat.Bits, flat.Var)):
            bound = chain.env.bind(pick.name, lowered)
            if purse is not None:
                inner = _from_least(low, chain, pick, lowered, go_on_with(lowered))
                return [*notes, *_wait_for(making, chain, purse, lowered, inner)]
            test = heads.allowed(low, bound, pick, lowered)
            return [*notes, flat.If(test, tuple(go_on_with(lowered)))]
        name = low.temp(local)
        value = flat.Var(name, type_)
        if purse is not None:
            inner = _from_least(low, chain, pick, value, go_on_with(value))
            found = _wait_for(making, chain, purse, value, inner)
            return [*notes, flat.SetVar(name, lowered, type_), *found]
        test = heads.allowed(low, chain.env.bind(pick.name, value), pick, value)
        return [*notes, flat.SetVar(name, lowered, type_), flat.If(test, tuple(go_on_with(value)))]
    if pick.form == "some":
        ranking = making.preference.ranking
        return greedy_pick(low, chain.env, pick, ranking, lambda _, name: go_on_with(flat.Var(name, type_)))
    if isinstance(pick.source, core.RangeOf) and _descending(making, pick):
        return _down_from(making, chain, pick, lambda _, name: go_on_with(flat.Var(name)))
    narrowing, chain, rest = _narrowing(making, chain, pick, rest)
    if note:
        more, noted = _note(low, making.site, tuple(narrowing), chain.own, chain.noted)
        before = more
        chain = replace(chain, noted=noted)
    else:
        before = []
    where = pick.where
    for condition in narrowing:
        where = condition if where is None else core.Logic(t.FlagType(), pick.span, "and", where, condition)
    generator = core.Generator(pick.name, pick.type, pick.source, where)

    def visit(env: Env) -> list[flat.Stmt]:
        bound = replace(chain, env=env)
        return _conditions(making, bound, lambda at: _head(making, at, rest, note=note))

    return [*before, *low.iterate(chain.env, generator, visit)]


def _from_least(
    low: Lowering, chain: Chain, pick: core.HeadPick, value: flat.Expr, inner: list[flat.Stmt]
) -> list[flat.Stmt]:
    assert isinstance(pick.source, core.RangeOf)
    return [flat.If(build.binary(">=", value, low.expr(chain.env, pick.source.low)), tuple(inner))]


def _narrowing(
    making: Making, chain: Chain, pick: core.HeadPick, rest: tuple[core.HeadItem, ...]
) -> tuple[list[core.Expr], Chain, tuple[core.HeadItem, ...]]:
    """Conditions to come that narrow the candidates as set algebra: those of the line, and the
    `needs` up to the next pick. They are taken out of what is still to be tested."""
    if not isinstance(pick.source.type, t.SetType):
        return [], chain, rest
    env = chain.env.bind(pick.name, build.num(0))
    found: list[core.Expr] = []

    def fits(condition: core.Expr) -> bool:
        names = free_locals(condition)
        known = pick.name in names and set(names) <= set(env.names)
        return known and sets.as_set(making.low, env, pick.name, condition) is not None

    waiting = tuple(condition for condition in chain.waiting if not fits(condition))
    found += [condition for condition in chain.waiting if fits(condition)]
    kept: list[core.HeadItem] = []
    for position, item in enumerate(rest):
        if not isinstance(item, core.HeadNeeds):
            kept += rest[position:]
            break
        parts = sets.conjuncts(item.condition)
        narrowing = [part for part in parts if fits(part)]
        found += narrowing
        if len(narrowing) == len(parts):
            continue
        kept.append(item)
    return found, replace(chain, waiting=waiting), tuple(kept)


def _down_from(making: Making, chain: Chain, pick: core.HeadPick, go_on: GoOn) -> list[flat.Stmt]:
    assert isinstance(pick.source, core.RangeOf)
    low = making.low
    bottom = lower(low, chain.env, pick.source.low)
    top = lower(low, chain.env, pick.source.high)
    step = lower(low, chain.env, pick.source.step)
    name, least = low.temp(f"v_{pick.name}"), low.temp("least")
    steps = build.binary("//", build.binary("-", top, flat.Var(least)), step)
    start = build.binary("+", flat.Var(least), build.binary("*", steps, step))
    body = go_on(chain.env, name)
    next_one = flat.SetVar(name, build.binary("-", flat.Var(name), step))
    return [
        flat.SetVar(least, bottom),
        flat.SetVar(name, start),
        flat.While(flat.Bin(">=", flat.Var(name), flat.Var(least)), (*body, next_one)),
    ]


def _first_key(making: Making) -> core.Ranking | None:
    return making.preference.ranking[0] if len(making.preference.ranking) == 1 else None


def _descending(making: Making, pick: core.HeadPick) -> bool:
    key = _first_key(making)
    return (
        key is not None
        and key.most
        and isinstance(key.value, core.Local)
        and key.value.name == pick.name
    )


def _is_first_match(making: Making) -> bool:
    """A ranking by the amount itself needs no comparing: amounts come in order. So does that of a
    set's items.
    """
    picks = [item for item in making.answer.head if isinstance(item, core.HeadPick)]
    searched = [pick for pick in picks if _given(making, pick) is None]
    if making.preference.generators or len(searched) != 1:
        return False
    pick = searched[0]
    if pick.form == "some":
        return True
    key = _first_key(making)
    by_itself = (
        key is not None and isinstance(key.value, core.Local) and key.value.name == pick.name
    )
    return pick.form == "amount" and isinstance(pick.source, core.RangeOf) and by_itself


# ---------------------------------------------------------------- success


def _success(making: Making, chain: Chain) -> list[flat.Stmt]:
    picks = [item for item in making.answer.head if isinstance(item, core.HeadPick)]
    values = [chain.env.names[pick.name] for pick in picks]
    places = registers(making.low, making.answer.head)
    if not making.best:
        stmts = [_set_register(place, value) for place, value in zip(places, values, strict=True)]
        return [*stmts, flat.Give(build.num(making.answer.number))]
    low = making.low
    notes: list[flat.Stmt] = []
    keys: list[flat.Expr] = []
    for ranking in making.preference.ranking:
        more, noted = _note(low, making.site, ranking.value, chain.own, chain.noted)
        notes += more
        chain = replace(chain, noted=noted)
        name = low.temp("key")
        notes.append(flat.SetVar(name, lower(low, chain.env, ranking.value)))
        keys.append(flat.Var(name))
    better: flat.Expr = build.NO
    same: flat.Expr = build.YES
    for ranking, key, best in zip(making.preference.ranking, keys, making.best, strict=True):
        above = flat.Bin(">" if ranking.most else "<", key, flat.Var(best))
        better = build.either(better, build.both(same, above))
        same = build.both(same, build.equal(key, flat.Var(best)))
    take: list[flat.Stmt] = [flat.SetVar(_found(making), build.num(1))]
    take += [flat.SetVar(best, key) for best, key in zip(making.best, keys, strict=True)]
    for index, (value, place) in enumerate(zip(values, places, strict=True)):
        take.append(flat.SetVar(f"{_found(making)}_{index}", value, place.type))
    return [*notes, flat.If(build.either(flat.Not(flat.Var(_found(making))), better), tuple(take))]


def _set_register(register: flat.Scalar, value: flat.Expr) -> flat.Stmt:
    return flat.SetScalar(register.name, value, register.type)


# ---------------------------------------------------------------- notes


def _note(
    low: Lowering,
    site: AskedSite,
    node: object,
    own: frozenset[str],
    noted: frozenset[str],
    lines: flat.Expr | None = None,
) -> tuple[list[flat.Stmt], frozenset[str]]:
    """Statements that note what is about to be read, and all that is noted after them."""
    if site.wake is None:
        return [], noted
    stmts: list[flat.Stmt] = []
    type_ = waking.bits_of(low, site.wake)
    this = lines if lines is not None else flat.Var("line", type_)
    for read in _reads(low, node, own):
        mask = waking.mask(low, site.wake, read)
        if mask in noted:
            continue
        noted |= {mask}
        stmts.append(flat.SetScalar(mask, build.set_or(flat.Scalar(mask, type_), this), type_))
    return stmts, noted


def _reads(low: Lowering, node: object, own: frozenset[str]) -> dict[Read, None]:
    parts = node if isinstance(node, tuple) else (node,)
    return {read: None for part in parts for read in reads_of(low, part, own)}
