"""What several commands share: which game is meant, and how that is written on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.engine.seeding import MOST_SEED
from interpreter.session.request import DEFAULT_PLAYERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


def version() -> str:
    """The version of Rulewright."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed_version

    try:
        return installed_version("rulewright")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class Wish:
    """Which game is wanted: a variant, profile or path, and what is laid over it. `players` None:
    the `usual` number, or as near as the variant allows."""

    name: str
    mods: tuple[str, ...] = ()
    switches: tuple[tuple[str, str], ...] = ()
    profile: str | None = None
    players: int | None = None
    language: str = "en"
    usual: int = DEFAULT_PLAYERS


def _mods(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(mod.strip() for part in value for mod in part.split(",") if mod.strip())


def _switches(
    _: click.Context, __: click.Parameter, value: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    pairs: dict[str, str] = {}
    for text in value:
        name, sign, chosen = text.partition("=")
        if not sign or not name.strip() or not chosen.strip():
            raise click.BadParameter(f"write SWITCH=VALUE, such as `--set toll=20`, not `{text}`")
        pairs[name.strip()] = chosen.strip()
    return tuple(pairs.items())


def _complete_mods(
    context: click.Context, param: click.Parameter, typed: str
) -> list[CompletionItem]:
    from interpreter.cli.completing import complete_mods

    return complete_mods(context, param, typed)


def with_option(function: F) -> F:
    """`--with MODS`."""
    return click.option(
        "--with",
        "mods",
        metavar="MODS",
        multiple=True,
        callback=_mods,
        shell_complete=_complete_mods,
        help="Mods to lay over the variant, in order, with commas between them.",
    )(function)


def set_option(function: F) -> F:
    """`--set SWITCH=VALUE`."""
    return click.option(
        "--set",
        "switches",
        metavar="SWITCH=VALUE",
        multiple=True,
        callback=_switches,
        help="Set a switch; may be given several times.",
    )(function)


def profile_option(function: F) -> F:
    """`--profile P`."""
    return click.option(
        "--profile", metavar="PROFILE", help="Set the switches of a named edition of the variant."
    )(function)


def players_option(function: F) -> F:
    """`--players K`."""
    return click.option(
        "--players", type=click.IntRange(min=1), metavar="K", help="The number of players."
    )(function)


def playing_options(function: F) -> F:
    """`--seed`, `--workers` and `--engine`."""
    for option in (
        click.option(
            "--engine",
            type=click.Choice(["native", "python"]),
            help="What plays the games. [default: native, where wasmtime is installed]",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1, max=1024),
            metavar="W",
            help="How much is played at a time. [default: the number of processors]",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, MOST_SEED),
            default=0,
            show_default=True,
            metavar="N",
            help="The seed: the same seed, the same games.",
        ),
    ):
        function = option(function)
    return function


def quiet_option(function: F) -> F:
    """`--quiet`."""
    return click.option("-q", "--quiet", is_flag=True, help="Say only what there is to mend.")(
        function
    )


def game_options(function: F) -> F:
    """All that decides which game is meant, besides its name."""
    for option in (players_option, profile_option, set_option, with_option):
        function = option(function)
    return function


def listed(text: str) -> list[str]:
    """The words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
