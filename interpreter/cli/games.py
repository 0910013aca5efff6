"""The game that a command is about, from the cache where it is there, and what ends a command.

Mistakes in rules and data are findings (exit 1); what the command line itself says wrongly is wrong
usage (exit 2). Imports neither the checker nor the engine: a command loads what it needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from dsl.diagnostics.record import Bag, Diagnostic
from dsl.project.allowing import Allowing
from dsl.project.defaults import Defaults, settled
from dsl.project.find import Library, folder_at, is_path, typed_path
from interpreter.bundled import variants_dir
from interpreter.cli.codes import FINDINGS, WRONG_USAGE
from interpreter.cli.options import Wish
from interpreter.cli.telling import tell
from interpreter.session.request import Request

if TYPE_CHECKING:
    from interpreter.session.compile import CompiledGame

COMMAND_LINE = "command line"
"""The name of the source to which errors about the command line itself point."""


def the_library() -> Library:
    """Where names are looked up: the variants that come with Rulewright."""
    return Library([variants_dir()])


def library_of(wish: Wish) -> Library:
    """The library, with what lies beside mods that were given as paths."""
    library = the_library()
    for mod in wish.mods:
        folder = folder_at(typed_path(mod)) if is_path(mod) else None
        if folder is not None:
            library = library.beside(folder)
    return library


def request_of(wish: Wish) -> Request:
    """What a command asks of the sessions and of the cache."""
    return Request(
        library_of(wish), wish.name, wish.players, wish.mods, dict(wish.switches), wish.profile,
        wish.language, wish.usual,
    )  # fmt: skip


def compiled_game(
    wish: Wish, flavour: str | None = "play", *, warns: Defaults | None = None
) -> CompiledGame:
    """A variant ready to be played; else the process ends with the findings.

    `flavour`: in which it is compiled at once. `warns`: warnings are shown too, on stderr, and
    count as much as these defaults say.
    """
    from interpreter.session.compile import load_compiled
    from interpreter.session.request import WrongPlayers

    bag = Bag()
    try:
        game = load_compiled(request_of(wish), bag, flavour=flavour)
    except WrongPlayers as error:
        raise click.UsageError(str(error)) from None
    stop_on_errors(bag)
    if warns is not None:
        bag = settled(bag, warns, Allowing())
        stop_on_errors(bag)
    warnings = [each for each in bag.sorted() if each.severity == "warning"]
    if warns is not None and warnings:
        from dsl.diagnostics.render import render_text

        tell(render_text(warnings, color=has_color(err=True)), err=True)
    if game is None:
        raise AssertionError("nothing was compiled, and nothing was said about it")
    return game


def stop_on_errors(bag: Bag) -> None:
    """Ends the process with the errors of a bag, if it has any."""
    errors = [each for each in bag.sorted() if each.severity == "error"]
    if errors:
        from dsl.diagnostics.render import render_text

        tell(render_text(errors, color=has_color(err=True)), err=True, nl=False)
        raise click.exceptions.Exit(exit_code(errors))


def exit_code(diagnostics: Iterable[Diagnostic]) -> int:
    """What a command ends with: 2 if the command line itself is wrong, 1 for other findings."""
    found = [each for each in diagnostics if each.severity != "note"]
    if any(each.span.source.name == COMMAND_LINE for each in found):
        return WRONG_USAGE
    return FINDINGS if found else 0


def has_color(*, err: bool = False) -> bool:
    """Whether what is written there may be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    return (sys.stderr if err else sys.stdout).isatty()
