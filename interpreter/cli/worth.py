"""`rulewright worth`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import click

from dsl.diagnostics.record import Bag, Diagnostic
from interpreter.cli.codes import INTERRUPTED
from interpreter.cli.consoles import report_console
from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.games import compiled_game, library_of, request_of, the_library
from interpreter.cli.options import Wish, game_options, listed, version
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.cli.turning import run_options
from interpreter.lab.comparing import Comparing, NotComparable
from interpreter.lab.knobs import DataMods, WrongKnob
from interpreter.lab.worth import (
    FieldChange,
    Worth,
    WrongChange,
    as_json,
    parse_change,
    show_worth,
    values_of,
)
from interpreter.playtest.conduct import Conductor, Plan, WrongPlan
from interpreter.playtest.machine import EngineName
from interpreter.playtest.printing import print_machine
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.request import DEFAULT_PLAYERS

BROKEN_DATA = "RW0450"
MOST_RULES = 8
"""So many `always` lines about the data are laid aside for a change at most."""


def _change(_: click.Context, __: click.Parameter, value: str | None) -> FieldChange | None:
    try:
        return None if value is None else parse_change(value)
    except WrongChange as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.argument("things", metavar="[THING...]", nargs=-1)
@click.option(
    "--change",
    metavar="FIELD=VALUE",
    callback=_change,
    help="Change a field of each thing instead of taking it out: price=80%, price=100.",
)
@run_options(2_000, "How many pairs of games are played for each thing.")
@click.option("--json", "json_file", metavar="FILE", help="Write it as JSON; - for stdout.")
@click.option("--full", is_flag=True, help="Show all things.")
@game_options
def worth_command(
    name: str,
    things: tuple[str, ...],
    change: FieldChange | None,
    games: int,
    bots: str | None,
    seed: int,
    workers: int | None,
    engine: EngineName | None,
    json_file: str | None,
    full: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> int:
    """Take each thing out in turn, or change a field of it, and tell what that does to the game.

    Both games of a pair have the same luck. THING is an id of the data or a section of it, such as
    `cards`; by default all that is there.
    """
    defaults = defaults_of(name, the_library())
    named = listed(bots) if bots is not None else list(defaults.bots) or None
    wish = Wish(
        name, mods if is_given("mods") else defaults.mods, switches, profile,
        players or defaults.players,
        usual=len(named) if named and len(named) > 1 else DEFAULT_PLAYERS,
    )  # fmt: skip
    if not is_given("seed") and defaults.seed is not None:
        seed = defaults.seed
    base = compiled_game(wish, None)
    plan = Plan(games, named, seed, engine, workers, profile, switches, version())
    json_out, found = Output(json_file), list[Worth]()
    with json_out, tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        data = DataMods(library_of(wish), name, wish.mods, Path(folder))
        try:
            trial = _Trial(replace(wish, players=base.program.players), plan, base, data, change)
            ids = trial.wanted(things)
        except (WrongKnob, WrongChange, WrongPlan) as error:
            raise click.UsageError(str(error)) from None
        with stopping() as stop, Progress(len(ids), "things") as progress:
            for thing in ids:
                if stop.is_set():
                    break
                found.append(trial.worth(thing))
                progress.advance(len(found))
        json_out.write(lambda file: _write_json(file, found))
    what = "taken out" if change is None else change.words
    console = report_console(is_taken=json_file == "-")
    show_worth(base.program.title, what, found, console, full=full)
    if json_out.error is not None:
        raise json_out.error
    return 0 if len(found) == len(ids) else INTERRUPTED


@dataclass(frozen=True, slots=True)
class _Trial:
    """A game as it is, and what is to be done to each of its things."""

    wish: Wish
    plan: Plan
    base: CompiledGame
    data: DataMods
    change: FieldChange | None

    def wanted(self, named: Sequence[str]) -> list[str]:
        """The things that are meant. Raises WrongKnob, or WrongChange where one lacks the field."""
        known = self.data.things()
        sections = set(known.values())
        values = {} if self.change is None else values_of(self.base.program, self.change.field)
        if self.change is not None and not values:
            raise WrongChange(f"no thing has a number `{self.change.field}` in the data")
        found = dict.fromkeys(
            thing
            for word in named or sorted(sections)
            for thing in (known if word in sections else [word])
            if word not in sections or known[thing] == word
        )
        for thing in found:
            self.data.section(thing)
        return [thing for thing in found if self.change is None or thing in values]

    def worth(self, thing: str) -> Worth:
        """What the change to a thing does."""
        names = dict(self._names())
        name = names.get(thing) or names.get(f"{thing}_1") or thing
        without: list[str] = []
        while True:
            bag = Bag()
            mods = (*self.wish.mods, str(self._mod(thing, without)))
            changed = load_compiled(
                request_of(replace(self.wish, mods=mods)), bag, cached=False, flavour=None
            )
            errors = [each for each in bag.sorted() if each.severity == "error"]
            more = list(dict.fromkeys(_of_data(errors)))
            if changed is not None and not errors:
                break
            if not more or len(without) + len(more) > MOST_RULES:
                return Worth(thing, name, None, errors[0].message if errors else "it can't be read")
            without += more
        try:
            sides = [Conductor(game, self.plan, print_machine) for game in (self.base, changed)]
            line_up = Comparing(sides[0], sides[1]).line_up(self.plan.games)
        except (NotComparable, WrongPlan) as error:
            return Worth(thing, name, None, str(error))
        return Worth(thing, name, line_up)

    def _mod(self, thing: str, without: Sequence[str]) -> Path:
        if self.change is None:
            return self.data.mod({}, removed=[thing], without=without)
        before = values_of(self.base.program, self.change.field)[thing]
        field = f"{thing}.{self.change.field}"
        return self.data.mod({field: str(self.change.of(before))}, without=without)

    def _names(self) -> Iterator[tuple[str, str]]:
        program = self.base.program
        for family, names in program.names.items():
            yield from zip(program.families[family].ids, names, strict=True)


def _of_data(errors: Sequence[Diagnostic]) -> Iterator[str]:
    """The `always` lines that a change to the data breaks: they say how the game is, and this is
    another one."""
    for each in errors:
        if each.code == BROKEN_DATA and each.secondary:
            yield each.secondary[-1].span.text


def _write_json(file: TextIO, found: Sequence[Worth]) -> None:
    json.dump(as_json(found), file, indent=2, ensure_ascii=False)
    file.write("\n")
