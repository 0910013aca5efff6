"""The commands that describe a variant: words, explain-order, schema."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from dsl.check.order import Order, OrderStep, explain_order
from dsl.check.schema import derived_schema
from dsl.check.words import Word, list_words
from dsl.data.outer import outer_schema
from dsl.diagnostics.suggest import did_you_mean
from dsl.source import Span
from interpreter.cli.checking import checked_game, merged_game
from interpreter.cli.options import Wish, game_options, profile_option, set_option, with_option

# ---------------------------------------------------------------- words


@click.command()
@click.argument("name", metavar="NAME|PATH")
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
    """List everything in a variant that can be hooked, excepted, forbidden, set or replaced.

    With some WORDs only what has one of them in its name, or is of that category (event, rule,
    option, switch, ...).
    """
    merged, _ = merged_game(Wish(name, mods, switches, profile))
    found = [word for word in list_words(merged) if not words or _is_wanted(word, words)]
    if not found:
        every = list_words(merged)
        near = did_you_mean(words[0], {each.name: None for each in every})
        raise click.UsageError(f"`{name}` has no word `{words[0]}`" + (f"; {near}" if near else ""))
    categories = dict.fromkeys(word.category for word in found)
    for number, category in enumerate(categories):
        click.echo(("\n" if number else "") + f"{category}")
        for word in found:
            if word.category == category:
                _tell_word(word)


def _is_wanted(word: Word, words: Iterable[str]) -> bool:
    return any(each == word.category or each in word.name for each in words)


def _tell_word(word: Word) -> None:
    click.echo(f"  {word.text}  [{word.layer}, {_place(word.span)}]")
    for line in word.doc.splitlines():
        click.echo(f"      {line}")


def _place(span: Span) -> str:
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


# ---------------------------------------------------------------- explain-order


@click.command()
@click.argument("name", metavar="NAME|PATH")
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

    EVENT: only for this one.
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
    if step.rule is None:
        return f"itself  [{place}]"
    is_option = order.what == "window"
    said = f"option {step.rule}" if is_option else f"{step.timing} {step.rule}"
    if order.what == "watch":
        said = f"whenever {step.condition}"
    else:
        said += f" ({', '.join(step.patterns)})" if step.patterns else ""
        said += f" if {step.condition}" if step.condition else ""
    return f"{said}  [{step.layer}, {place}]"


# ---------------------------------------------------------------- schema


@click.command()
@click.argument("name", metavar="[NAME|PATH]", required=False)
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
