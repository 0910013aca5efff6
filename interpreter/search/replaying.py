"""A program that can take up a game in the middle of a phase: for playouts in WebAssembly.

A phase can only be entered at its beginning. So every seat first is a player that gives the answers
of a log. Where the log ends, at the open question, the state is replaced by a sample; the seat
goes on with the answers that are to be tried, and from then on strategies play. The state at the
beginning, the log, the sample and the answers are numbers that the host writes into the memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from interpreter.emit.layout import BATCH_GAMES, Layout
from interpreter.emit.wat import print_wat
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.search.hidden import CACHES, GATHERED

REPLAY = "search__replay"
"""The player that gives the answers of a log; its name can't be that of a strategy."""

LOG = "search__log"
LOG_SIZE = 8192
AT, FIRST, START, LAST, SEAT, SAMPLED = (
    f"search__{word}" for word in ("at", "first", "start", "last", "seat", "sampled")
)
"""Scalars of the host: where the log is being read; where the answers of the game end in it; where
those that are tried begin and end; the seat that tries them; whether the sample is in place."""

TAKE_SAMPLE, LEAVE, SIMULATE = "search__take", "search__leave", "search__simulate"
PLAY_ON = "search__play_on"

MOST_AT_ONCE = 64
"""The most playouts of one call."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the host writes what is not part of the state.

    From address `sample`, in one piece of `size` bytes: the state of the sample; what others have
    answered in secret, by column at `gathered`; at `line_up`, the number of each seat's player
    after the question, and that of the strategy which follows for the seat that tries answers; at
    `points`, what each seat has at the question. At `parts`: for each playout, where in the log its
    answers begin and end.
    """

    sample: int
    size: int
    gathered: tuple[tuple[str, int], ...]
    line_up: int
    points: int
    parts: int


def with_replay(program: flat.Program) -> flat.Program:
    """A lowered program with the player of a log."""
    scalars = {name: _scratch(name) for name in (AT, FIRST, START, LAST, SEAT, SAMPLED)}
    log = flat.ColumnDecl(LOG, flat.INT, (0,) * LOG_SIZE, "scratch")
    made = replace(
        program,
        scalars={**program.scalars, **scalars},
        columns={**program.columns, LOG: log},
        functions=dict(program.functions),
        strategies=dict(program.strategies),
    )
    for name in (TAKE_SAMPLE, LEAVE):  # a row keeps it from being put where it is called
        made.functions[name] = flat.Function(name, (), (flat.NewRow("row", 1),), None)
    made.functions[f"{REPLAY}_next"] = next_answer(made)
    functions: dict[str, str] = {}
    for site in made.sites.values():
        like = made.functions[next(iter(program.strategies.values()))[site.name]]
        functions[site.name] = name = f"{REPLAY}_{site.name}"
        made.functions[name] = _answer(made, site, name, like.params)
    made.strategies[REPLAY] = functions
    return made


def _scratch(name: str) -> flat.ScalarDecl:
    return flat.ScalarDecl(name, flat.INT, 0, "scratch")


def _answer(
    program: flat.Program,
    site: flat.Site,
    name: str,
    params: tuple[tuple[str, flat.FlatType], ...],
) -> flat.Function:
    """The answer of the player of a log at a site."""
    next_answer = flat.Call(f"{REPLAY}_next", ())
    seat = flat.Var(params[0][0])
    given = (flat.Return(next_answer),)
    take: list[flat.Stmt] = []
    if site.form == "gather":
        others = flat.Bin("!=", seat, flat.Scalar(SEAT))
        take.append(flat.If(others, (flat.Return(build.num(0)),)))
    take += [
        flat.Run(flat.Call(TAKE_SAMPLE, ())),
        flat.SetScalar(SAMPLED, build.num(1)),
        flat.SetScalar(AT, flat.Scalar(START)),
        *_forget(program),
    ]
    rest = tuple(flat.Var(*param) for param in params[1:])
    body: list[flat.Stmt] = [
        flat.If(flat.Bin("<", flat.Scalar(AT), flat.Scalar(FIRST)), given),
        flat.If(flat.Not(flat.Scalar(SAMPLED)), tuple(take)),
        flat.If(flat.Bin("<", flat.Scalar(AT), flat.Scalar(LAST)), given),
        flat.Run(flat.Call(LEAVE, ())),
        *_always(program, seat, asks=False),
        flat.Return(flat.AskSeat(site.name, seat, rest)),
    ]
    return flat.Function(name, params, tuple(body), flat.INT)


