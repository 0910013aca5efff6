"""Questions: sites, what is asked, and what the answers do."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ask import heads
from interpreter.flat.ask.heads import SEAT, Asked
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.stmt import watches
from interpreter.flat.stmt.statements import lower_block


@dataclass(frozen=True, slots=True)
class AnswerHead:
    """One answer at a site: its number, name, head, and the environment its head starts from."""

    number: int
    name: str
    head: tuple[core.HeadItem, ...]
    env: Env
    refuse: str


@dataclass(slots=True)
class AskedSite:
    """A site and its answers, for strategies. `wake`: the scalar of seats to ask again, of an any-
    time window.
    """

    core_site: core.Site
    asked: Asked
    answers: list[AnswerHead]
    may_pass: bool
    pick: core.HeadPick | None = None
    wake: str | None = None
    closing: str = ""


@dataclass(slots=True)
class AskedSites:
    """All sites that are asked, by their generated names."""

    by_tag: dict[str, AskedSite] = field(default_factory=dict)


def lower_question(
    low: Lowering, frame: Frame, env: Env, stmt: core.Stmt
) -> tuple[list[flat.Stmt], Env]:
    """A question statement, and the environment after it."""
    match stmt:
        case core.AskAbout():
            return [*watches.run_watches(low), *_about(low, frame, env, stmt)], env
        case core.Ask():
            return [*watches.run_watches(low), *_pick(low, frame, env, stmt)], env
        case core.Gather():
            return [*watches.run_watches(low), *_gather(low, frame, env, stmt)], env
        case core.OpenWindow():
            return [*watches.run_watches(low), *low.open_window(env, stmt)], env
        case _:
            raise AssertionError("not a question")


def asked_at(low: Lowering, site_name: str) -> Asked:
    """The parameters of the functions around a site: the seat and the scope."""
    site = low.program.sites[site_name]
    params: list[tuple[str, flat.FlatType]] = [("seat", flat.INT)]
    env = Env().bind("me", SEAT)
    for name, type_ in site.scope:
        param = low.param(name, type_)
        params.append(param)
        env = env.bind(name, flat.Var(*param))
    return Asked(low.site_tag(site_name), tuple(params), env)


def scope_args(low: Lowering, env: Env, site_name: str) -> tuple[flat.Expr, ...]:
    """The locals in scope at a site."""
    return tuple(env.names[name] for name, _ in low.program.sites[site_name].scope)


def _asking(low: Lowering, env: Env, site: str, seat: flat.Expr) -> flat.Expr:
    return flat.AskSeat(low.site_tag(site), seat, scope_args(low, env, site))


def count_question() -> flat.Stmt:
    """Counts the questions of a game."""
    return flat.SetScalar("questions", build.binary("+", flat.Scalar("questions"), build.num(1)))


def register(low: Lowering, kind: str, number: int, bits: int = 0) -> flat.Scalar:
    """The answer register a picked value is left in."""
    if kind == "int":
        name = f"answer_{number}"
        low.out.scalars.setdefault(name, flat.ScalarDecl(name, flat.INT, 0, "scratch"))
        return flat.Scalar(name)
    name = f"answer_set_{number}"
    known = low.out.scalars.get(name)
    size = max(
        bits, known.type.bits if known is not None and isinstance(known.type, flat.Set) else 0
    )
    low.out.scalars[name] = flat.ScalarDecl(name, flat.Set(size), 0, "scratch")
    return flat.Scalar(name, flat.Set(bits))


def registers(low: Lowering, head: tuple[core.HeadItem, ...]) -> list[flat.Scalar]:
    """The registers of a head's picks, in order."""
    found: list[flat.Scalar] = []
    ints = sets_ = 0
    for item in head:
        if isinstance(item, core.HeadPick):
            if item.form == "some":
                sets_ += 1
                found.append(
                    register(low, "set", sets_, low.layout.bits(sets.element_kind(item.type)))
                )
            else:
                ints += 1
                found.append(register(low, "int", ints))
    return found


def declare_answer(
    low: Lowering,
    asked: Asked,
    env: Env,
    tag: str,
    number: int,
    name: str,
    head: tuple[core.HeadItem, ...],
    label: core.TextOf | None = None,
) -> tuple[AnswerHead, flat.AnswerInfo]:
    """The functions of one answer: why not, candidates, reasons."""
    refuse, _ = heads.refusal(low, asked, env, tag, head)
    picks: tuple[flat.PickInfo, ...] = ()
    reasons: tuple[flat.TextInfo, ...] = ()
    shown: flat.TextInfo | None = None
    if low.options.host:
        picks = heads.pick_infos(low, asked, env, tag, head)
        reasons = heads.reason_texts(low, asked, env, tag, head)
        shown = heads.label_text(low, asked, env, tag, head, label)
    registers(low, head)
    return AnswerHead(number, name, head, env, refuse), flat.AnswerInfo(
        name, number, picks, refuse, reasons, shown
    )


