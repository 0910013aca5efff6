"""From the name of a variant to something that can be played, by way of a cache on disk.

A cached variant is loaded without parsing or checking anything: its file is named by the hash of
all texts that could have gone into it, of every choice, and of Rulewright itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.kept import keep, read_kept
from interpreter.engine.python_engine import PythonEngine
from interpreter.session.facts import Facts, gather_facts
from interpreter.session.modules import FLAVOURS, Module, make_module
from interpreter.session.request import Request
from interpreter.session.store import request_key

Source = Callable[[], core.Program]


@dataclass(slots=True)
class CompiledGame:
    """A variant with its mods, switches and number of players, ready to be played.

    `key`: under which its parts are kept on disk; None keeps nothing. `source` gives the whole
    core program, for flavours that have to be compiled. `request`: how it was asked for.
    """

    facts: Facts
    key: str | None
    source: Source
    request: Request | None = None
    _modules: dict[str, Module] = field(default_factory=dict)

    @property
    def program(self) -> core.Program:
        """The core program without its bodies."""
        return self.facts.program

    @property
    def digest(self) -> str:
        """The hash of rules, data, switches and number of players, as they are written."""
        return self.facts.program.digest

    @property
    def meaning(self) -> str:
        """The hash of what decides how games go: the same where only comments, names or texts for
        people were changed."""
        return self.facts.meaning

    def module(self, flavour: str) -> Module:
        """The program in a flavour (see `FLAVOURS`), from memory, from disk or newly compiled."""

        def make() -> Module:
            from interpreter.session.build import lower

            return make_module(lower(self.source(), FLAVOURS[flavour]))

        return self.made(flavour, make)

    def made(self, name: str, make: Callable[[], Module]) -> Module:
        """A module under a name of its own: from memory, from disk or newly made."""
        found = self._modules.get(name)
        if found is None and self.key is not None:
            found = read_kept(f"{self.key}.{name}", Module)
        if found is None:
            found = make()
            if self.key is not None:
                keep(f"{self.key}.{name}", found)
        self._modules[name] = found
        return found

    def __reduce__(self) -> tuple[object, ...]:
        """For other processes: with all modules that were made, without the source of others."""
        return _arrived, (self.facts, self.key, self._modules)

    def engine(self, flavour: str = "play") -> PythonEngine:
        """A new engine for the program in a flavour."""
        module = self.module(flavour)
        return PythonEngine(module.program, text=module.text, cached=self.key is not None)


def compile_variant(program: core.Program, *, key: str | None = None) -> CompiledGame:
    """A checked program, ready to be played; flavours are compiled when they are asked for."""
    return CompiledGame(gather_facts(program), key, lambda: program)


def load_compiled(
    request: Request, bag: Bag, *, cached: bool = True, flavour: str | None = "play"
) -> CompiledGame | None:
    """A variant checked and compiled, from the cache where it is there.

    `flavour`: one that is compiled and kept at once, with None none is. None, with an error in the
    bag, where something is missing or wrong; warnings are in the bag only when it was compiled
    anew. Raises WrongPlayers.
    """
    key = request_key(request) if cached else None
    facts = read_kept(f"{key}.facts", Facts) if key is not None else None
    if facts is not None:
        bag.extend(read_kept(f"{key}.warnings", Bag) or ())
        return CompiledGame(facts, key, lambda: _checked_again(request), request)
    from interpreter.session.build import check

    own = Bag()
    program = check(request, own)
    bag.extend(own)
    if program is None:
        return None
    game = CompiledGame(gather_facts(program), key, lambda: program, request)
    if key is not None:
        if flavour is not None:
            game.module(flavour)
        if tuple(own):
            keep(f"{key}.warnings", own)
        keep(f"{key}.facts", game.facts)
    return game


def _arrived(facts: Facts, key: str | None, modules: dict[str, Module]) -> CompiledGame:
    return CompiledGame(facts, key, _left_behind, None, modules)


def _left_behind() -> core.Program:
    raise RuntimeError("A game that was sent to another process can't be compiled any further.")


def _checked_again(request: Request) -> core.Program:
    from interpreter.session.build import check

    program = check(request, Bag())
    if program is None:
        raise RuntimeError("The rules were changed while they were being played.")
    return program
