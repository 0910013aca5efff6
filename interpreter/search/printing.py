"""Prints a variant for playouts in WebAssembly. Only for what is not cached."""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.lower import lower_program
from interpreter.search.replaying import print_replaying, with_replay
from interpreter.session.modules import FLAVOURS, Module, without_bodies


def print_native(source: core.Program) -> Module:
    """The printed program of a checked one."""
    program = with_replay(lower_program(source, FLAVOURS["bare"]))
    return Module(without_bodies(program), print_replaying(program))