def _forget(program: flat.Program) -> list[flat.Stmt]:
    """Drops what the program has remembered of the state as it was, as `Hidden.forget` does."""
    stmts: list[flat.Stmt] = [
        flat.SetScalar(scalar.name, _constant(scalar.initial, scalar.type), scalar.type)
        for scalar in program.scalars.values()
        if scalar.role == "scratch" and scalar.name.startswith(CACHES)
    ]
    for column in program.columns.values():
        if column.role == "scratch" and column.name.startswith(CACHES):
            stmts += [
                flat.SetCell(
                    column.name, build.num(index), _constant(value, column.type), column.type
                )
                for index, value in enumerate(column.initial)
            ]
    if flat.REFRESH in program.functions:
        stmts.append(flat.Run(flat.Call(flat.REFRESH, ())))
    return [*stmts, *_always(program, flat.Scalar(SEAT), asks=True)]


def _always(program: flat.Program, seat: flat.Expr, *, asks: bool) -> list[flat.Stmt]:
    """At any-time windows only the seat that tries answers is asked each time, or no longer."""
    scalar = program.scalars.get("always")
    if scalar is None or not isinstance(scalar.type, flat.Set):
        return []
    one: flat.Expr = flat.Single(seat, scalar.type.bits)
    if not asks:
        one = flat.SetBin("-", flat.Scalar("always", scalar.type), one)
    return [flat.SetScalar("always", one, scalar.type)]


def _constant(value: int, type_: flat.FlatType) -> flat.Expr:
    return flat.Bits(value, type_.bits) if isinstance(type_, flat.Set) else build.num(value)


def next_answer(program: flat.Program) -> flat.Function:
    """`search__replay_next`: reads an answer from the log into the registers: its number; how many
    numbers are picked, and these; how many sets, and of each how many members, and these."""
    at, many = flat.Var("at"), flat.Var("many")

    def take(name: str) -> list[flat.Stmt]:
        return [
            flat.SetVar(name, flat.Cell(LOG, at)),
            flat.SetVar("at", build.binary("+", at, build.num(1))),
        ]

    body: list[flat.Stmt] = [flat.SetVar("at", flat.Scalar(AT)), *take("number"), *take("many")]
    for place in _registers(program, "answer_"):
        picked = (*take("item"), flat.SetScalar(f"answer_{place}", flat.Var("item")))
        body.append(flat.If(flat.Bin(">=", many, build.num(place)), picked))
    body += take("many")
    for place in _registers(program, "answer_set_"):
        name = f"answer_set_{place}"
        type_ = program.scalars[name].type
        assert isinstance(type_, flat.Set)
        so_far = flat.Scalar(name, type_)
        joined = build.set_or(so_far, flat.Single(flat.Var("item"), type_.bits))
        member = (*take("item"), flat.SetScalar(name, joined, type_))
        picked = (
            *take("size"),
            flat.SetScalar(name, build.empty(type_.bits), type_),
            flat.ForRange("n", build.num(1), flat.Var("size"), build.num(1), member),
        )
        body.append(flat.If(flat.Bin(">=", many, build.num(place)), picked))
    body += [flat.SetScalar(AT, at), flat.Return(flat.Var("number"))]
    return flat.Function(f"{REPLAY}_next", (), tuple(body), flat.INT)


def _registers(program: flat.Program, prefix: str) -> list[int]:
    rests = [name.removeprefix(prefix) for name in program.scalars if name.startswith(prefix)]
    return sorted(int(rest) for rest in rests if rest.isdigit())


# ---------------------------------------------------------------- what flat core can't say

_RAW = """
(func ${take}
  i32.const @state i32.const @sample i32.const @state_size memory.copy
  i32.const @seats i32.const @line_up i32.const @seats_size memory.copy
  @gathered)
(func ${leave}
  i32.const 0 i32.load offset=@seat i32.const 2 i32.shl
  i32.const 0 i32.load offset=@stand_in i32.store offset=@seats)
(func ${play_on} (param $limit i32) (param $counted i32) (result i32)
  (local $code i32)
  local.get $limit @phases i32.sub local.set $limit
  block $out loop $on
    local.get $limit i32.const 0 i32.le_s br_if $out
    call $run_phase local.tee $code br_if $out
    local.get $counted if @has_moved br_if $out end
    local.get $limit i32.const 1 i32.sub local.set $limit br $on
  end end
  local.get $code)
(func (export "{simulate}") (param $limit i32) (param $number i32) (param $counted i32)
  (local $i i32) (local $code i32) (local $at i32)
  i32.const @results local.set $at
  block $out loop $on
    local.get $i local.get $number i32.ge_u br_if $out
    i32.const @state i32.const @image i32.const @live memory.copy
    i32.const @stack global.set $.stack
    @sit
    i32.const 0 local.get $i i32.const 3 i32.shl i32.load offset=@part_start
    i32.store offset=@start
    i32.const 0 local.get $i i32.const 3 i32.shl i32.load offset=@part_last
    i32.store offset=@last
    local.get $limit local.get $counted call ${play_on} local.set $code
    local.get $at local.get $code i32.store
    local.get $code i32.const 1 i32.le_u if
      @winners
      @scores
    end
    local.get $at i32.const @record i32.add local.set $at
    local.get $i i32.const 1 i32.add local.set $i br $on
  end end)
"""
"""`{simulate}` begins with the image, as `new_game` does: the host writes the state at the start of
the phase, its scalars and its log into the image."""


