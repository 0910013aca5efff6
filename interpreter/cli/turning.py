"""What `sweep` and `seek` share: games in which a switch or a number of the data is turned."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import click

from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.games import compiled_game, library_of, the_library
from interpreter.cli.options import Wish, listed, playing_options, version
from interpreter.engine.seeding import MOST_GAMES
from interpreter.lab.knobs import DataMods, Knob, WrongKnob, parse_knob
from interpreter.lab.sampling import Sample
from interpreter.playtest.conduct import Conductor, Plan, WrongPlan
from interpreter.playtest.machine import EngineName
from interpreter.playtest.printing import print_machine
from interpreter.session.request import DEFAULT_PLAYERS

F = TypeVar("F", bound=Callable[..., Any])


def run_options(games: int, what: str) -> Callable[[F], F]:
    """`--games`, `--bots`, and how they are played."""

    def add(function: F) -> F:
        function = playing_options(function)
        for option in (
            click.option(
                "--bots",
                metavar="BOTS",
                help="Who plays, with commas between them. [default: the strategies of the "
                "variant]",
            ),
            click.option(
                "--games",
                type=click.IntRange(2, MOST_GAMES),
                default=games,
                show_default=True,
                metavar="N",
                help=what,
            ),
        ):
            function = option(function)
        return function

    return add


def knobs_of(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[Knob, ...]:
    """What was typed after `--over`."""
    try:
        return tuple(parse_knob(text) for text in value)
    except WrongKnob as error:
        raise click.BadParameter(str(error)) from None


class Turning:
    """A game and what is played of it; while it is open, mods for changed data lie in a folder."""

    def __init__(
        self,
        wish: Wish,
        bots: str | None,
        seed: int,
        workers: int | None,
        engine: EngineName | None,
    ) -> None:
        self._defaults = defaults_of(wish.name, the_library())
        named = listed(bots) if bots is not None else list(self._defaults.bots) or None
        usual = len(named) if named and len(named) > 1 else DEFAULT_PLAYERS
        self._wish = replace(
            wish,
            mods=wish.mods if is_given("mods") else self._defaults.mods,
            players=wish.players or self._defaults.players,
            usual=usual,
        )
        if not is_given("seed") and self._defaults.seed is not None:
            seed = self._defaults.seed
        self._plan = Plan(2, named, seed, engine, workers, wish.profile, version=version())
        self._folder = tempfile.TemporaryDirectory(prefix="rulewright-")
        self._data: DataMods | None = None

    def sample(self, values: Mapping[str, str]) -> Sample:
        """The game with its switches and data at these values, to be played. The process ends where
        that is no game."""
        fields = {name: value for name, value in values.items() if "." in name}
        switches = tuple((name, value) for name, value in values.items() if "." not in name)
        mods: Sequence[str] = self._wish.mods
        try:
            if fields:
                mods = (*mods, str(self._mods().mod(fields)))
            known = [pair for pair in self._wish.switches if pair[0] not in values]
            wish = replace(self._wish, mods=tuple(mods), switches=(*known, *switches))
            game = compiled_game(wish, None)
            plan = replace(self._plan, chosen=wish.switches)
            return Sample(Conductor(game, plan, print_machine))
        except (WrongPlan, WrongKnob) as error:
            raise click.UsageError(str(error)) from None

    def _mods(self) -> DataMods:
        if self._data is None:
            wish = self._wish
            self._data = DataMods(library_of(wish), wish.name, wish.mods, Path(self._folder.name))
        return self._data

    def __enter__(self) -> Turning:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()


def checked_ids(sample: Sample, ids: Sequence[str]) -> None:
    """Ends with wrong usage where there is no such figure."""
    from dsl.diagnostics.suggest import did_you_mean

    for id_ in ids:
        try:
            sample.figure(id_)
        except KeyError:
            near = did_you_mean(id_, sample.ids())
            few = ", ".join(sample.ids()[:8])
            help_line = near or f"there are {few}, ..."
            raise click.UsageError(f"There is no figure `{id_}`; {help_line}") from None