def add_site(
    low: Lowering,
    site: AskedSite,
    infos: list[flat.AnswerInfo],
    several: core.Generator | None = None,
    prompt: core.TextOf | None = None,
    passes: tuple[tuple[core.Expr | None, core.TextOf], ...] = (),
    shows: core.TextOf | None = None,
) -> None:
    """Makes a site known to the host and the strategies. `several`: who is asked, if not one.
    `prompt`, `passes`: how the question and passing are put; `shows`: what is at stake."""
    known = site.core_site
    scope = tuple((name, low.layout.flat_type(type_), type_) for name, type_ in known.scope)
    tag = site.asked.site
    asking = _asking_of(low, site, several) if low.options.scenarios else None
    low.out.sites[tag] = flat.Site(
        tag, known.question, known.form, scope, tuple(infos), site.may_pass, asking,
        *_put(low, site.asked, several, prompt, passes, shows),
    )  # fmt: skip
    low.own(AskedSites).by_tag[tag] = site


def _put(
    low: Lowering,
    asked: Asked,
    several: core.Generator | None,
    prompt: core.TextOf | None,
    passes: tuple[tuple[core.Expr | None, core.TextOf], ...],
    shows: core.TextOf | None,
) -> tuple[
    flat.TextInfo | None, tuple[tuple[str | None, flat.TextInfo], ...], flat.TextInfo | None
]:
    """How a question and passing are put, what it shows: functions of the seat and the scope."""
    if not low.options.host:
        return None, (), None
    env = asked.env if several is None else asked.env.bind(several.variable, SEAT)
    params, tag = asked.params, asked.site
    question = None
    if prompt is not None:
        question = heads.text_info(low, env, f"{tag}_as", prompt, params)
    ways: list[tuple[str | None, flat.TextInfo]] = []
    for condition, text in passes:
        name = None
        if condition is not None:
            name = low.function_name(f"passes_{tag}")
            low.add(name, params, (flat.Give(lower(low, env, condition)),), flat.INT)
        ways.append((name, heads.text_info(low, env, f"{tag}_pass", text, params)))
    shown = None
    if shows is not None:
        shown = heads.text_info(low, env, f"{tag}_shows", shows, params)
    return question, tuple(ways), shown


def _asking_of(low: Lowering, site: AskedSite, several: core.Generator | None) -> flat.Asking:
    known = site.core_site
    window = None if known.window is None else low.program.windows[known.window]
    span = known.span if window is None else window.span
    if several is None:
        return flat.Asking(span, None, None)
    names = [name for name, _ in known.scope]
    own = names.index(several.variable) if several.variable in names else None
    closing = None if window is None else window.closing
    return flat.Asking(span, _list_asked(low, site.asked, several), own, closing)


def _list_asked(low: Lowering, asked: Asked, several: core.Generator) -> str:
    name = f"asked_{asked.site}"
    low.answer_row(several.source.type)
    row = flat.RowAt("answer_row", build.num(0), 64)
    env = asked.env
    fill = low.iterate(
        env, several, lambda inner: [flat.RowPush(row, inner.names[several.variable])]
    )
    low.add(name, asked.params[1:], (flat.RowClear(row), *fill), None, "who is asked, in order")
    return name


# ---------------------------------------------------------------- about


def _about(low: Lowering, frame: Frame, env: Env, stmt: core.AskAbout) -> list[flat.Stmt]:
    asked = asked_at(low, stmt.site)
    site = AskedSite(low.program.sites[stmt.site], asked, [], may_pass=False)
    infos: list[flat.AnswerInfo] = []
    for number, answer in enumerate(stmt.answers, 1):
        head, info = declare_answer(
            low,
            asked,
            asked.env,
            f"{asked.site}_{low.safe(answer.name)}",
            number,
            answer.name,
            answer.head,
            answer.label,
        )
        site.answers.append(head)
        infos.append(info)
    add_site(low, site, infos, prompt=stmt.label, shows=stmt.shows)
    given = low.temp("answer")
    stmts: list[flat.Stmt] = [
        count_question(),
        flat.SetVar(given, _asking(low, env, stmt.site, lower(low, env, stmt.asked))),
    ]
    branch: flat.Body = ()
    for number, answer in reversed(list(enumerate(stmt.answers, 1))):
        inner = env
        body: list[flat.Stmt] = list(
            low.counter.count(f"answer {stmt.site.split('/')[-1]}.{answer.name}")
        )
        for item in answer.head:
            if isinstance(item, core.HeadLet):
                lets, inner = heads.head_let(low, inner, item.name, item.value)
                body += lets
        acts = [*low.tracer.answer(env, stmt, answer), *lower_block(low, frame, inner, answer.body)]
        body += low.tracer.within(f"answer {answer.name}", acts)
        branch = (flat.If(build.equal(flat.Var(given), build.num(number)), tuple(body), branch),)
    return [*stmts, *branch]


# ---------------------------------------------------------------- picks


