"""Prints a variant for playouts in WebAssembly. Only for what is not cached."""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.emit.wat import print_wat
from interpreter.flat.lower import lower_program
from interpreter.session.modules import FLAVOURS, Module, without_bodies


def print_native(source: core.Program) -> Module:
    """The printed program of a checked one."""
    program = lower_program(source, FLAVOURS["bare"])
    return Module(without_bodies(program), print_wat(program, batch=True))
