"""Variants ready to be played in tests: compiled from the texts, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.diagnostics.render import render_text
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.engine.batch import BatchResult, play_batch
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program
from interpreter.session.build import check
from interpreter.session.request import Request

HERE = Path(__file__).parent
LIBRARY = Library([HERE / "variants", variants_dir()])
OPTIONS = Options(host=False, measures=True, coverage=True)
"""What playtests use."""

RANDOM = "random"
PLAYERS = {
    "classic": range(2, 9),
    "cthulhu": range(2, 7),
    "crooked_cash": range(2, 7),
    "jackpot": range(2, 5),
    "bid": range(2, 6),
    "deal": range(2, 6),
    "card_game": range(2, 7),
}
"""The bundled variants and for how many they are."""

MODS = (
    "double_salary_on_go", "free_parking_pot", "income_tax_choice",
    "no_auctions", "no_rent_from_jail", "speed_play",
)  # fmt: skip
FITTING = {
    "classic": MODS,
    "cthulhu": MODS,
    "crooked_cash": ("double_salary_on_go", "no_auctions", "no_rent_from_jail"),
}
"""The bundled mods that variants can be played with; all of them can be stacked."""

EDITIONS = ("deal_2008", "deal_2024")
"""The profiles of Deal."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A variant, for how many, and with what."""

    variant: str
    players: int
    mods: tuple[str, ...] = ()
    profile: str | None = None
    switches: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        words = [self.profile or self.variant, str(self.players), *self.mods]
        if len(self.mods) > 1 and set(self.mods) == set(FITTING.get(self.variant, ())):
            order = "" if self.mods == FITTING[self.variant] else "-backwards"
            words[2:] = [f"all{order}"]
        words += [f"{name}={value}" for name, value in self.switches]
        return "-".join(words)


@dataclass(slots=True)
class Rig:
    """A set-up, compiled."""

    setup: Setup
    core: core.Program
    flat: flat.Program
    _engines: dict[str, PythonEngine | NativeEngine] = field(default_factory=dict)

    @property
    def players(self) -> int:
        return self.setup.players

    @property
    def phase_limit(self) -> int:
        return self.core.phase_limit

    @property
    def written(self) -> list[str]:
        """The strategies that somebody wrote."""
        return [name for name in self.flat.strategies if name != RANDOM]

    @property
    def python(self) -> PythonEngine:
        found = self._engines.get("python")
        if found is None:
            found = self._engines["python"] = PythonEngine(self.flat, text=print_python(self.flat))
        assert isinstance(found, PythonEngine)
        return found

    @property
    def native(self) -> NativeEngine:
        found = self._engines.get("native")
        if found is None:
            text = print_wat(self.flat, batch=True)
            found = self._engines["native"] = NativeEngine(self.flat, text=text)
        assert isinstance(found, NativeEngine)
        return found

    def seats(self, *names: str) -> list[str]:
        """A strategy for each seat: the given ones, over and over."""
        return [names[seat % len(names)] for seat in range(self.players)]

    def line_ups(self) -> Iterator[list[str]]:
        """Each strategy alone, and all at one table; where there are fewer seats, one after the
        other comes to sit."""
        for name in self.flat.strategies:
            yield self.seats(name)
        yield from self.mixed(*self.flat.strategies)

    def mixed(self, *names: str) -> Iterator[list[str]]:
        """Tables at which together all of these have sat."""
        for first in range(0, len(names), self.players):
            yield self.seats(*names[first:], *names[:first])

    def play(
        self,
        engine: str,
        first: int,
        games: int,
        seats: list[str],
        *,
        seed: int = 7,
        reseat: bool = True,
        checks: bool = True,
        phase_limit: int | None = None,
    ) -> BatchResult:
        """Games on an engine, with their digests."""
        limit = self.phase_limit if phase_limit is None else phase_limit
        if engine == "native":
            return self.native.play_batch(
                first, games, seats, seed=seed, phase_limit=limit,
                reseat=reseat, digests=True, checks=checks,
            )  # fmt: skip
        return play_batch(
            self.python, first, games, seats, seed=seed, phase_limit=limit,
            reseat=reseat, digests=True, checks=checks,
        )  # fmt: skip

    def measure(self, result: BatchResult, name: str) -> list[int]:
        """What a measure of the rules has summed up."""
        return result.measures[self.flat.measures[name].column]


def checked(setup: Setup) -> core.Program:
    """The checked program of a set-up; fails with the report if there is anything to report."""
    bag = Bag()
    request = Request(
        LIBRARY,
        setup.variant,
        setup.players,
        setup.mods,
        dict(setup.switches),
        setup.profile,
    )
    program = check(request, bag)
    assert program is not None, render_text(bag.sorted())
    assert not bag.sorted(), render_text(bag.sorted())
    return program


@lru_cache(maxsize=8)
def rig(setup: Setup) -> Rig:
    """A set-up, compiled as for playtests."""
    program = checked(setup)
    return Rig(setup, program, lower_program(program, OPTIONS))
