"""A compiled program in one of its flavours: what it declares, and its printed text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.emit.python import print_python
from interpreter.flat.context.options import Options
from interpreter.flat.ir.nodes import Function, Program

FLAVOURS = {
    "play": Options(host=True),
    "traced": Options(host=True, trace=True, tells=True),
    "stepped": Options(host=True, trace=True, steps=True),
    "batch": Options(host=False, measures=True),
    "bare": Options(host=False),
    "search": Options(host=True, knowledge=True),
    "scenarios": Options(host=True, trace=True, scenarios=True, coverage=True, measures=True),
}
"""`play` for sessions; `traced` for why and log; `stepped` for what stopped a game; `batch`
for playtests, `bare` without measures; `search` for samplers; `scenarios` for the runner of
scenarios."""


@dataclass(frozen=True, slots=True)
class Module:
    """A flat program whose functions have no bodies any more, and the Python text made of them."""

    program: Program
    text: str


def make_module(program: Program) -> Module:
    """Prints a program and drops what is not needed after that."""
    return Module(without_bodies(program), print_python(program))


def without_bodies(program: Program) -> Program:
    """What a program declares, without what its functions do."""
    functions = {
        name: Function(name, function.params, (), function.gives, function.exits)
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)
