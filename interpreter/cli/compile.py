"""`rulewright compile`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dsl.cache import read_cached, write_cached
from interpreter.cli.completing import complete_names
from interpreter.cli.games import request_of
from interpreter.cli.options import Wish, game_options
from interpreter.session.store import request_key

if TYPE_CHECKING:
    from dsl.core.nodes import Program
    from interpreter.flat.ir import nodes as flat

STAGES = ("core", "flat", "python", "wat")


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_names)
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
@click.option(
    "--plain",
    is_flag=True,
    help="Nothing that is there for speed alone: queries are loops, kinds are tested in play.",
)
@click.option(
    "--after",
    "last",
    metavar="PASS",
    help="With --emit flat: as it is behind this pass; behind `lowering` there was none yet.",
)
@game_options
def compile_command(
    name: str,
    stage: str,
    only: str | None,
    plain: bool,
    last: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Print what a variant is compiled to.

    The rules are checked and become the core, the core becomes flat core, and flat core is printed
    as Python or as WebAssembly text: the games of playtests, with all strategies.
    """
    if last is not None and stage != "flat":
        raise click.UsageError(
            "--after goes with --emit flat: passes are from flat core to flat core."
        )
    wish = Wish(name, mods, switches, profile, players)
    if only is None and not plain and last is None:
        click.echo(_kept(wish, stage), nl=False)
    else:
        click.echo(_printed(wish, stage, only, plain=plain, last=last), nl=False)


def _kept(wish: Wish, stage: str) -> str:
    """The whole text, from the cache where it is there."""
    name = f"{request_key(request_of(wish))}.{stage}"
    found = read_cached(name)
    if found is not None:
        return found.decode()
    text = _printed(wish, stage, None)
    write_cached(name, text.encode())
    return text


def _printed(
    wish: Wish, stage: str, only: str | None, *, plain: bool = False, last: str | None = None
) -> str:
    """The text, newly made: only then the compiler is imported, as far as it is needed."""
    from interpreter.cli.checking import checked_game

    program = checked_game(wish)
    if stage == "core":
        from interpreter.cli.outline import outline_core

        return outline_core(program, only)
    from interpreter.cli.outline import functions_with, outline_flat

    made = _flat(program, plain=plain, last=last)
    functions = functions_with(made, only)
    if stage == "flat":
        return outline_flat(made, only)
    if stage == "python":
        from interpreter.emit.python import print_python, python_functions

        return (print_python(made) if only is None else python_functions(made, functions)) + "\n"
    from interpreter.emit.wat import print_wat, wat_functions

    return print_wat(made, batch=True) if only is None else wat_functions(made, functions)


def _flat(program: Program, *, plain: bool, last: str | None) -> flat.Program:
    """The flat core of playtests, whole or as far as it was behind a pass."""
    from interpreter.flat.pipeline import LOWERING, OPTIONAL, PASSES
    from interpreter.flat.plan.choices import CHOICES
    from interpreter.playtest.lowering import playtest_program

    names = [LOWERING, *(one.name for one in PASSES)]
    if last is not None and last not in names:
        raise click.UsageError(f"There is no pass `{last}`: {', '.join(names)}.")
    without = OPTIONAL | CHOICES.keys() if plain else frozenset()
    return playtest_program(program, without=without, after=last)
