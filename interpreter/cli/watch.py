"""`rulewright watch`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path

import click

from dsl.diagnostics.frame import render_text
from dsl.project.find import Folder, shown
from interpreter.cli.checking import targets
from interpreter.cli.completing import complete_names
from interpreter.cli.defaults import named_folder
from interpreter.cli.games import has_color, the_library
from interpreter.cli.rounds import GAMES, Look, Rounds
from interpreter.cli.telling import tell

MOST_FAILURES = 3
PAUSE = 100
"""Milliseconds without a change, after which scenarios go on that are still to be run."""

SUFFIXES = (".rules", ".yaml")


@click.command()
@click.argument("name", metavar="[PATH|NAME]", required=False, shell_complete=complete_names)
@click.option(
    "--games",
    type=click.IntRange(0, 100_000),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="How many games are played each time; 0: none.",
)
@click.option("--once", is_flag=True, help="Look once, and end.")
def watch_command(name: str | None, games: int, once: bool) -> None:
    """Look at a variant or mod on every save: check it, run the scenarios that the change can have
    touched, play some games, and say what is different now. Without a name in this folder.

    Ctrl-C ends it. It needs watchfiles: pip install 'rulewright[watch]'.
    """
    word = name or "."
    if len(targets((word,))) != 1:
        raise click.UsageError(f"`{word}` holds several variants and mods: name one of them.")
    folder = named_folder(word, the_library())
    assert folder is not None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        rounds = Rounds(word, games, processes)
        try:
            _tell(folder, rounds.look(), (), is_first=True)
            while once and rounds.is_waiting:
                _tell_more(rounds.go_on())
            for changed in () if once else _changes(folder):
                if changed:
                    _tell(folder, rounds.look(), changed, is_first=False)
                elif rounds.is_waiting:
                    _tell_more(rounds.go_on())
        finally:
            for child in active_children():
                child.terminate()


def _changes(folder: Folder) -> Iterator[list[Path]]:
    """The files that were saved, whenever some were; none where nobody has saved for a moment."""
    try:
        from watchfiles import watch
    except ModuleNotFoundError:
        reason = "watchfiles is not installed; it comes with `pip install 'rulewright[watch]'`."
        raise click.UsageError(reason) from None
    found = watch(
        folder.path,
        debounce=50,
        step=10,
        rust_timeout=PAUSE,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    for changes in found:
        yield sorted({Path(path) for _, path in changes if path.endswith(SUFFIXES)})


# ---------------------------------------------------------------- what is said


def _tell(folder: Folder, look: Look, changed: Sequence[Path], *, is_first: bool) -> None:
    names = ", ".join(shown(path.resolve()) for path in changed) or "for the first time"
    tell(f"\n{time.strftime('%H:%M:%S')}  {folder.name}: {names}")
    _tell_findings(look)
    if look.has_errors:
        tell("  scenarios and games wait until the errors are mended")
        return
    _tell_scenarios(look)
    _tell_playtest(look, is_first=is_first)
    tell(f"  {_times(look)}")


def _tell_findings(look: Look) -> None:
    tell(render_text(look.fresh, color=has_color()), nl=False)
    parts = [f"{len(look.findings)} to mend"] if look.findings else ["nothing to mend"]
    parts += [f"{len(look.fresh)} new"] if look.fresh else []
    parts += [f"{len(look.gone)} mended"] if look.gone else []
    tell(f"  check: {', '.join(parts)}")


def _tell_scenarios(look: Look) -> None:
    _tell_broken(look)
    if not look.results and not look.failing:
        tell("  scenarios: none can have been touched")
        return
    passed = sum(result.passed for result in look.results)
    parts = [f"{passed} of {len(look.results)} passed"]
    parts += [f"{len(look.failing)} failing"] if look.failing else []
    parts += [f"{look.waiting} more to come"] if look.waiting else []
    parts += [f"{len(look.broken)} of them since this change"] if look.broken else []
    parts += [f"mended: {', '.join(look.mended)}"] if look.mended else []
    tell(f"  scenarios: {', '.join(parts)}")


def _tell_broken(look: Look) -> None:
    for result in look.broken[:MOST_FAILURES]:
        tell(result.text())
    for result in look.broken[MOST_FAILURES:]:
        tell(f"FAILED: {result.title}\n  {result.place}")


def _tell_more(look: Look) -> None:
    """Scenarios that have come later: those that failed, and how it is in the end."""
    _tell_broken(look)
    if not look.waiting:
        tell(f"  scenarios: all have been run, {len(look.failing) or 'none'} failing")


def _tell_playtest(look: Look, *, is_first: bool) -> None:
    if look.played is None:
        return
    if is_first:
        figures = ", ".join(f"{name} {value}" for name, value in look.played.figures.items())
        tell(f"  playtest: {figures}")
    elif look.changed:
        said = (f"{name} {now} (was {was})" for name, (was, now) in look.changed.items())
        tell(f"  playtest: {', '.join(said)}")
    else:
        tell("  playtest: the same games")


def _times(look: Look) -> str:
    return ", ".join(f"{what} {seconds:.2f} s" for what, seconds in look.seconds.items())