def _declare_pick(
    low: Lowering,
    site_name: str,
    pick: core.HeadPick,
    may_decline: bool,
    several: core.Generator | None = None,
    label: core.TextOf | None = None,
    shows: core.TextOf | None = None,
) -> AskedSite:
    asked = asked_at(low, site_name)
    site = AskedSite(low.program.sites[site_name], asked, [], may_decline, pick)
    head, info = declare_answer(low, asked, asked.env, asked.site, 1, pick.name, (pick,))
    site.answers.append(head)
    add_site(low, site, [info], several, label, shows=shows)
    return site


def _something_to_pick(low: Lowering, env: Env, pick: core.HeadPick) -> flat.Expr:
    if heads.of_entities(pick):
        found = heads.candidates(low, env, pick)
        if pick.form == "some" and pick.low is not None:
            least = lower(low, env, pick.low)
            return build.YES if least == build.NO else flat.Bin(">=", flat.Count(found), least)
        return build.YES if pick.form == "some" else build.negate(build.is_empty(found))
    if isinstance(pick.source, core.RangeOf) and pick.where is None:
        return flat.Bin("<=", lower(low, env, pick.source.low), lower(low, env, pick.source.high))
    generator = core.Generator(pick.item, pick.type, pick.source, pick.where)
    yes = core.Const(t.FlagType(), pick.span, 1)
    return lower(low, env, core.Fold(yes.type, pick.span, "any", (generator,), yes, None, None))


def _pick(low: Lowering, frame: Frame, env: Env, stmt: core.Ask) -> list[flat.Stmt]:
    _declare_pick(low, stmt.site, stmt.pick, stmt.may_decline, label=stmt.label, shows=stmt.shows)
    picked = registers(low, (stmt.pick,))[0]
    local = heads.pick_param(low, stmt.pick)
    inner = env.bind(stmt.pick.name, flat.Var(*local))
    body = (
        flat.SetVar(local[0], picked, local[1]),
        *low.tracer.within(
            f"pick {stmt.pick.name}",
            [*low.tracer.pick(inner, stmt), *lower_block(low, frame, inner, stmt.body)],
        ),
    )
    otherwise = lower_block(low, frame, env, stmt.otherwise)
    ask = _asking(low, env, stmt.site, lower(low, env, stmt.asked))
    there = _something_to_pick(low, env, stmt.pick)
    if there == build.YES:
        return [count_question(), flat.If(ask, body, otherwise)]
    given = low.temp("answer")
    return [
        flat.SetVar(given, build.num(0)),
        flat.If(there, (count_question(), flat.SetVar(given, ask))),
        flat.If(flat.Var(given), body, otherwise),
    ]


def _gather(low: Lowering, frame: Frame, env: Env, stmt: core.Gather) -> list[flat.Stmt]:
    site = _declare_pick(low, stmt.site, stmt.pick, False, stmt.asked, stmt.label, stmt.shows)
    picked = registers(low, (stmt.pick,))[0]
    type_ = low.layout.flat_type(stmt.pick.type)
    assert isinstance(stmt.asked.variable_type, t.RefType)
    size = low.layout.bits(stmt.asked.variable_type.kind)
    column = low.names.of(f"gather_{site.asked.site}", "gather", site.asked.site)
    low.out.columns[column] = flat.ColumnDecl(column, type_, (0,) * size, "scratch")
    assert isinstance(stmt.table_type, t.MapType)
    nothing: flat.Expr
    if isinstance(type_, flat.Set):
        nothing = flat.Bits(0, type_.bits)
    else:
        nothing = build.num(t.none_value(stmt.table_type.value))
    cleared = [flat.SetCell(column, build.num(seat), nothing, type_) for seat in range(size)]

    def visit(inner: Env) -> list[flat.Stmt]:
        seat = inner.names[stmt.asked.variable]
        given = low.temp("answer")
        ask = flat.AskSeat(site.asked.site, seat, scope_args(low, inner, stmt.site))
        there = _something_to_pick(low, inner.bind("me", seat), stmt.pick)
        return [
            flat.SetVar(given, build.num(0)),
            flat.If(there, (count_question(), flat.SetVar(given, ask))),
            flat.If(flat.Var(given), (flat.SetCell(column, seat, picked, type_),)),
        ]

    asking = [*cleared, *low.iterate(env, stmt.asked, visit), *_sealed(low)]
    inner = env.bind_table(stmt.table, column, type_)
    return [*asking, *lower_block(low, frame, inner, stmt.body)]


def _sealed(low: Lowering) -> list[flat.Stmt]:
    """Tells the host that all have been asked in secret, so that it can wait for all at once."""
    if not low.options.host:
        return []
    sealed = flat.Site(flat.SEALED, flat.SEALED, "pick", (), (), False)
    low.out.sites.setdefault(flat.SEALED, sealed)
    return [flat.Run(flat.AskSeat(flat.SEALED, build.num(0), ()))]
