"""Locals that only hand a value on."""

from __future__ import annotations

import pytest

from interpreter.flat.ir import nodes as n
from interpreter.flat.passes.copy_propagation import forward_values

A, X, Y, S = n.Var("a"), n.Var("x"), n.Var("y"), n.Scalar("s")
ONE, TWO = n.Num(1), n.Num(2)
SUM = n.Bin("+", A, S)
CALL = n.Call("g", ())


def after(*body: n.Stmt) -> n.Body:
    program = n.Program("test", 2)
    program.functions["f"] = n.Function("f", (("a", n.INT),), body, n.INT)
    forward_values(program)
    return program.functions["f"].body


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ((n.SetVar("x", SUM), n.Return(X)), (n.Return(SUM),)),
        ((n.SetVar("x", CALL), n.Return(X)), (n.Return(CALL),)),
        (
            (n.SetVar("x", SUM), n.SetVar("y", n.Bin("*", X, TWO)), n.If(Y, (n.Break(),))),
            (n.If(n.Bin("*", SUM, TWO), (n.Break(),)),),
        ),
        (
            (n.SetVar("x", SUM), n.Run(n.Call("g", (X, ONE)))),
            (n.Run(n.Call("g", (SUM, ONE))),),
        ),
        (
            (n.SetVar("y", CALL), n.SetVar("x", Y), n.If(X, (n.Return(X),)), n.Return(Y)),
            (n.SetVar("y", CALL), n.If(Y, (n.Return(Y),)), n.Return(Y)),
        ),
        (
            (n.If(A, (n.SetVar("x", A), n.SetScalar("s", X))),),
            (n.If(A, (n.SetScalar("s", A),)),),
        ),
    ],
)
def test_what_goes(body: n.Body, wanted: n.Body) -> None:
    assert after(*body) == wanted


@pytest.mark.parametrize(
    "body",
    [
        (n.SetVar("x", SUM), n.Return(n.Bin("*", X, X))),
        (n.SetVar("x", SUM), n.SetScalar("s", ONE), n.Return(X)),
        (n.SetVar("x", SUM), n.While(X, (n.SetScalar("s", ONE),))),
        (n.SetVar("x", SUM), n.If(A, (n.SetScalar("s", ONE), n.Return(X)))),
        (n.SetVar("x", SUM), n.Return(n.Bin("+", CALL, X))),
        (n.SetVar("x", SUM), n.Run(n.Call("g", (CALL, X)))),
        (n.SetVar("x", CALL), n.Return(n.Bin("+", S, X))),
        (n.SetVar("x", SUM), n.SetVar("x", n.Bin("+", X, ONE)), n.Return(X)),
        (n.SetVar("x", A), n.SetVar("a", TWO), n.Return(X)),
        (n.ForRange("i", ONE, TWO, ONE, (n.SetVar("x", A),)), n.Return(X)),
        (n.SetVar("x", A), n.While(S, (n.SetScalar("s", X), n.SetVar("a", TWO)))),
    ],
)
def test_what_stays(body: n.Body) -> None:
    assert after(*body) == body
