"""`rulewright playtest NAME --shake`: what goes wrong in games that are set up by lot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from interpreter.cli.codes import FINDINGS, INTERRUPTED
from interpreter.cli.games import compiled_game, request_of
from interpreter.cli.options import Wish
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.playtest.runner import default_workers, make_executor
from interpreter.playtest.shake import (
    Found,
    ShakeReport,
    conduct_shaking,
    one_game,
    prepared,
    shake_json,
)
from interpreter.playtest.shaking import Shaken, Shaking, Trouble

KINDS = {"crash": "crash: ", "limit": "stopped at the "}
"""What is said before a reason that does not say of which kind it is."""


def shake_variant(
    wish: Wish,
    games: int,
    game: int | None,
    bots: Sequence[str] | None,
    seed: int,
    workers: int | None,
    json_file: str | None,
) -> int:
    """Shakes a variant, or plays one game of it; says what is wrong, and gives the exit code."""
    request = request_of(wish)
    known = prepared(request, seed, None if bots is None else tuple(bots))
    if known is None or game is not None:
        compiled_game(wish, None)  # ends here where there are mistakes
    if known is None:
        raise AssertionError("nothing was loaded, and nothing was said about it")
    title, shaking = known
    if game is not None:
        return _one(title, shaking, game)
    _check_bots(shaking, wish)
    report = _shaken(title, shaking, games, workers or default_workers())
    if json_file is not None:
        text = json.dumps(shake_json(report), indent=2, ensure_ascii=False) + "\n"
        if json_file == "-":
            click.echo(text, nl=False)
        else:
            Path(json_file).write_text(text, encoding="utf-8")
    for line in _report_lines(report):
        click.echo(line, err=json_file == "-")
    if report.games < report.asked:
        return INTERRUPTED
    return FINDINGS if any(each.is_wrong for each in report.found) else 0


def _check_bots(shaking: Shaking, wish: Wish) -> None:
    known = compiled_game(wish, None).facts.strategies
    for bot in shaking.bots or ():
        if bot not in known:
            raise click.UsageError(f"There is no strategy `{bot}`; there are {', '.join(known)}.")


def _shaken(title: str, shaking: Shaking, games: int, workers: int) -> ShakeReport:
    with (
        stopping() as stop,
        Progress(games) as progress,
        make_executor("python", workers) as executor,
    ):
        done = 0

        def on_setup(shaken: Shaken) -> None:
            nonlocal done
            done += shaken.games
            progress.advance(done)

        return conduct_shaking(
            title, shaking, games, executor,
            workers=workers, on_setup=on_setup, should_stop=stop.is_set,
        )  # fmt: skip


def _one(title: str, shaking: Shaking, game: int) -> int:
    trouble = one_game(shaking, game)
    if trouble is None:
        click.echo(f"{title}, seed {shaking.seed}, game {game}: nothing is wrong.")
        return 0
    click.echo(f"{title}, seed {shaking.seed}, game {game}: {trouble.reason}")
    for line in trouble.where.lines() if trouble.where else ():
        click.echo(f"  {line}")
    return 0 if trouble.kind == "limit" else FINDINGS


# ---------------------------------------------------------------- what is said


def _report_lines(report: ShakeReport) -> Iterator[str]:
    yield f"{report.title}: shaken"
    games = f"{report.games:,} games"
    if report.games < report.asked:
        games += f" of {report.asked:,} (interrupted)"
    yield f"  games     {games} in {report.setups} set-ups, seed {report.shaking.seed}"
    yield f"  engines   {report.compared:,} games played on both"
    yield f"  mods      {', '.join(report.shaking.mods) or 'none fits'}"
    if report.refused:
        yield f"  refused   {report.refused} set-ups by the checker, which were drawn anew"
    seconds = ", ".join(f"{part} {time:.0f} s" for part, time in report.seconds.items())
    yield f"  work      {seconds}"
    wrong = [each for each in report.found if each.is_wrong]
    yield ""
    if not wrong:
        yield "No game was stopped, nothing was broken, and the engines agree."
    for each in report.found:
        yield from _found_lines(each)


def _found_lines(each: Found) -> Iterator[str]:
    trouble = each.trouble
    setups = "1 set-up" if each.setups == 1 else f"{each.setups} set-ups"
    games = "1 game" if each.games == 1 else f"{each.games:,} games"
    yield f"{KINDS.get(trouble.kind, '')}{trouble.reason} ({games} in {setups})"
    for line in trouble.where.lines() if trouble.where else ():
        yield f"  {line}"
    yield f"  with {_settings(trouble)}{', all of it needed' if each.is_reduced else ''}"
    yield f"  {trouble.again}"


def _settings(trouble: Trouble) -> str:
    request = trouble.request
    said = [f"{request.players} players", *(str(mod) for mod in request.mods)]
    return ", ".join([*said, *(f"{name}={value}" for name, value in request.switches.items())])
