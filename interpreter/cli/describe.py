"""The commands that describe a variant: words, explain-order, schema."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

import click

from dsl.check.order import Order, OrderStep, explain_order
from dsl.check.schema import derived_schema
from dsl.check.words import Category, Id, Word, list_ids, list_words
from dsl.data.outer import outer_schema
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.summary import overlay_of
from dsl.source import Span
from interpreter.cli.checking import checked_game, merged_game, targets
from interpreter.cli.completing import complete_names
from interpreter.cli.options import Wish, game_options, profile_option, set_option, with_option

# ---------------------------------------------------------------- words


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_names)
@click.argument("words", metavar="[WORD]...", nargs=-1)
@with_option
@set_option
@profile_option
def words_command(
    name: str,
    words: tuple[str, ...],
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
) -> None:
    """List everything in a variant that can be hooked, excepted, forbidden, set, replaced or said.

    With some WORDs only what has one of them in its name, or is of that category (event, rule,
    option, switch, saying, ...). Ids of the data are listed for a section (spaces, cards, seats,
    ...), for `ids`, for a kind, and where a WORD is in an id or a name.
    """
    merged, _ = merged_game(_laid(Wish(name, mods, switches, profile)), scenarios=True)
    every, ids = list_words(merged), list_ids(merged)
    sections = {"ids", *(each.section for each in ids)}
    others = [word for word in words if word not in sections]
    found = [word for word in every if not words or _is_wanted(word, others)]
    found_ids = [each for each in ids if _is_wanted_id(each, words)]
    if not found and not found_ids:
        known = [*(each.name for each in every), *(each.id for each in ids)]
        known += [each.name for each in ids]
        near = did_you_mean(words[0], [*known, *CATEGORIES, *merged.sections])
        raise click.UsageError(f"`{name}` has no word `{words[0]}`" + (f"; {near}" if near else ""))
    categories = dict.fromkeys(word.category for word in found)
    for number, category in enumerate(categories):
        click.echo(("\n" if number else "") + f"{category}")
        for word in found:
            if word.category == category:
                _tell_word(word)
    if found and found_ids:
        click.echo()
    _tell_ids(found_ids)
    if not words:
        counts = Counter(each.section for each in ids)
        listing = ", ".join(f"{section} ({count})" for section, count in counts.items())
        click.echo(f"\nids: {listing}\n  `rulewright words {name} ids` lists them all")


def _laid(wish: Wish) -> Wish:
    """A mod that was named, over the first variant that it fits."""
    (target, *_) = targets([wish.name])
    if target.mod is None:
        return wish
    overlay = overlay_of(target.library, target.mod.name)
    if not overlay.variants:
        return wish
    return replace(wish, name=overlay.variants[0], mods=(*overlay.needed, wish.name, *wish.mods))


CATEGORIES = ("ids", *get_args(Category))


WRITTEN_AS = {"define": "value", "defines": "value", "but": "exception", "ask": "question"}
"""Categories by the word with which they are written in rules."""


def _is_wanted(word: Word, words: Iterable[str]) -> bool:
    return any(
        WRITTEN_AS.get(each, each) in (word.category, f"{word.category}s") or each in word.name
        for each in words
    )


def _is_wanted_id(each: Id, words: Iterable[str]) -> bool:
    return any(
        word in ("ids", each.section, each.kind)
        or word in each.id
        or word.casefold() in each.name.casefold()
        for word in words
    )


def _tell_ids(ids: list[Id]) -> None:
    for number, section in enumerate(dict.fromkeys(each.section for each in ids)):
        click.echo(("\n" if number else "") + f"ids of {section}")
        those = [each for each in ids if each.section == section]
        width = max(len(each.id) for each in those)
        for each in those:
            kind = f"  [{each.kind}]" if each.kind else ""
            click.echo(f"  {each.id:<{width}}  {each.name}{kind}")


def _tell_word(word: Word) -> None:
    click.echo(f"  {word.text}  [{word.layer}, {_place(word.span)}]")
    for line in word.doc.splitlines():
        click.echo(f"      {line}")


def _place(span: Span) -> str:
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


# ---------------------------------------------------------------- explain-order


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_names)
@click.argument("event", metavar="[EVENT]", required=False)
@game_options
def explain_order_command(
    name: str,
    event: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Show in which order rules run, for every event, routine, phase and window that has rules.

    EVENT: only for this one. What comes after a rule that may end the turn is not done if it does.
    """
    program = checked_game(Wish(name, mods, switches, profile, players))
    orders = explain_order(program, event)
    if not orders and event is not None:
        known = [order.name.partition(" ")[0] for order in explain_order(program)]
        near = did_you_mean(event, known)
        raise click.UsageError(
            f"Nothing called `{event}` happens in `{name}`" + (f"; {near}" if near else "")
        )
    for number, order in enumerate(orders):
        click.echo(("\n" if number else "") + f"{order.what} {order.name}")
        for step in order.steps:
            click.echo(f"  {_step(order, step)}")


def _step(order: Order, step: OrderStep) -> str:
    place = _place(step.span)
    ends = f"  (may end {' or '.join(step.ends)})" if step.ends else ""
    if step.rule is None:
        return f"itself{ends}  [{place}]"
    is_option = order.what == "window"
    said = f"option {step.rule}" if is_option else f"{step.timing} {step.rule}"
    if order.what == "watch":
        said = f"whenever {step.condition}"
    else:
        said += f" ({', '.join(step.patterns)})" if step.patterns else ""
        said += f" if {step.condition}" if step.condition else ""
        earlier = " and ".join(step.already_before)
        said += f"  (already before {earlier})" if earlier else ""
    return f"{said}{ends}  [{step.layer}, {place}]"


# ---------------------------------------------------------------- schema


@click.command()
@click.argument("name", metavar="[NAME|PATH]", required=False, shell_complete=complete_names)
@with_option
@set_option
@profile_option
def schema_command(
    name: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
) -> None:
    """Print the JSON Schema of a variant's data, made from the kinds that its rules declare.

    Without a name the schema of what all variants and mods share.
    """
    if name is None:
        click.echo(json.dumps(outer_schema(), indent=2, ensure_ascii=False))
        return
    merged, bag = merged_game(Wish(name, mods, switches, profile))
    click.echo(json.dumps(derived_schema(merged), indent=2, ensure_ascii=False))
    if bag.has_errors and not merged.is_complete:
        click.echo(
            f"There are mistakes in the texts of `{name}`, so this may be incomplete; "
            f"`rulewright check {name}` shows them.",
            err=True,
        )
