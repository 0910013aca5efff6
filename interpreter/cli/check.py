"""`rulewright check`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from dsl.diagnostics import Bag, Diagnostic
from dsl.diagnostics.frame import render_text
from dsl.project.allowing import Allowing
from dsl.project.defaults import Defaults, read_defaults, settled
from dsl.project.find import is_path
from interpreter.cli.catalogue import stale_keys
from interpreter.cli.checking import Checked, Target, check_target, here, targets
from interpreter.cli.completing import complete_names
from interpreter.cli.defaults import named_folder
from interpreter.cli.games import exit_code, has_color
from interpreter.cli.options import Wish, game_options, quiet_option, version
from interpreter.cli.telling import tell
from interpreter.cli.wording import texts_of

FORMATS = ("text", "json", "sarif", "github")


@click.command()
@click.argument("names", metavar="[PATH|NAME]...", nargs=-1, shell_complete=complete_names)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@click.option("--assumed", is_flag=True, help="List what no source says and had to be decided.")
@click.option("--untranslated", is_flag=True, help="List the texts that a language lacks.")
@click.option(
    "--stale", is_flag=True, help="List the texts whose English has changed since translation."
)
@click.option("--bounds", is_flag=True, help="Show how much memory a game can take at most.")
@quiet_option
@game_options
def check_command(
    names: tuple[str, ...],
    form: str,
    assumed: bool,
    untranslated: bool,
    stale: bool,
    bounds: bool,
    quiet: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Find the mistakes in variants and mods, named or at a path; without a name those of this
    folder.

    A variant is checked for the smallest and the largest number of players, a mod with every
    variant that it fits. Ends with 0 if nothing was found, with 1 if something was, and with 2 if
    the command itself is wrong.
    """
    if form != "text" and (assumed or untranslated or stale or bounds):
        raise click.UsageError("Lists are for people: leave --format out.")
    wish = Wish("", mods, switches, profile, players)
    bag = Bag()
    checked: list[Checked] = []
    for target in targets(names or here()):
        checked += check_one(target, replace(wish, name=target.name), bag)
    found = bag.sorted()
    tell(_rendered(found, form), nl=False)
    if form == "text":
        if not quiet:
            _tell(found, checked)
        if assumed:
            _tell_assumed(checked)
        if untranslated:
            for each in checked:
                _tell_untranslated(each)
        if stale:
            for each in checked:
                _tell_stale(each)
        if bounds:
            from interpreter.cli.bounds import bounds_of

            for each in checked:
                tell(bounds_of(each), nl=False)
    raise click.exceptions.Exit(exit_code(found))


def check_one(target: Target, wish: Wish, bag: Bag) -> list[Checked]:
    """Checks a target. What allows a warning is needed if it is in any of the games that the target
    is checked in, so it can only be told where all of them were looked at to the end."""
    own, allowing = Bag(), Allowing()
    folder = target.mod or named_folder(target.name, target.library)
    defaults = Defaults() if folder is None else read_defaults(folder, own)
    checked = check_target(target, wish, own)
    is_whole = wish == Wish(target.name) and not own.has_errors
    bag.extend(settled(own, defaults, allowing))
    if folder is not None and is_whole and (is_path(target.name) or folder.name == target.name):
        allowing.idle(folder, bag)
    return checked


def _rendered(found: Sequence[Diagnostic], form: str) -> str:
    if form == "text":
        return render_text(found, color=has_color())
    from dsl.diagnostics import render

    if form == "json":
        return render.render_json(found)
    if form == "sarif":
        return render.render_sarif(found, version=version())
    return render.render_github(found)


def _tell(found: Sequence[Diagnostic], checked: Sequence[Checked]) -> None:
    """The last line: what was checked, and how much was found."""
    counts = [
        f"{number} {severity}{'' if number == 1 else 's'}"
        for severity in ("error", "warning", "note")
        if (number := sum(each.severity == severity for each in found))
    ]
    if found:
        tell()
    shown = [each.title + _players(each) for each in checked]
    what = ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")
    tell((f"{what}: " if what else "") + (" and ".join(counts) or "nothing to mend"))


def _players(checked: Checked) -> str:
    numbers = [str(number) for number in checked.programs]
    return f" ({' and '.join(numbers)} players)" if numbers else ""


def _tell_assumed(checked: Sequence[Checked]) -> None:
    seen: set[tuple[str, str]] = set()
    tell("\nAssumed, because no source says it:")
    for each in checked:
        for what, why, span in each.merged.assumed if each.merged is not None else ():
            if (what, why) in seen:
                continue
            seen.add((what, why))
            place = f"{span.source.name}:{span.source.position(span.start)[0]}"
            tell(f"  {what} ({place})" + (f"\n    {why}" if why else ""))
    if not seen:
        tell("  nothing")


def _tell_untranslated(checked: Checked) -> None:
    """By language, what the variant has no text for; names and messages alike."""
    if checked.merged is None or not checked.programs:
        return
    texts = texts_of(checked.merged, next(iter(checked.programs.values())))
    languages = dict.fromkeys(locale.language for locale in checked.locales if locale.language)
    if not languages:
        tell(f"\n{checked.title} has texts in no other language.")
    for language in languages:
        there = {
            key for locale in checked.locales if locale.language == language for key in locale.lines
        }
        lacking = [key for key in texts if key not in there]
        tell(f"\n{checked.title} has no text in {language} for:")
        for key in lacking:
            tell(f"  {key}: {texts[key]}")
        if not lacking:
            tell("  nothing")


def _tell_stale(checked: Checked) -> None:
    """By language, what was translated from an English that is another now."""
    if checked.merged is None or not checked.programs:
        return
    texts = texts_of(checked.merged, next(iter(checked.programs.values())))
    for locale in checked.locales:
        if not locale.language or not locale.is_own or locale.folder is None:
            continue
        tell(f"\n{checked.title} in {locale.language}, made of another English:")
        keys = stale_keys(locale.folder, locale.language, texts)
        if keys is None:
            command = f"rulewright texts {locale.layer} --language {locale.language} --accept"
            tell(f"  nobody has noted of which; `{command}` does")
            continue
        for key in keys:
            tell(f"  {key}: {texts[key]}")
        if not keys:
            tell("  nothing")
