"""`rulewright compile`."""

from __future__ import annotations

import click

from interpreter.cli.checking import checked_game
from interpreter.cli.options import Wish, game_options
from interpreter.cli.outline import functions_with, outline_core, outline_flat
from interpreter.emit.python import print_python, python_functions
from interpreter.emit.wat import print_wat, wat_functions
from interpreter.playtest.printing import playtest_program

STAGES = ("core", "flat", "python", "wat")


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.option(
    "--emit",
    "stage",
    type=click.Choice(STAGES),
    default="python",
    show_default=True,
    help="Which form is printed: the checked rules, what is made of them, or one of the engines.",
)
@click.option(
    "--only",
    metavar="WORD",
    help="Only parts with this in their name; or functions that use it, if none is named so.",
)
@game_options
def compile_command(
    name: str,
    stage: str,
    only: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Print what a variant is compiled to.

    The rules are checked and become the core, the core becomes flat core, and flat core is printed
    as Python or as WebAssembly text: the games of playtests, with all strategies.
    """
    program = checked_game(Wish(name, mods, switches, profile, players))
    if stage == "core":
        click.echo(outline_core(program, only), nl=False)
        return
    flat = playtest_program(program)
    functions = functions_with(flat, only)
    if stage == "flat":
        click.echo(outline_flat(flat, only), nl=False)
    elif stage == "python":
        click.echo(print_python(flat) if only is None else python_functions(flat, functions))
    else:
        text = print_wat(flat, batch=True) if only is None else wat_functions(flat, functions)
        click.echo(text, nl=False)
