"""The passes over flat core, on bodies of a few statements."""

from __future__ import annotations

from flat_games import checked, lowered

from interpreter.flat.analysis.components import callees, callees_first, closing_calls
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.lower import lower_program
from interpreter.flat.passes.inline import drop_unused, inline_functions, through
from interpreter.flat.passes.simplify import simplify

A, B, X = n.Var("a"), n.Var("b"), n.Var("x")
ONE, TWO = n.Num(1), n.Num(2)


def simpler(*body: n.Stmt, tables: tuple[n.Table, ...] = ()) -> n.Body:
    program = n.Program("test", 2, tables={table.name: table for table in tables})
    function = n.Function("f", (("a", n.INT), ("b", n.INT)), body, n.INT)
    simplify(program, function, body)
    return function.body


def test_branches_that_are_known_are_not_tested() -> None:
    body = n.If(n.Bin("<", ONE, TWO), (n.Give(A),), (n.Give(B),))
    assert simpler(body, n.Give(X)) == (n.Give(A),)


def test_flags_are_not_compared_with_numbers() -> None:
    large = n.Bin(">=", A, TWO)
    body = n.If(n.Bin("==", n.Choose(large, ONE, n.Num(0)), ONE), (n.Give(B),))
    assert simpler(body, n.Give(A)) == (n.If(large, (n.Give(B),)), n.Give(A))


def test_a_condition_is_tested_once() -> None:
    first, second = n.Bin("<", A, ONE), n.Bin("<", B, ONE)
    twice = n.And(first, n.And(second, first))
    assert simpler(n.Give(twice)) == (n.Give(n.And(first, second)),)


def test_what_a_call_does_is_kept() -> None:
    call = n.Call("g", ())
    assert simpler(n.If(call, ()), n.Give(A)) == (n.Run(call), n.Give(A))


def test_a_local_that_is_a_constant_is_no_local() -> None:
    body = (n.SetVar("x", TWO), n.Give(n.Bin("+", X, A)))
    assert simpler(*body) == (n.Give(n.Bin("+", TWO, A)),)


def test_loops_without_rounds_are_dropped() -> None:
    body = (n.SetVar("x", ONE), n.SetVar("y", A))
    loops = (
        n.ForSet("i", n.Bits(0, 8), body),
        n.ForRange("i", TWO, ONE, ONE, body),
        n.While(n.Num(0), body),
    )
    for loop in loops:
        found = n.If(X, (n.Give(n.Var("y")),))
        assert simpler(n.SetVar("x", n.Num(0)), loop, found, n.Give(B)) == (n.Give(B),), loop


def test_tables_of_tables_are_joined() -> None:
    inner, outer = n.Table("inner", n.INT, (1, 0, 2)), n.Table("outer", n.INT, (5, 6))
    program = n.Program("test", 2, tables={"inner": inner, "outer": outer})
    function = n.Function("f", (("a", n.INT),), (), n.INT)
    simplify(program, function, (n.Give(n.Cell("outer", n.Cell("inner", A))),))
    assert function.body == (n.Give(n.Cell("outer_of_inner", A)),)
    assert program.tables["outer_of_inner"].values == (6, 5, 0)


def test_drawn_numbers_in_order_need_no_table() -> None:
    faces = n.Table("faces", n.INT, (1, 2, 3, 4, 5, 6, 2, 4, 6, 7, 8))
    six, three = n.Draw(0, n.Num(6)), n.Draw(0, n.Num(3))
    for index, wanted in (
        (six, n.Bin("+", six, ONE)),
        (n.Bin("+", n.Num(8), three), n.Bin("+", three, n.Num(6))),
        (n.Bin("+", n.Num(6), three), None),
        (n.Bin("+", n.Num(9), three), None),
        (n.Bin("+", n.Num(-5), three), None),
        (n.Draw(0, A), None),
    ):
        cell = n.Cell("faces", index)
        assert simpler(n.Give(cell), tables=(faces,)) == (n.Give(wanted or cell),), index


def test_a_constant_more_than_a_cell_of_a_table_is_in_a_table() -> None:
    costs = n.Table("costs", n.INT, (50, 0, 200))
    program = n.Program("test", 2, tables={"costs": costs})
    function = n.Function("f", (("a", n.INT),), (), n.INT)
    cell = n.Cell("costs", A)
    for op, name, values in (("+", "plus", (52, 2, 202)), ("-", "minus", (48, -2, 198))):
        simplify(program, function, (n.Give(n.Bin(op, cell, TWO)),))
        assert function.body == (n.Give(n.Cell(f"costs_{name}_2", A)),)
        assert program.tables[f"costs_{name}_2"].values == values
    for other in (
        n.Bin("+", n.Cell("column", A), TWO),
        n.Bin("+", cell, n.Num((1 << 31) - 1)),
        n.Bin("*", cell, TWO),
    ):
        simplify(program, function, (n.Give(other),))
        assert function.body == (n.Give(other),)


