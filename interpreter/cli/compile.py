"""`rulewright compile`."""

from __future__ import annotations

import click

from dsl.cache import read_cached, write_cached
from interpreter.cli.games import request_of
from interpreter.cli.options import Wish, game_options
from interpreter.session.store import request_key

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
    wish = Wish(name, mods, switches, profile, players)
    click.echo(_printed(wish, stage, only) if only else _kept(wish, stage), nl=False)


def _kept(wish: Wish, stage: str) -> str:
    """The whole text, from the cache where it is there."""
    name = f"{request_key(request_of(wish))}.{stage}"
    found = read_cached(name)
    if found is not None:
        return found.decode()
    text = _printed(wish, stage, None)
    write_cached(name, text.encode())
    return text


def _printed(wish: Wish, stage: str, only: str | None) -> str:
    """The text, newly made: only then the compiler is imported, as far as it is needed."""
    from interpreter.cli.checking import checked_game

    program = checked_game(wish)
    if stage == "core":
        from interpreter.cli.outline import outline_core

        return outline_core(program, only)
    from interpreter.cli.outline import functions_with, outline_flat
    from interpreter.playtest.lowering import playtest_program

    flat = playtest_program(program)
    functions = functions_with(flat, only)
    if stage == "flat":
        return outline_flat(flat, only)
    if stage == "python":
        from interpreter.emit.python import print_python, python_functions

        return (print_python(flat) if only is None else python_functions(flat, functions)) + "\n"
    from interpreter.emit.wat import print_wat, wat_functions

    return print_wat(flat, batch=True) if only is None else wat_functions(flat, functions)
