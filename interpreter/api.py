"""The public Python API: load a variant, play it, look at it, save it.

>>> from interpreter import api
>>> variant = api.load_variant("classic", players=3)
>>> game = variant.new_game(seed=1, seats=["person", "cautious", "greedy"])
>>> game.pending.seat
'red'

Everything that comes out is made of ids, words and numbers, fit for JSON. See docs/api.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics.frame import render_text
from dsl.diagnostics.record import Bag, Diagnostic
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.session.asked import PASS, Amount, Answer, AnswerLike, IllegalAnswer, Several
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.decision import PERSON, Bot, Decision, Seat, StaleDecision
from interpreter.session.driver import End
from interpreter.session.faults import Fault, Step
from interpreter.session.game import Game
from interpreter.session.records import POLICIES, Policy, SaveError
from interpreter.session.request import Request, WrongPlayers
from interpreter.session.state import data_of
from interpreter.session.trace import TraceLine
from interpreter.session.values import Value, Values
from interpreter.session.view import View

if TYPE_CHECKING:
    from interpreter.engine.batch import BatchResult
    from interpreter.playtest.machine import EngineName
    from interpreter.playtest.report import Report


class RulesError(ValueError):
    """Rules or data with mistakes. `diagnostics` has each of them; the message shows them all."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n" + render_text(self.diagnostics))


class Variant:
    """A variant with its mods and switches, checked and compiled for a number of players."""

    def __init__(self, compiled: CompiledGame, warnings: Sequence[Diagnostic] = ()) -> None:
        self.compiled = compiled
        self.warnings = tuple(warnings)

    def __repr__(self) -> str:
        mods = f" with {', '.join(self.mods)}" if self.mods else ""
        return f"<Variant {self.name}{mods}, {self.players} players>"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.compiled.program.variant

    @property
    def title(self) -> str:
        """What it is called where people read it."""
        return self.compiled.program.title

    @property
    def players(self) -> int:
        """For how many players it is compiled."""
        return self.compiled.program.players

    @property
    def mods(self) -> tuple[str, ...]:
        """The mods laid over it, in order."""
        return self.compiled.program.mods

    @property
    def switches(self) -> dict[str, str]:
        """All switches and what they stand at."""
        return dict(self.compiled.program.switches)

    @property
    def digest(self) -> str:
        """A hash of all rules, data and choices: games with one digest are played alike."""
        return self.compiled.digest

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that can play a seat, `random` among them."""
        return self.compiled.facts.strategies

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the seats, in order."""
        program = self.compiled.program
        kind = program.kinds[program.player_kind]
        return tuple(program.families[kind.family].ids[member] for member in kind.members)

    def names(self) -> dict[str, dict[str, str]]:
        """What everything is called where people read it, by root kind and id."""
        program = self.compiled.program
        return {
            family: dict(zip(program.families[family].ids, names, strict=True))
            for family, names in program.names.items()
        }

    def data(self, kind: str) -> dict[str, dict[str, Value]]:
        """What never changes about the entities of a kind, by id: prices, groups, texts of cards.

        Only what everybody may know. Raises KeyError for a kind that there is not.
        """
        return data_of(Values(self.compiled.program), kind)

    def new_game(
        self, seed: int = 0, seats: Sequence[Seat] | None = None, *, game: int = 0
    ) -> Game:
        """A new game. `seats`: who plays each seat: `person`, the name of a strategy, or a bot; by
        default a person and, on the other seats, the first strategy there is.

        `seed` and `game` say which game it is: game number `game` of a playtest with this seed.
        """
        if seats is None:
            seats = [PERSON, *[self.strategies[0]] * (self.players - 1)]
        return Game(self.compiled, seats, seed=seed, game=game)

    def playtest(
        self,
        games: int = 1_000,
        *,
        bots: Sequence[str] | None = None,
        seed: int = 0,
        engine: EngineName | None = None,
        workers: int | None = None,
        executor: Executor | None = None,
        on_batch: Callable[[BatchResult], None] | None = None,
    ) -> Report:
        """Many games among bots, which move on by a seat from game to game, and what came of them.

        `bots`: strategies, by default all that are written for the variant. `engine`: `native`
        (the default where wasmtime is installed) or `python`; both play the same games. `executor`:
        any of `concurrent.futures`, or one that works like them; by default local ones. `on_batch`
        gets the results as they come, in the order of the games. Raises WrongPlan.
        """
        from importlib.metadata import version

        from interpreter.playtest.conduct import Conductor, Plan
        from interpreter.playtest.printing import print_machine

        plan = Plan(games, bots, seed, engine, workers, version=version("rulewright"))
        conductor = Conductor(self.compiled, plan, print_machine)
        return conductor.conduct(executor=executor, on_batch=on_batch)

    def load(self, text: str, bots: Mapping[str, Seat] | None = None) -> Game:
        """A saved game, from the text that `Game.save` gave. `bots`: who plays which seat from
        now on; Python bots can't be saved, so their seats wait for a person otherwise.

        Raises SaveError with the reason where it can't be taken up.
        """
        return Game.load(self.compiled, text, bots)


def library(search: Iterable[str | Path] = ()) -> Library:
    """Where variants and mods are looked for by name: some folders, then those of Rulewright."""
    return Library([*search, variants_dir()])


def variants(search: Iterable[str | Path] = ()) -> list[str]:
    """The names of all variants that can be loaded."""
    return list(library(search).variants())


def load_variant(
    name_or_path: str | Path,
    *,
    players: int | None = None,
    mods: Sequence[str | Path] = (),
    switches: Mapping[str, str] | None = None,
    profile: str | None = None,
    language: str = "en",
    search: Iterable[str | Path] = (),
    cached: bool = True,
) -> Variant:
    """A variant by name or by the path of its folder, ready to be played.

    `players`: for how many; by default four, or as near to that as it allows. `switches`: values as
    they would be typed after `--set`. `cached`: whether the compiled variant may come from the
    user's cache folder and be kept there.
    Raises RulesError for mistakes in rules and data, names and choices, and WrongPlayers.
    """
    bag = Bag()
    if isinstance(mods, str):
        raise TypeError(f'mods is a list of names: ["{mods}"].')
    request = Request(
        library(search), name_or_path, players, tuple(mods), dict(switches or {}), profile, language
    )
    compiled = load_compiled(request, bag, cached=cached)
    if compiled is None:
        raise RulesError(one for one in bag.sorted() if one.severity == "error")
    return Variant(compiled, bag.sorted())


__all__ = [
    "PASS", "PERSON", "POLICIES", "Amount", "Answer", "AnswerLike", "Bot", "Decision", "End",
    "Fault", "Game", "IllegalAnswer", "Policy", "RulesError", "SaveError", "Seat", "Several",
    "StaleDecision", "Step", "TraceLine", "Value", "Variant", "View", "WrongPlayers", "library",
    "load_variant", "variants",
]  # fmt: skip
