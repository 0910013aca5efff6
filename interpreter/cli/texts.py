"""`rulewright texts`."""

from __future__ import annotations

import json

import click

from dsl.diagnostics import Bag
from dsl.project.locales import read_locales
from interpreter.cli.checking import check
from interpreter.cli.completing import complete_names
from interpreter.cli.games import library_of, stop_on_errors
from interpreter.cli.options import Wish, game_options
from interpreter.cli.wording import texts_of


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_names)
@click.option("--language", metavar="LANG", help="Show what there is in this language.")
@game_options
def texts_command(
    name: str,
    language: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Print all texts of a variant by their keys, as a file for its folder `locale`.

    With a language: the texts that it has, and as comments those that it lacks, in English.
    """
    wish = Wish(name, mods, switches, profile, players)
    bag = Bag()
    checked = check(library_of(wish), wish, bag, scenarios=False, is_for_play=True)
    stop_on_errors(bag)
    assert checked.merged is not None
    texts = texts_of(checked.merged, next(iter(checked.programs.values())))
    if language is None:
        for key, text in texts.items():
            click.echo(f"{key}: {_quoted(text)}")
        return
    there = {
        key: line.text
        for locale in read_locales(library_of(wish), name, mods, Bag())
        if locale.language == language
        for key, line in locale.lines.items()
    }
    count = sum(key in there for key in texts)
    click.echo(f"# {checked.title} in {language}: {count} of {len(texts)} texts.")
    click.echo("# Translate what stands behind a `#`, take the `#` away, and save all of it as")
    click.echo(f"# locale/{language}.yaml in the folder of the variant or mod.")
    for key, text in texts.items():
        sign = "" if key in there else "# "
        click.echo(f"{sign}{key}: {_quoted(there.get(key, text))}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