def test_constants_of_a_sum_are_one() -> None:
    five, seven = n.Num(5), n.Num(7)
    for some, wanted in (
        (n.Bin("+", n.Bin("-", n.Num(-2), A), five), n.Bin("-", n.Num(3), A)),
        (n.Bin("-", n.Bin("+", A, five), seven), n.Bin("-", A, TWO)),
        (n.Bin("+", n.Bin("-", A, five), seven), n.Bin("+", A, TWO)),
        (n.Bin("-", n.Bin("+", A, seven), seven), A),
        (n.Bin("+", n.Bin("*", A, five), seven), None),
        (n.Bin("+", n.Bin("+", A, n.Num(1 << 30)), n.Num(1 << 30)), None),
    ):
        assert simpler(n.Give(some)) == (n.Give(wanted or some),), some


def test_an_early_answer_becomes_the_other_branch() -> None:
    body = (n.If(A, (n.Give(ONE),)), n.SetVar("y", TWO), n.Give(TWO))
    other = (n.SetVar("y", TWO), n.SetVar("r", TWO))
    assert through(body, "r", n.INT) == (n.If(A, (n.SetVar("r", ONE),), other),)


def test_a_search_becomes_a_loop_with_an_end() -> None:
    loop = n.ForSet("i", n.Bits(7, 3), (n.If(A, (n.Give(ONE),)),))
    found = n.If(A, (n.SetVar("r", ONE), n.Break()))
    expected = (n.SetVar("r", build.NO), n.ForSet("i", n.Bits(7, 3), (found,)))
    assert through((loop, n.Give(build.NO)), "r", n.INT) == expected


def test_leaving_from_inside_two_loops_is_left_alone() -> None:
    inner = n.ForSet("i", n.Bits(7, 3), (n.Give(ONE),))
    assert through((n.While(A, (inner,)), n.Give(build.NO)), "r", n.INT) is None


def test_an_exit_with_a_code_stays() -> None:
    body = (n.If(A, (n.Exit(TWO),)), n.Exit(build.NO))
    assert through(body, "", n.INT) == (n.If(A, (n.Exit(TWO),)),)


def test_locals_of_the_same_name_are_kept_apart() -> None:
    program = n.Program("test", 2, scalars={"s": n.ScalarDecl("s", n.INT, 0, "state")})
    half = n.Bin("//", A, TWO)
    program.functions = {
        "run_phase": n.Function(
            "run_phase",
            (),
            (
                n.SetVar("x", n.Scalar("s")),
                n.Do(n.Call("g", (n.Bin("+", X, ONE),)), "y"),
                n.SetScalar("s", n.Bin("+", X, n.Var("y"))),
            ),
        ),
        "g": n.Function("g", (("a", n.INT),), (n.SetVar("x", half), n.Give(X)), n.INT),
    }
    inline_functions(program)
    drop_unused(program)
    assert list(program.functions) == ["run_phase"]
    body = program.functions["run_phase"].body
    assert body[0] == n.SetVar("x", n.Scalar("s"))
    assert body[-1] == n.SetScalar("s", n.Bin("+", X, n.Var("y")))
    assert n.SetVar("y", n.Var("x__2")) in body


def test_closing_calls_leave_no_circle() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"d", "b"}, "e": set()}
    closing = closing_calls(graph, ["a"])
    rest = {
        name: {to for to in found if (name, to) not in closing} for name, found in graph.items()
    }
    order = callees_first(rest)
    assert all(order.index(to) < order.index(name) for name in rest for to in rest[name])


def test_every_circle_of_a_game_counts_its_depth() -> None:
    program = lowered("classic", 4)
    graph = {name: callees(program, function) for name, function in program.functions.items()}
    assert closing_calls(graph, ["run_phase"])
    counting = {
        name
        for name, function in program.functions.items()
        if "name='depth'" in repr(function.body)
    }
    rest = {name: calls for name, calls in graph.items() if name not in counting}
    for name, calls in rest.items():
        rest[name] = [called for called in calls if called not in counting]
    assert not closing_calls(rest, list(rest))


def test_loops_along_a_line_of_a_line_are_joined() -> None:
    lines, number = n.Table("lines", n.INT, (5, 6, 7, -1)), n.Table("number", n.INT, (1, 0, -1))
    program = n.Program("test", 2, tables={"lines": lines, "number": number})
    function = n.Function("f", (("a", n.INT),), (), n.INT)
    body = (n.SetScalar("s", n.Var("i")),)
    simplify(program, function, (n.ForTable("i", "lines", n.Cell("number", A), 2, body),))
    assert function.body == (n.ForTable("i", "lines_of_number", A, 2, body),)
    assert program.tables["lines_of_number"].values == (7, -1, 5, 6, 0, 0)


