"""`rulewright playtest --from`: a saved game, played on many times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TextIO

import click
from rich.console import Console
from rich.text import Text

from dsl.diagnostics.suggest import did_you_mean
from interpreter.cli.codes import INTERRUPTED
from interpreter.cli.files import read_named
from interpreter.cli.games import compiled_game
from interpreter.cli.options import Wish
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.lab.from_here import FromHere, NothingAsked, play_from
from interpreter.playtest.grids import heading, make_grid
from interpreter.playtest.remarks import percent
from interpreter.session.game import Game
from interpreter.session.records import SaveError, from_text


def playtest_from(
    wish: Wish,
    file: str,
    games: int,
    bots: Sequence[str] | None,
    seed: int,
    json_out: Output,
    console: Console,
) -> int:
    """Plays the game in a file on so many times, and tells who wins; the exit code."""
    try:
        text = read_named(file)
        players = wish.players or from_text(text).players
        compiled = compiled_game(replace(wish, players=players))
        game = Game.load(compiled, text)
    except SaveError as error:
        raise click.UsageError(f"`{file}` can't be loaded: {error}") from None
    known = compiled.facts.strategies
    for bot in bots or ():
        if bot not in known:
            near = did_you_mean(bot, known) or f"there are {', '.join(known)}"
            raise click.UsageError(f"There is no strategy `{bot}`; {near}")
    with stopping() as stop, Progress(games) as progress:
        try:
            found = play_from(
                compiled,
                game,
                games,
                strategies=bots or (),
                seed=seed,
                on_game=progress.advance,
                should_stop=stop.is_set,
            )
        except NothingAsked as error:
            raise click.UsageError(f"`{file}` can't be played on: {error}.") from None
    names = compiled.program.names[compiled.program.kinds[compiled.program.player_kind].family]
    with json_out:
        json_out.write(lambda out: _write_json(out, found))
    _show(found, names, compiled.program.title, console)
    if json_out.error is not None:
        raise json_out.error
    return 0 if found.games == games else INTERRUPTED


def _show(found: FromHere, names: Sequence[str], title: str, console: Console) -> None:
    asked = names[found.seats.index(found.asked)]
    console.print(Text(f"{title}: who wins from here", style="bold"))
    lines = (
        ("games", f"{found.games:,}, as {asked} sees it: what {asked} can't know is dealt anew"),
        ("bots", f"{', '.join(found.strategies)}, drawn anew for each seat and game"),
    )
    for name, value in lines:
        console.print(Text(f"  {name:<9} {value}"), soft_wrap=True)
    heading(console, "Who won")
    grid = make_grid("seat", "wins", "share", "95 % interval")
    for name, share in zip(names, found.shares, strict=False):
        wins = f"{share.wins:,.1f}".removesuffix(".0")
        interval = f"{percent(share.low)} to {percent(share.high)}"
        grid.add_row(name, wins, percent(share.share), interval)
    console.print(grid)
    for times, what in (
        (found.unwon, "ended without a winner"),
        (found.cut, "were cut off at the limit of turns and are left out"),
        (found.faults, "had to be stopped by a fault and are left out"),
    ):
        if times:
            console.print(f"  {times:,} games {what}.")


def _write_json(out: TextIO, found: FromHere) -> None:
    written = asdict(found)
    shares = [
        {"id": seat, **asdict(share)} for seat, share in zip(found.seats, found.shares, strict=True)
    ]
    json.dump({"format": 1, **written, "shares": shares}, out, indent=2, ensure_ascii=False)
    out.write("\n")
