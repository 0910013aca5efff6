"""The passes in their order, what holds between them, and that each can be left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flat_games import PLAYED, digests, lowered, program_of

from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as n
from interpreter.flat.lower import lower_program
from interpreter.flat.pipeline import LOWERED, LOWERING, OPTIONAL, PASSES, run_passes
from interpreter.flat.verify import Malformed, verify
from interpreter.session.modules import FLAVOURS

NAMES = [one.name for one in PASSES]
BARE = Options(host=False)
GAMES = (*PLAYED[:2], ("card_game", 3))
"""Games in which every pass has something to do."""


@pytest.mark.parametrize("left_out", ["", *sorted(OPTIONAL)])
def test_every_pass_has_what_it_needs(left_out: str) -> None:
    holds = LOWERED
    for one in PASSES:
        if one.name != left_out:
            assert one.needs <= holds, one.name
            holds = (holds - one.breaks) | one.gives
    assert holds == {"codes", "guarded"}


def test_passes_that_are_needed_are_never_left_out() -> None:
    program = lower_program(program_of("market", 3), BARE, after=LOWERING)
    seen: list[str] = []
    run_passes(program, NAMES, between=lambda name, *_: seen.append(name))
    assert seen == [LOWERING, "guard", "exits"]


def test_a_pass_that_lacks_something_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.flat.pipeline.PASSES", PASSES[::-1])
    program = lower_program(program_of("market", 3), BARE, after=LOWERING)
    with pytest.raises(ValueError, match=r"The pass propagate needs \['codes'\]."):
        run_passes(program)


@pytest.mark.parametrize("flavour", ["bare", "stepped", "scenarios", "search"])
@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_programs_are_whole_between_passes(name: str, players: int, flavour: str) -> None:
    seen: list[str] = []

    def between(done: str, program: n.Program, holds: frozenset[str]) -> None:
        seen.append(done)
        verify(program, holds)  # type: ignore[arg-type]

    lower_program(program_of(name, players), FLAVOURS[flavour], between=between)
    apart = {"inline", "drop"} if flavour == "stepped" else set()
    assert seen == [LOWERING, *(one for one in NAMES if one not in apart)]


@pytest.mark.parametrize("name", [LOWERING, *NAMES])
def test_a_program_can_be_looked_at_behind_every_pass(name: str) -> None:
    """It holds then what the passes so far have made; the next one changes something."""
    kinds: dict[str, int] = {}
    program = lower_program(program_of("market", 3), BARE, after=name)
    for function in program.functions.values():
        for stmt in function.body:
            kinds[type(stmt).__name__] = kinds.get(type(stmt).__name__, 0) + 1
    coded = name in NAMES[NAMES.index("exits") :]
    assert ("Give" in kinds) != coded
    assert ("Return" in kinds) == coded


def less(name: str, players: int, *left_out: str) -> n.Program:
    return lower_program(program_of(name, players), replace(BARE, without=frozenset(left_out)))


def bodies(program: n.Program) -> dict[str, n.Body]:
    return {name: function.body for name, function in program.functions.items()}


@pytest.mark.parametrize("left_out", [*sorted(OPTIONAL), "all"])
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_same_games_without_a_pass(left_out: str, name: str, players: int) -> None:
    usual = lowered(name, players)
    without = less(name, players, *(OPTIONAL if left_out == "all" else [left_out]))
    for strategy in usual.strategies:
        assert digests(without, strategy, 5) == digests(usual, strategy, 5), strategy


@pytest.mark.parametrize("left_out", sorted(OPTIONAL))
def test_every_pass_does_something(left_out: str) -> None:
    assert any(
        bodies(less(name, players, left_out)) != bodies(lowered(name, players))
        for name, players in GAMES
    )


# ---------------------------------------------------------------- the verifier

A, ONE = n.Var("a"), n.Num(1)
SET, WIDE = n.Var("s", n.Set(4)), n.Var("w", n.Set(9))


def whole(*body: n.Stmt) -> n.Program:
    """A program that is right, but for these statements behind it."""
    program = n.Program("test", 2, dispatch={"by": ("twice", "twice")})
    program.scalars["depth"] = n.ScalarDecl("depth", n.INT, 0, "scratch")
    program.columns["purse"] = n.ColumnDecl("purse", n.INT, (1, 2), "state")
    twice = n.Function("twice", (("x", n.INT),), (n.Give(n.Bin("+", n.Var("x"), ONE)),), n.INT)
    params = (("a", n.INT), ("s", n.Set(4)), ("w", n.Set(9)))
    run = n.Function("run_phase", params, (n.SetCell("purse", ONE, A), *body))
    program.functions = {one.name: one for one in (twice, run)}
    return program


RIGHT = {
    "a loop that keeps its best": (
        n.SetVar("found", n.Num(0)),
        n.ForSet("i", SET, (
            n.If(n.Var("found"), (n.SetVar("x", n.Var("best")),)),
            n.SetVar("best", n.Var("i")), n.SetVar("found", ONE),
        )),
        n.If(n.Var("found"), (n.SetCell("purse", ONE, n.Var("best")),)),
    ),
    "an end that is caught": (n.Do(n.Call("twice", (A,)), "y", catch=5), n.Exit(n.Num(5))),
    "a set of fewer": (n.SetVar("w", n.SetBin("&", SET, WIDE), n.Set(9)),),
    "a search": (n.While(ONE, (n.SetVar("y", A), n.Break())), n.SetVar("z", n.Var("y"))),
}  # fmt: skip
WRONG: dict[str, tuple[n.Stmt, ...]] = {
    "y is read before it is set": (n.SetVar("x", n.Var("y")),),
    "z is read before it is set": (n.If(A, (n.SetVar("y", ONE),)), n.SetVar("x", n.Var("z"))),
    "there is no function nobody": (n.Do(n.Call("nobody", ())),),
    "twice takes 1, and is given 2": (n.SetVar("x", n.Call("twice", (A, A))),),
    "what twice takes is": (n.SetVar("x", n.CallBy("by", A, (SET,))),),
    "x is Int(), not Set(bits=4)": (n.SetVar("x", A, n.Set(4)),),
    "a is Int() and Set(bits=4)": (n.SetVar("a", SET, n.Set(4)),),
    "s is Set(bits=9), not Set(bits=4)": (n.SetVar("s", WIDE, n.Set(4)),),
    "Int() & Set(bits=4): both must be sets": (n.SetVar("s", n.SetBin("&", A, SET), n.Set(4)),),
    "0x10 is no set of 4": (n.SetVar("s", n.Bits(16, 4), n.Set(4)),),
    "2147483648 is too large": (n.SetVar("x", n.Num(1 << 31)),),
    "purse has no place 2": (n.SetVar("x", n.Cell("purse", n.Num(2))),),
    "column gold is None": (n.AddCell("gold", ONE, ONE),),
    "scalar gold is None": (n.SetScalar("gold", ONE),),
    "there are no rows gold of 3": (n.RowClear(n.RowAt("gold", ONE, 3)),),
    "there is no site market": (n.SetVar("x", n.AskSeat("market", A, ())),),
    "a jump out of no loop": (n.If(A, (n.Break(),)),),
    "the exit 7 is caught nowhere": (n.Exit(n.Num(7)),),
    "a return before exits are codes": (n.Return(),),
    "a note of a write is left": (n.WriteMarker("purse", None),),
    "run_phase calls run_phase in a circle": (n.Do(n.Call("run_phase", (A, SET, WIDE))),),
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_right(what: str) -> None:
    verify(whole(*RIGHT[what]), {"exits", "guarded"})


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said(words: str) -> None:
    with pytest.raises(Malformed) as raised:
        verify(whole(*WRONG[words]), {"exits", "guarded"})
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def spoilt(change: Callable[[n.Program], object]) -> str:
    program = whole()
    change(program)
    with pytest.raises(Malformed) as raised:
        verify(program, {"exits", "guarded"})
    return str(raised.value)


def test_declarations_are_looked_at() -> None:
    other = n.Function("other", (), (), None)
    assert spoilt(lambda p: p.functions.update(others=other)) == "others is called other"
    table = n.Table("purse", n.INT, (1,))
    assert spoilt(lambda p: p.tables.update(purse=table)) == "two things are called purse"
    wide = n.Table("t", n.Set(3), (8,))
    assert spoilt(lambda p: p.tables.update(t=wide)) == "t has values that do not fit its type"
    assert "names functions that are none" in spoilt(lambda p: p.dispatch.update(by=("none",)))
    mixed = spoilt(lambda p: p.dispatch.update(by=("twice", "run_phase")))
    assert mixed == "the functions of by take or give different things"
    rows = n.RowsDecl("r", 2, 1, ((),))
    assert spoilt(lambda p: p.rows.update(r=rows)) == "r has other rows than it says"
    assert "there is no such site" in spoilt(lambda p: p.strategies.update(s={"market": "twice"}))


def test_a_function_that_gives_never_comes_to_its_end() -> None:
    half = n.Function("half", (("x", n.INT),), (n.If(n.Var("x"), (n.Give(ONE),)),), n.INT)
    assert "comes to its end" in spoilt(lambda p: p.functions.update(half=half))


def test_exits_are_gone_when_they_are_codes() -> None:
    with pytest.raises(Malformed, match="Give where exits are codes"):
        verify(whole(), {"codes"})
