"""Which names printed programs use. Only plain names get in; whatever could clash is renamed."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from interpreter.flat.ir.nodes import Program

_PLAIN = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

BUILTINS = ("enumerate", "len", "range", "tuple", "zip")
HELPERS = ("set_members", "Members", "Lowest", "next_draws", "word_before", "shuffled")
"""What an engine gives a printed module (`interpreter/engine/helpers.py`)."""

PIECE_BITS = 10
"""Of sets of so many bits there are tables of all; wider ones are looked up piece by piece."""

RUNTIME = (
    *(
        "STREAMS",
        "DRAWS",
        "DRAWN_BELOW",
        "BOT_KEYS",
        "STARTED",
        "draw",
        "draws",
        "bot_draw",
        "shuffle",
    ),
    *("trace", "streams", "set_streams"),
    *(
        "program",
        "scalars",
        "reset",
        "reset_scratch",
        "clear_measures",
        "save",
        "load",
        "until_none",
        "words",
        "place",
        "cells",
        "row",
    ),
)
TEMPORARY = re.compile(r"part\d*")
"""The locals that the Python printer makes up."""

_RESERVED = frozenset((*keyword.kwlist, *BUILTINS, *HELPERS, *RUNTIME))


def checked(name: str) -> str:
    """The name itself; ValueError unless it is a plain name that cannot mean anything else."""
    if _PLAIN.fullmatch(name) is None:
        raise ValueError(f"{name!r} is no name that the compiler makes.")
    return name


class ModuleNames:
    """The Python name of every global thing of a program, by its kind; all are distinct."""

    def __init__(self, program: Program) -> None:
        self._taken: set[str] = set(_RESERVED)
        self._locals: dict[str, str] = {}
        self._local_texts: set[str] = set()
        self.scalars = self._names(program.scalars)
        self.columns = self._names(program.columns)
        self.rows = self._names(program.rows)
        self.tables = self._names(program.tables)
        self.functions = self._names(program.functions)
        self.dispatch = self._names(program.dispatch)
        self.sites = self._names(program.sites, prefix="ASK_")

    def _names(self, names: Iterable[str], prefix: str = "") -> dict[str, str]:
        return {name: self.fresh(prefix + checked(name)) for name in names}

    def fresh(self, name: str) -> str:
        """This name, or the first free one like it."""
        while name in self._taken or name in self._local_texts or TEMPORARY.fullmatch(name):
            name += "_"
        self._taken.add(name)
        return name

    def local(self, name: str) -> str:
        """The Python name of a local: the same in every function."""
        known = self._locals.get(name)
        if known is None:
            known = checked(name)
            while known in self._taken or known in self._local_texts or TEMPORARY.fullmatch(known):
                known += "_"
            self._locals[name] = known
            self._local_texts.add(known)
        return known