def test_a_loop_over_one_member_is_no_loop() -> None:
    done, member = n.SetScalar("s", n.Var("i")), n.Single(A, 4)
    ended = n.If(B, (done, n.Break()))
    assert simpler(n.ForSet("i", member, (ended,)), n.Give(A)) == (
        n.If(B, (n.SetScalar("s", A),)),
        n.Give(A),
    )
    left = n.ForSet("i", member, (n.If(B, (n.Break(),)), done))
    assert simpler(left, n.Give(A)) == (left, n.Give(A))
    maybe = n.ForSet("i", n.Single(A, 4, may_be_none=True), (done,))
    assert simpler(maybe, n.Give(A)) == (maybe, n.Give(A))


def test_a_loop_that_ends_in_its_first_round_is_no_loop() -> None:
    some, done = n.Var("some", n.Set(9)), n.SetScalar("s", n.Var("i"))
    first = n.SetVar("i", n.First(some))
    ended = n.ForSet("i", some, (done, n.If(B, (n.Give(B),), (n.Break(),))))
    assert simpler(ended, n.Give(A)) == (
        n.If(n.Not(n.IsEmpty(some)), (first, done, n.If(B, (n.Give(B),)))),
        n.Give(A),
    )
    for going_on in (n.If(B, (n.Continue(),)), n.If(B, (n.Break(),)), n.Run(n.Call("g", ()))):
        loop = n.ForSet("i", some, (going_on, n.If(A, (n.Give(B),))))
        assert simpler(loop, n.Give(A)) == (loop, n.Give(A))
    for end in (n.Continue(), n.If(B, (n.Break(),), (n.Continue(),))):
        loop = n.ForSet("i", some, (done, end))
        assert simpler(loop, n.Give(A)) == (loop, n.Give(A))
    last = n.ForSet("i", some, (done, n.Give(B)), descending=True)
    assert simpler(last, n.Give(A)) == (last, n.Give(A))
    drawn = n.ForSet("i", n.Call("drawn", ()), (done, n.Give(B)))
    assert simpler(drawn, n.Give(A)) == (drawn, n.Give(A))


def test_a_call_inside_a_value_is_taken_out_where_it_comes_first() -> None:
    """In `s + f(..)` only if the function leaves s alone."""
    s, t = n.Scalar("s"), n.Scalar("t")
    search = n.ForSet("i", n.Bits(7, 3), (n.If(n.Bin("<", n.Var("i"), t), (n.Give(ONE),)),))
    writes = n.SetScalar("s", n.Num(0))
    for name, start, taken in (("reads", (), True), ("writes", (writes,), False)):
        program = n.Program("test", 2)
        program.scalars = {one: n.ScalarDecl(one, n.INT, 0, "state") for one in ("s", "t")}
        value = n.Bin("+", s, n.Call(name, ()))
        either = n.Or(n.Bin("<", s, ONE), n.Call(name, ()))
        local = n.SetVar("x", n.Bin("+", X, n.Call(name, ())))
        body = (n.SetScalar("t", value), local, n.If(either, (n.SetScalar("s", TWO),)))
        function = n.Function(name, (), (*start, search, n.Give(build.NO)), n.INT)
        program.functions = {name: function, "run_phase": n.Function("run_phase", (), body)}
        inline_functions(program)
        after = program.functions["run_phase"].body
        assert (n.SetScalar("t", value) not in after) == taken
        assert local not in after  # nobody else can write a local
        assert after[-1] == body[-1]


def test_conditions_that_exclude_each_other_do_not_hold() -> None:
    def both(one: n.IntOp, left: int, other: n.IntOp, right: int) -> n.Body:
        first, second = n.Bin(one, A, n.Num(left)), n.Bin(other, A, n.Num(right))
        return simpler(n.If(n.And(n.And(B, first), second), (n.Give(B),)), n.Give(A))

    assert both(">=", 4, "<", 4) == (n.Give(A),)
    assert both("==", 4, ">", 9) == (n.Give(A),)
    assert both(">", 4, "<", 5) == (n.Give(A),)
    assert len(both(">=", 4, "<=", 4)) == 2
    assert len(both("!=", 4, "<", 5)) == 2
    assert len(both(">", 3, "<", 9)) == 2


def test_values_that_use_others_twice_do_not_double() -> None:
    """Small values are put where they are used, but not for ever inside each other."""
    kinds = "kind Lane\n    rent: 0..9\nkind Stall\n    lane: Lane\n    price: 0..99\n"
    values = [
        f"define player.d{n}(x: 0..9): 0..9\n    "
        + (f"max(player.d{n - 1}(x), player.d{n - 1}(x))" if n else "x")
        for n in range(19)
    ]
    use = "rule use: after take_turn by player if player.d18(3) > 4\n    end game\n"
    program = lower_program(checked("market", 2, kinds + "\n".join([*values, use])))
    assert sum(1 for f in program.functions.values() for _ in all_nodes(f.body)) < 100_000
