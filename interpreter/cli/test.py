"""`rulewright test`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from dsl.diagnostics import Bag
from dsl.diagnostics.render import render_text
from dsl.project.allowing import Allowing
from dsl.project.chain import all_profiles
from dsl.project.defaults import Defaults, read_defaults, settled
from dsl.project.find import is_path
from interpreter.cli.checking import Target, here, targets
from interpreter.cli.codes import FINDINGS, WRONG_USAGE
from interpreter.cli.completing import complete_names
from interpreter.cli.defaults import named_folder
from interpreter.cli.games import exit_code, has_color
from interpreter.cli.mutants import DEFAULT_COUNT, test_mutants
from interpreter.cli.options import quiet_option
from interpreter.cli.telling import tell
from interpreter.scenario.results import ScenarioReport, ScenarioResult, place_of
from interpreter.scenario.suite import run_scenarios


@click.command()
@click.argument("names", metavar="[PATH|NAME]...", nargs=-1, shell_complete=complete_names)
@click.option("-k", "word", metavar="WORD", help="Only scenarios with this in their title.")
@click.option("--coverage", is_flag=True, help="List rules, options and cards that never ran.")
@click.option("-v", "--verbose", is_flag=True, help="Name the scenarios that pass, too.")
@click.option(
    "--mutants",
    type=click.IntRange(min=1),
    is_flag=False,
    flag_value=DEFAULT_COUNT,
    metavar="[N]",
    help="Change the rules and data in N small ways, one at a time, and say which changes no "
    f"scenario notices. [without N: {DEFAULT_COUNT}]",
)
@click.option("--seed", type=int, metavar="N", help="Which changes are drawn. [default: 0]")
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    metavar="W",
    help="How many changes are tried at a time. [default: the number of processors]",
)
@click.option("--json", "json_file", metavar="FILE", help="What --mutants finds; - for stdout.")
@quiet_option
def test_command(
    names: tuple[str, ...],
    word: str | None,
    coverage: bool,
    verbose: bool,
    mutants: int | None,
    seed: int | None,
    workers: int | None,
    json_file: str | None,
    quiet: bool,
) -> None:
    """Run the scenarios of variants and mods; without a name those of this folder.

    A scenario that fails shows what was given, expected and got, and the rules that led there.
    Ends with 0 if all pass, with 1 if one fails, and with 2 if the command itself is wrong or
    there was no scenario to run.
    """
    wanted = targets(names or here())
    if mutants is not None:
        if word is not None or coverage or verbose or quiet:
            raise click.UsageError("--mutants goes with --seed, --workers and --json only.")
        named = [(target, scenarios_of(target)) for target in wanted]
        test_mutants(named, mutants, seed or 0, workers, json_file)
        return
    if seed is not None or workers is not None or json_file is not None:
        raise click.UsageError("--seed, --workers and --json go with --mutants only.")
    bag = Bag()
    start = time.perf_counter()
    results: list[ScenarioResult] = []
    for target in wanted:
        report, own = _run(target, word, coverage=coverage)
        results += report.results
        errors = [found for found in own.sorted() if found.severity == "error"]
        tell(render_text(errors, color=has_color()), nl=False)
        bag.extend(own)
        for first, *also in _folded([one for one in report.results if _is_told(one, verbose)]):
            tell(first.text(also))
        if coverage:
            _tell_coverage(target, report)
    doubts = [found for found in bag.sorted() if found.severity != "error"]
    tell(render_text(doubts, color=has_color()), nl=False)
    if not results and not bag.has_errors:
        _tell_nothing(names, word)
        raise click.exceptions.Exit(WRONG_USAGE)
    seconds = time.perf_counter() - start
    if not quiet:
        tell(f"{_counted(results)} in {seconds:.1f} s")
    if bag.has_errors or not all(result.passed for result in results):
        raise click.exceptions.Exit(max(FINDINGS, exit_code(bag.sorted())))


def _is_told(result: ScenarioResult, verbose: bool) -> bool:
    """Whether a result is shown; what could not be run shows in the mistakes."""
    if result.failure is not None and result.failure.is_mistake:
        return False
    return verbose or not result.passed


def _counted(results: Sequence[ScenarioResult]) -> str:
    unread = sum(one.failure is not None and one.failure.is_mistake for one in results)
    failed = sum(not one.passed for one in results) - unread
    parts = [f"{len(results) - failed - unread} passed"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{unread} can't be run before the mistakes are mended"] if unread else []
    return ", ".join(parts)


def _folded(results: Sequence[ScenarioResult]) -> list[list[ScenarioResult]]:
    """The results, those of one scenario with the same outcome under other rules together."""
    groups: list[list[ScenarioResult]] = []
    for result in results:
        for group in groups:
            if group[0].is_like(result):
                group.append(result)
                break
        else:
            groups.append([result])
    return groups


def _run(target: Target, word: str | None, *, coverage: bool) -> tuple[ScenarioReport, Bag]:
    """Runs the scenarios of a target, with what is to be said of its texts."""
    bag = Bag()
    library, name = target.library, scenarios_of(target)
    report = run_scenarios(library, name, bag, word=word, coverage=coverage)
    folder = target.mod or named_folder(target.name, library)
    defaults = Defaults() if folder is None else read_defaults(folder, bag)
    return report, settled(bag, defaults, Allowing())


def scenarios_of(target: Target) -> str | Path:
    """Whose scenarios are meant: for a profile, those of its variant as they are written."""
    if target.mod is not None and _is_elsewhere(target):
        return target.mod.path
    if target.mod is None and not is_path(target.name):
        owners = all_profiles(target.library).get(target.name)
        if owners and target.name not in target.library.variants():
            return owners[0].name
    return target.name


def _is_elsewhere(target: Target) -> bool:
    return target.mod is not None and target.mod.name not in target.library.mods()


def _tell_coverage(target: Target, report: ScenarioReport) -> None:
    if report.coverage is None:
        return
    covered = report.coverage
    tell(f"{target.name}: {covered.ran} of {covered.total} rules, options and cards ran")
    for never in covered.never:
        place = f"  ({place_of(never.span)})" if never.span is not None else ""
        tell(f"  never: {never.what} {never.name}{place}")


def _tell_nothing(names: Sequence[str], word: str | None) -> None:
    what = f"is no scenario with `{word}` in its title" if word else "are no scenarios"
    where = ", ".join(f"`{name}`" for name in names)
    tell(f"There {what}" + (f" in {where}." if where else "."))