def print_replaying(program: flat.Program) -> str:
    """The module of a program `with_replay`: `search__simulate(limit, number, counted)` plays so
    many times, each until the game is over or has had `limit` phases or, with `counted`, until the
    points are other than at the question. It leaves one record per playout, as `play_games`
    does."""
    layout = Layout(program)
    text = print_wat(program, batch=True)
    for name in (TAKE_SAMPLE, LEAVE):
        function = rf"\(func \${name}$.*?^\)$"
        text, times = re.subn(function, "", text, flags=re.DOTALL | re.MULTILINE)
        if times != 1:
            raise ValueError(f"{name} was not printed as a function of its own.")
    end = text.rindex(")")
    return text[:end] + _raw(program, layout) + text[end:]


def sample_places(program: flat.Program, layout: Layout) -> Places:
    """Where a sample lies: in the room for the results of games, after those of all playouts."""
    start = _even(layout.results + layout.record.size * MOST_AT_ONCE)
    at = start + layout.scratch - layout.state
    gathered: list[tuple[str, int]] = []
    for column in program.columns.values():
        if column.name.startswith(GATHERED) and column.role == "scratch":
            cells = layout.columns[column.name]
            gathered.append((column.name, at := _even(at)))
            at += cells.count * cells.stride
    line_up = _even(at)
    points = _even(line_up + 4 * (program.players + 1))
    parts = _even(points + 4 * program.players)
    if parts + 8 * MOST_AT_ONCE > layout.results + layout.record.size * BATCH_GAMES:
        raise ValueError("A sample of this program has no room in its memory.")
    return Places(start, parts - start, tuple(gathered), line_up, points, parts)


def _even(address: int) -> int:
    return -(-address // 8) * 8


def _raw(program: flat.Program, layout: Layout) -> str:
    places = sample_places(program, layout)
    gathered = ""
    for name, at in places.gathered:
        cells = layout.columns[name]
        size = cells.count * cells.stride
        gathered += f"i32.const {cells.address} i32.const {at} i32.const {size} memory.copy\n  "
    replay = list(program.strategies).index(REPLAY)
    sit = " ".join(
        f"i32.const {layout.seats + 4 * seat} i32.const {replay} i32.store"
        for seat in range(program.players)
    )
    record = layout.record
    scores = " ".join(
        f"local.get $at i32.const {seat} call $score i32.store offset={record.scores + 4 * seat}"
        for seat in range(program.players)
    )
    has_moved = " ".join(
        f"i32.const {seat} call $score i32.const 0 i32.load offset={places.points + 4 * seat}"
        f" i32.ne{' i32.or' if seat else ''}"
        for seat in range(program.players)
    )
    texts = {
        "has_moved": has_moved,
        "phases": f"i32.const 0 i32.load offset={layout.scalars['phases'].address}",
        "state_size": layout.scratch - layout.state,
        "seats_size": 4 * program.players,
        "stand_in": places.line_up + 4 * program.players,
        "part_start": places.parts,
        "part_last": places.parts + 4,
        "sample": places.sample,
        "line_up": places.line_up,
        "gathered": gathered,
        "winners": f"local.get $at call $winners i64.store offset={record.winners}",
        "scores": scores,
        "results": layout.results,
        "record": record.size,
        "stack": layout.stack,
        "start": layout.scalars[START].address,
        "state": layout.state,
        "image": layout.image,
        "live": layout.live_size,
        "seats": layout.seats,
        "last": layout.scalars[LAST].address,
        "seat": layout.scalars[SEAT].address,
        "sit": sit,
    }
    text = _RAW.format(take=TAKE_SAMPLE, leave=LEAVE, play_on=PLAY_ON, simulate=SIMULATE)
    for name, value in texts.items():
        text = text.replace(f"@{name}", str(value))
    return text
