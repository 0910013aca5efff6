"""One line of a strategy as statements: loops over what is searched, guards, the answer.

No list of legal answers is made. Conditions are tested as soon as their names are bound, what
changes seldom first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ask import heads, subscriptions, thresholds
from interpreter.flat.ask.greedy import GoOn, greedy_pick
from interpreter.flat.ask.heads import SEAT
from interpreter.flat.ask.questions import AnswerHead, AskedSite, registers
from interpreter.flat.ask.ranking import Order, best_first, found, is_better, order_of
from interpreter.flat.ask.subscriptions import Chain
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import consumed_answers, facts, ordered, sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.expr.implication import without_weaker
from interpreter.flat.incremental import waking
from interpreter.flat.incremental.reads import ANY, LESS, MORE
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import map_body
from interpreter.flat.plan.core_tree import free_locals
from interpreter.flat.plan.substitute import substitute

Head = tuple[core.HeadItem, ...]


@dataclass(slots=True)
class LineBuilder:
    """The line being made. `note`: whether what it reads is noted; `sign`: which changes of its
    conditions matter; `order`: how the outermost loop comes to the best; `ranking`: what answers
    are compared by, and `best`: the locals of the best so far."""

    low: Lowering
    site: AskedSite
    answer: AnswerHead
    preference: core.Preference
    note: bool = True
    sign: int = MORE
    order: Order | None = None
    ranking: tuple[core.Ranking, ...] = ()
    best: list[str] = field(default_factory=list)
    head: Head = ()

    @property
    def wake(self) -> str | None:
        """The bits that notes go into."""
        return self.site.wake if self.note else None


def own_names(env: Env) -> frozenset[str]:
    """The names of the seat that is asked."""
    return frozenset(name for name, value in env.names.items() if value == SEAT)


def preference_line(
    low: Lowering, site: AskedSite, preference: core.Preference, chain: Chain
) -> list[flat.Stmt]:
    """The statements of a line: they give its answer, or go on behind it."""
    if preference.answer == "pass":
        done: list[flat.Stmt] = [flat.Give(build.num(0))]
        if preference.condition is None:
            return done
        ready = replace(chain, waiting=tuple(sets.conjuncts(preference.condition)))
        passing = LineBuilder(low, site, site.answers[0], preference, sign=LESS)
        return _conditions(passing, ready, lambda _: done)
    answers = site.answers
    if preference.answer != "pick":
        answers = [answer for answer in answers if answer.name == preference.answer]
    return line(LineBuilder(low, site, answers[0], preference), chain) if answers else []


def any_answer(low: Lowering, site: AskedSite, answer: AnswerHead) -> list[flat.Stmt]:
    """Gives an answer as soon as any picks make it legal."""
    anything = core.Preference(answer.name, (), None, (), None, (), site.core_site.span)
    making = LineBuilder(low, site, answer, anything, note=False)
    return _head(making, Chain(answer.env, frozenset()), answer.head)


def first_legal(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    """Gives the first legal answer of a site, if there is one."""
    return [stmt for answer in site.answers for stmt in any_answer(low, site, answer)]


def line(making: LineBuilder, chain: Chain) -> list[flat.Stmt]:
    """A line with an answer."""
    preference, answer = making.preference, making.answer
    env = replace(chain.env, names={**answer.env.names, **chain.env.names})
    own = chain.own | own_names(env)
    known = facts.facts_of(making.low, preference.generators, own)
    if not making.low.does("facts"):
        known = facts.Facts(known.names, own)
    needed, making.head = _early_needs(making, known)
    conditions = facts.narrowed(known, [*sets.conjuncts(preference.condition), *needed])
    waiting = without_weaker(making.low, known, conditions)
    start = replace(chain, env=env, own=own, waiting=waiting)
    stmts: list[flat.Stmt] = []
    if preference.ranking and not _is_first_match(making):
        making.order = _order(making, env)
        is_done = making.order is not None and making.order.is_distinct
        making.ranking = preference.ranking[1:] if is_done else preference.ranking
    if making.ranking:
        making.best = [making.low.temp("best") for _ in making.ranking]
        stmts.append(flat.SetVar(found(making.best), build.num(0)))
    stmts += _conditions(making, start, lambda at: _generators(making, at, preference.generators))
    if making.best:
        give: list[flat.Stmt] = [
            _set_register(register, flat.Var(f"{found(making.best)}_{index}", register.type))
            for index, register in enumerate(registers(making.low, answer.head))
        ]
        give.append(flat.Give(build.num(answer.number)))
        stmts.append(flat.If(flat.Var(found(making.best)), tuple(give)))
    return stmts


def _early_needs(making: LineBuilder, known: facts.Facts) -> tuple[list[core.Expr], Head]:
    """The `needs` that speak only of what the line goes through, and the head without them."""
    needed: list[core.Expr] = []
    kept: list[core.HeadItem] = []
    values: dict[str, core.Expr] = {}
    head = making.answer.head
    for position, item in enumerate(head):
        match item:
            case core.HeadNeeds(condition=condition):
                needed += [substitute(one, values) for one in sets.conjuncts(condition)]
            case core.HeadPick(name=name):
                value = _given(making, item)
                safe = isinstance(value, core.Local) and value.name in known.names
                if value is None or not safe or not _is_of(making.low, value, item):
                    return needed, (*kept, *head[position:])
                values[name] = value
                kept.append(item)
            case _:
                return needed, (*kept, *head[position:])
    return needed, tuple(kept)


def _note(
    making: LineBuilder, chain: Chain, node: object, sign: int = ANY
) -> tuple[list[flat.Stmt], Chain]:
    return subscriptions.note(making.low, making.wake, chain, node, sign)


def _generators(
    making: LineBuilder, chain: Chain, generators: tuple[core.Generator, ...]
) -> list[flat.Stmt]:
    if not generators:
        return _head(making, chain, making.head)
    first, *rest = generators
    noting, noted = _note(making, chain, first, MORE)

    def visit(env: Env) -> list[flat.Stmt]:
        inner = noted.inside(making.low, first, env)
        return _conditions(making, inner, lambda at: _generators(making, at, tuple(rest)))

    loop = ordered.iterate(making.low, chain.env, first, visit, pure=True)
    return [*noting, *_best_first(making, chain, loop)]


def _best_first(making: LineBuilder, chain: Chain, loop: list[flat.Stmt]) -> list[flat.Stmt]:
    """The outermost loop in its order, where it has one."""
    if making.order is None or chain.in_loop:
        return loop
    return best_first(making.low, chain.env, making.order, loop, making.best)


def _order(making: LineBuilder, env: Env) -> Order | None:
    """How the outermost loop of a line comes to the best by its first key."""
    picks = [item for item in making.answer.head if isinstance(item, core.HeadPick)]
    searched = [pick for pick in picks if _given(making, pick) is None]
    loops = [(one.variable, one.source) for one in making.preference.generators]
    loops += [(pick.name, pick.source) for pick in searched]
    if not loops or any(pick.form == "some" for pick in searched):
        return None
    return order_of(making.low, env, *loops[0], making.preference.ranking[0])


def _conditions(
    making: LineBuilder, chain: Chain, then: Callable[[Chain], list[flat.Stmt]]
) -> list[flat.Stmt]:
    """The conditions whose names are all bound by now, each under the note of what it reads."""
    low, wake = making.low, making.wake
    known = set(chain.env.names)
    ready = [one for one in chain.waiting if set(free_locals(one)) <= known]
    if not ready:
        return then(chain)
    first = ready[0]
    if wake is not None:
        first = min(ready, key=lambda one: _first_to_test(low, chain, one))
    rest = tuple(condition for condition in chain.waiting if condition is not first)
    chain = replace(chain, waiting=rest)
    going_on: Callable[[Chain], list[flat.Stmt]] = lambda at: _conditions(making, at, then)  # noqa: E731
    may_lack = wake is not None and making.sign == MORE
    lack = thresholds.lacking(low, chain, first) if may_lack else None
    if wake is not None and lack is not None:
        return thresholds.with_floor(low, wake, chain, lack, going_on)
    noting, inner = _note(making, chain, first, making.sign)
    test = lower(low, chain.env, first)
    if test == build.YES:
        return [*noting, *going_on(inner)]
    return [*noting, flat.If(test, tuple(going_on(inner)))]


def _first_to_test(low: Lowering, chain: Chain, condition: core.Expr) -> int:
    """First what only the seat itself can change, then what it lacks money for, then what changes
    seldom: a line waits for what failed and for what was looked at before."""
    reads = subscriptions.reads_in(low, condition, chain, ANY)
    if all(read.own and not waking.is_purse(low, read) for read in reads):
        return 0
    if thresholds.lacking(low, chain, condition) is not None:
        return 1
    return 3 if any(waking.is_purse(low, read) for read in reads) else 2


# ---------------------------------------------------------------- the head of the answer


def _head(making: LineBuilder, chain: Chain, head: Head) -> list[flat.Stmt]:
    if not head:
        return _success(making, chain)
    item, rest = head[0], head[1:]
    match item:
        case core.HeadNeeds():
            return _with_needs(making, chain, head)
        case core.HeadLet(name=name, value=value):
            noting, noted = _note(making, chain, item)
            stmts, env = heads.head_let(making.low, chain.env, name, value)
            return [*noting, *stmts, *_with_needs(making, replace(noted, env=env), rest)]
        case core.HeadPick():
            return _pick(making, chain, item, rest)


def _with_needs(making: LineBuilder, chain: Chain, head: Head) -> list[flat.Stmt]:
    """Tests the `needs` up to the next pick together with what is waiting, then goes on."""
    needed: list[core.Expr] = []
    while head and isinstance(head[0], core.HeadNeeds):
        needed += sets.conjuncts(head[0].condition)
        head = head[1:]
    plain = facts.Facts(frozenset(), chain.own)
    waiting = without_weaker(making.low, plain, (*chain.waiting, *needed))
    return _conditions(making, replace(chain, waiting=waiting), lambda at: _head(making, at, head))


def _given(making: LineBuilder, pick: core.HeadPick) -> core.Expr | None:
    if making.preference.answer == "pick":
        value = making.preference.value
        if isinstance(value, core.Local) and value.name == pick.name:
            return None
        return value
    return next((value for name, value in making.preference.args if name == pick.name), None)


def _pick(making: LineBuilder, chain: Chain, pick: core.HeadPick, rest: Head) -> list[flat.Stmt]:
    low = making.low
    given = _given(making, pick)
    if given is not None:
        return _given_pick(making, chain, pick, given, rest)
    in_order = isinstance(pick.source, core.RangeOf) and _descending(making, pick)
    if pick.form != "some" and not in_order:
        return _searched_pick(making, chain, pick, rest)
    noting, chain = _note(making, chain, pick, MORE)
    _, type_ = heads.pick_param(low, pick)

    def go_on(_: Env, name: str) -> list[flat.Stmt]:
        env = chain.env.bind(pick.name, flat.Var(name, type_))
        return _with_needs(making, replace(chain, env=env, in_loop=in_order), rest)

    if pick.form == "some":
        ranking = making.preference.ranking
        return [*noting, *greedy_pick(low, chain.env, pick, ranking, go_on)]
    return [*noting, *_down_from(making, chain, pick, go_on)]


def _given_pick(
    making: LineBuilder, chain: Chain, pick: core.HeadPick, given: core.Expr, rest: Head
) -> list[flat.Stmt]:
    """A pick that the line gives: tested; where a purse bounds it, the line waits for that."""
    low, wake = making.low, making.wake
    purse = thresholds.bounding_purse(low, pick) if wake is not None else None
    if purse is not None:
        assert isinstance(pick.source, core.RangeOf)
        noting, chain = _note(making, chain, pick.source.low)
    else:
        noting, chain = _note(making, chain, pick, MORE)
    more, chain = _note(making, chain, given)
    local, type_ = heads.pick_param(low, pick)
    is_set = isinstance(type_, flat.Set)
    value = low.set_(chain.env, given) if is_set else low.expr(chain.env, given)
    stmts = [*noting, *more]
    if not _is_short(value):
        name = low.temp(local)
        stmts.append(flat.SetVar(name, value, type_))
        value = flat.Var(name, type_)
    bound = replace(chain, env=chain.env.bind(pick.name, value))
    inner = _with_needs(making, bound, rest)
    if purse is not None and wake is not None:
        inner = thresholds.from_least(low, chain, pick, value, inner)
        return [*stmts, *thresholds.wait_for(low, wake, chain, purse, value, inner)]
    test = heads.allowed(low, bound.env, pick, value, sure=_is_of(low, given, pick))
    return [*stmts, *inner] if test == build.YES else [*stmts, flat.If(test, tuple(inner))]


def _is_of(low: Lowering, given: core.Expr, pick: core.HeadPick) -> bool:
    """Whether what is given is surely one of the kind that is picked, by its type."""
    one, other = given.type, pick.type
    if not isinstance(one, t.RefType) or not isinstance(other, t.RefType) or one.optional:
        return False
    kinds = low.program.kinds
    return set(kinds[one.kind].members) <= set(kinds[other.kind].members)


def _is_short(value: flat.Expr) -> bool:
    """Whether a value is as good as a local for it."""
    if isinstance(value, flat.Single):
        return not value.may_be_none and isinstance(value.index, flat.Var)
    return isinstance(value, (flat.Num, flat.Bits, flat.Var))


def _searched_pick(
    making: LineBuilder, chain: Chain, pick: core.HeadPick, rest: Head
) -> list[flat.Stmt]:
    low = making.low
    narrowing, chain, rest = _narrowing(making, chain, pick, rest)
    where = pick.where
    for one in narrowing:
        where = one if where is None else core.Logic(t.FlagType(), pick.span, "and", where, one)
    generator = core.Generator(pick.name, pick.type, pick.source, where)
    noting, chain = _note(making, chain, generator, MORE)

    def visit(env: Env) -> list[flat.Stmt]:
        return _with_needs(making, chain.inside(low, generator, env), rest)

    loop = ordered.iterate(low, chain.env, generator, visit, pure=True)
    if making.wake is not None and not chain.in_loop and not making.best:
        loop = _until_the_last(making, chain, generator, loop)
    return [*noting, *_best_first(making, chain, loop)]


def _until_the_last(
    making: LineBuilder, chain: Chain, generator: core.Generator, loop: list[flat.Stmt]
) -> list[flat.Stmt]:
    """The loop over what is picked from; a line whose answer takes the only one away sleeps until
    another one comes."""
    low, wake = making.low, making.wake
    option = low.program.options.get(making.answer.name)
    *before, last = loop
    if wake is None or option is None or not isinstance(last, flat.ForSet):
        return loop
    picks = [item for item in making.answer.head if isinstance(item, core.HeadPick)]
    if len(picks) > 1 or not consumed_answers.is_taken(low, option, generator):
        return loop
    bits = low.layout.bits(sets.element_kind(generator.source.type))
    among = flat.Var(low.temp("among"), flat.Set(bits))
    others = build.set_minus(among, flat.Single(flat.Var(last.name), bits))
    done = flat.If(build.is_empty(others), _is_done(making, wake, chain.lines))
    body = map_body(
        last.body, lambda stmt: (done, stmt) if isinstance(stmt, flat.Give) else (stmt,)
    )
    taking = flat.SetVar(among.name, last.set, among.type)
    return [*before, taking, flat.ForSet(last.name, among, body)]


def _is_done(making: LineBuilder, wake: str, lines: tuple[int, ...] | None) -> flat.Body:
    """Puts a line to sleep, and the seat if no line behind it is awake."""
    low = making.low
    assert lines is not None
    mine = flat.Var("mine", waking.bits_of(low, wake))
    everything = waking.everything(low, wake)
    this = waking.only_lines(low, wake, lines)
    later = waking.only_lines(low, wake, range(lines[-1] + 1, waking.lines_of(low, wake)))
    one = waking.set_bits(low, wake, build.set_minus(everything, build.set_and(mine, this)))
    seat = waking.set_bits(low, wake, flat.SetBin("-", everything, mine))
    if not later.value:
        return (seat,)
    return (flat.If(build.is_empty(build.set_and(mine, later)), (seat,), (one,)),)


def _narrowing(
    making: LineBuilder, chain: Chain, pick: core.HeadPick, rest: Head
) -> tuple[list[core.Expr], Chain, Head]:
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


def _down_from(
    making: LineBuilder, chain: Chain, pick: core.HeadPick, go_on: GoOn
) -> list[flat.Stmt]:
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


def _first_key(making: LineBuilder) -> core.Ranking | None:
    return making.preference.ranking[0] if len(making.preference.ranking) == 1 else None


def _is_itself(key: core.Ranking | None, pick: core.HeadPick) -> bool:
    return key is not None and isinstance(key.value, core.Local) and key.value.name == pick.name


def _descending(making: LineBuilder, pick: core.HeadPick) -> bool:
    key = _first_key(making)
    return key is not None and key.most and _is_itself(key, pick)


def _is_first_match(making: LineBuilder) -> bool:
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
    in_order = pick.form == "amount" and isinstance(pick.source, core.RangeOf)
    return in_order and _is_itself(_first_key(making), pick)


# ---------------------------------------------------------------- success


def _success(making: LineBuilder, chain: Chain) -> list[flat.Stmt]:
    picks = [item for item in making.answer.head if isinstance(item, core.HeadPick)]
    values = [chain.env.names[pick.name] for pick in picks]
    places = registers(making.low, making.answer.head)
    if not making.best:
        stmts = [_set_register(place, value) for place, value in zip(places, values, strict=True)]
        return [*stmts, flat.Give(build.num(making.answer.number))]
    low = making.low
    first: list[flat.Stmt] = []
    keys: list[flat.Expr] = []
    for ranking in making.ranking:
        key = lower(low, chain.env, ranking.value)
        if not build.is_atom(key):
            name = low.temp("key")
            first.append(flat.SetVar(name, key))
            key = flat.Var(name)
        keys.append(key)
    take: list[flat.Stmt] = [flat.SetVar(found(making.best), build.num(1))]
    take += [flat.SetVar(best, key) for best, key in zip(making.best, keys, strict=True)]
    for index, (value, place) in enumerate(zip(values, places, strict=True)):
        take.append(flat.SetVar(f"{found(making.best)}_{index}", value, place.type))
    none_yet = flat.Not(flat.Var(found(making.best)))
    better = is_better(making.ranking, keys, making.best)
    return [*first, flat.If(build.either(none_yet, better), tuple(take))]


def _set_register(register: flat.Scalar, value: flat.Expr) -> flat.Stmt:
    return flat.SetScalar(register.name, value, register.type)
