"""The commands that only look something up: list, explain."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from dsl.diagnostics.registry import UnknownCodeError, explain
from dsl.project.find import Library
from dsl.project.summary import Summary, summaries
from interpreter.cli.completing import complete_codes, complete_commands
from interpreter.cli.games import has_color, the_library

WIDTH = 100


# ---------------------------------------------------------------- list


@click.command()
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=click.Path(exists=True))
def list_command(folders: tuple[str, ...]) -> None:
    """List the variants and mods that come with Rulewright, or those in some folders."""
    library = Library([Path(folder) for folder in folders]) if folders else the_library()
    found = summaries(library)
    _list("Variants", [each for each in found if not each.is_mod])
    _list("Mods, to be laid over a variant with --with", [each for each in found if each.is_mod])


def _list(heading: str, found: Sequence[Summary]) -> None:
    if not found:
        return
    click.echo(f"{heading}\n")
    width = max(len(each.name) for each in found)
    for each in found:
        click.echo(f"  {each.name:<{width}}  {each.title}{_facts(each)}")
        for line in textwrap.wrap(each.description, WIDTH - width - 4):
            click.echo(f"  {'':<{width}}  {line}")
    click.echo()


def _facts(summary: Summary) -> str:
    facts = []
    if summary.players is not None:
        least, most = summary.players
        facts.append(f"{least} players" if least == most else f"{least} to {most} players")
    if summary.extends is not None:
        facts.append(f"extends {summary.extends}")
    if summary.profiles:
        facts.append(f"profiles {', '.join(summary.profiles)}")
    if summary.overlay_for is not None:
        facts.append(f"for {', '.join(summary.overlay_for)}")
    return f" ({'; '.join(facts)})" if facts else ""


# ---------------------------------------------------------------- help


@click.command()
@click.argument("command", metavar="[COMMAND]", required=False, shell_complete=complete_commands)
def help_command(command: str | None) -> None:
    """Tell what there is, or more about a command."""
    root = click.get_current_context().find_root()
    if command is None:
        click.echo(root.get_help())
        return
    group = root.command
    assert isinstance(group, click.Group)
    name, found, _ = group.resolve_command(root, [command])
    assert found is not None
    click.echo(found.get_help(click.Context(found, info_name=name, parent=root)))


# ---------------------------------------------------------------- explain


@click.command()
@click.argument("code", metavar="CODE", shell_complete=complete_codes)
def explain_command(code: str) -> None:
    """Explain a message by its code, with a bad and a good example."""
    try:
        page = explain(code)
    except UnknownCodeError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}") from None
    if has_color():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        click.echo(page, nl=not page.endswith("\n"))
