"""`rulewright texts`."""

from __future__ import annotations

import json

import click

from dsl.diagnostics import Bag
from dsl.project.locales import read_locales
from dsl.project.parts import LOCALE
from interpreter.cli.catalogue import po_of, texts_from_po, write_stamps
from interpreter.cli.checking import check
from interpreter.cli.completing import complete_names
from interpreter.cli.defaults import named_folder
from interpreter.cli.games import library_of, stop_on_errors
from interpreter.cli.options import Wish, game_options
from interpreter.cli.wording import texts_of


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_names)
@click.option("--language", metavar="LANG", help="Show what there is in this language.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("yaml", "po")),
    default="yaml",
    show_default=True,
    help="How they are written: as a file of the folder `locale`, or for translators' tools.",
)
@click.option(
    "--from", "from_file", metavar="FILE.po", help="Take translations from this file as well."
)
@click.option(
    "--accept",
    is_flag=True,
    help="Note that the translations fit the English as it is now; `check --stale` finds those "
    "whose English is changed later.",
)
@game_options
def texts_command(
    name: str,
    language: str | None,
    form: str,
    from_file: str | None,
    accept: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Print all texts of a variant by their keys, as a file for its folder `locale`.

    With a language: the texts that it has, and as comments those that it lacks, in English.
    """
    if language is None and (form == "po" or from_file is not None or accept):
        raise click.UsageError("Name the language that is meant, with --language.")
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
    if from_file is not None:
        there |= {key: text for key, text in texts_from_po(from_file).items() if key in texts}
    if accept:
        folder = named_folder(name, library_of(wish))
        assert folder is not None
        accepted = {key: text for key, text in texts.items() if key in there}
        path = write_stamps(folder.path / LOCALE, language, accepted)
        click.echo(f"Noted the English of {len(accepted)} texts in {path.name}.")
        return
    if form == "po":
        click.echo(po_of(checked.title, language, texts, there), nl=False)
        return
    count = sum(key in there for key in texts)
    click.echo(f"# {checked.title} in {language}: {count} of {len(texts)} texts.")
    click.echo("# Translate what stands behind a `#`, take the `#` away, and save all of it as")
    click.echo(f"# locale/{language}.yaml in the folder of the variant or mod.")
    for key, text in texts.items():
        sign = "" if key in there else "# "
        click.echo(f"{sign}{key}: {_quoted(there.get(key, text))}")
    for key in there:
        if key not in texts:
            click.echo(f"{key}: {_quoted(there[key])}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
