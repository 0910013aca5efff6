"""Who plays which seat, from what was typed after `--seats`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dsl.diagnostics.suggest import did_you_mean
from interpreter.flat.ir.nodes import RANDOM
from interpreter.search.names import FORMS, KINDS, is_search_bot, parse_bot
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import PERSON_WORDS, Seat

ME = "me"


def seated(compiled: CompiledGame, wanted: Sequence[str] | None) -> dict[str, Seat]:
    """Who plays each seat, by its id; fewer than there are seats are taken again, but not `me`."""
    known = list(compiled.facts.strategies)
    player = compiled.program.kinds[compiled.program.player_kind]
    ids = compiled.program.families[player.family].ids
    names = list(wanted or [ME])
    if len(names) > len(player.members):
        raise click.UsageError(
            f"{len(names)} seats are too many for {len(player.members)} players."
        )
    who = {name: _player(name, known) for name in names}
    others = [each for each in names if each not in PERSON_WORDS]
    others = others or [each for each in known if each != RANDOM] or [RANDOM]
    missing = len(player.members) - len(names)
    names += [others[number % len(others)] for number in range(missing)]
    return {
        ids[member]: who.get(name, name) for member, name in zip(player.members, names, strict=True)
    }


def _player(name: str, strategies: list[str]) -> Seat:
    if name in strategies or name in PERSON_WORDS:
        return name
    everybody = ", ".join((*strategies, ME, *FORMS))
    if not is_search_bot(name):
        near = did_you_mean(name.partition(":")[0], (*strategies, ME, *KINDS))
        raise click.UsageError(
            f"Nobody called `{name}` can play; {near or f'there are {everybody}'}"
        )
    try:
        parse_bot(name)
    except ValueError as error:
        raise click.UsageError(f"{error} There are {everybody}.") from None
    from interpreter.search.bots import make_bot

    return make_bot(name)
