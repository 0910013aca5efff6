"""`rulewright test NAME --mutants`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from dsl.diagnostics import Bag
from dsl.diagnostics.render import render_text
from interpreter.cli.checking import Target
from interpreter.cli.codes import FINDINGS
from interpreter.cli.games import exit_code, has_color
from interpreter.cli.progress import Progress
from interpreter.cli.telling import tell
from interpreter.mutants.report import MutantReport, as_json, as_text
from interpreter.mutants.run import Suite, Wanted, judge_mutants, make_suite
from interpreter.playtest.runner import default_workers

DEFAULT_COUNT = 300


def test_mutants(
    targets: Sequence[tuple[Target, str | Path]],
    count: int,
    seed: int,
    workers: int | None,
    json_file: str | None,
) -> None:
    """Judges mutants of each target, which comes with the name of its scenarios, and tells of them.

    Ends the command with 1 where one is not noticed, and where a scenario fails as it is.
    """
    reports = [
        _judged(_wanted(target, name, count, seed), workers or default_workers())
        for target, name in targets
    ]
    if json_file is not None:
        with click.open_file(json_file, "w", encoding="utf-8") as out:
            json.dump(as_json(reports), out, indent=2, ensure_ascii=False)
            out.write("\n")
    if json_file != "-":
        for report in reports:
            tell("\n".join(as_text(report)))
    if any(report.unnoticed for report in reports):
        raise click.exceptions.Exit(FINDINGS)


def _wanted(target: Target, name: str | Path, count: int, seed: int) -> Wanted:
    library = target.library
    return Wanted(name, count, seed, library.search_paths, library.std)


def _judged(wanted: Wanted, workers: int) -> MutantReport:
    bag = Bag()
    suite = make_suite(wanted, bag)
    tell(render_text(bag.sorted(), color=has_color()), nl=False, err=True)
    if suite is None:
        if bag.has_errors:
            raise click.exceptions.Exit(exit_code(bag.sorted()))
        raise click.UsageError(f"There are no scenarios in `{wanted.name}`.")
    _stop_on_failing(suite)
    total = min(wanted.count or len(suite.mutants), len(suite.mutants))
    with Progress(total, "changes") as progress:
        return judge_mutants(wanted, suite, workers=workers, tell=progress.advance)


def _stop_on_failing(suite: Suite) -> None:
    for result in suite.failing:
        tell(result.text())
    if suite.failing:
        tell("Scenarios that fail as they are can't tell what a change does.", err=True)
        raise click.exceptions.Exit(FINDINGS)
