"""`rulewright compile`."""

from __future__ import annotations

import click

from interpreter.cli.checking import checked_game
from interpreter.cli.options import Wish, game_options
from interpreter.cli.outline import outline_core, outline_flat
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.flat.lower import lower_program
from interpreter.session.modules import FLAVOURS

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
@click.option("--only", metavar="WORD", help="Only parts of core and flat with this in their name.")
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
    if only is not None and stage not in ("core", "flat"):
        raise click.UsageError("--only goes with --emit core or --emit flat.")
    program = checked_game(Wish(name, mods, switches, profile, players))
    if stage == "core":
        click.echo(outline_core(program, only), nl=False)
        return
    flat = lower_program(program, FLAVOURS["batch"])
    match stage:
        case "flat":
            click.echo(outline_flat(flat, only), nl=False)
        case "python":
            click.echo(print_python(flat))
        case _:
            click.echo(print_wat(flat, batch=True))
