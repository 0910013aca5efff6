"""From texts to flat core. Imports parser, checker and lowering: what is cached needs none."""

from __future__ import annotations

from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.project.load import load_merged
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program
from interpreter.session.request import Request, WrongPlayers


def check(request: Request, bag: Bag) -> core.Program | None:
    """The checked program; None, with an error in the bag, if there is none.

    Raises WrongPlayers.
    """
    merged = load_merged(
        request.library,
        request.name_or_path,
        mods=request.mods,
        switches=request.switches,
        profile=request.profile,
        language=request.language,
        scenarios=False,
        bag=bag,
    )
    if merged is None or bag.has_errors:
        return None
    least, most = merged.min_players, merged.max_players
    players = request.players
    if players is None:
        players = max(least, min(most, request.usual))
    if not least <= players <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise WrongPlayers(f"{merged.title} is for {wanted} players, not for {players}.")
    return check_program(merged, players, bag, scenarios=False)


def lower(program: core.Program, options: Options) -> flat.Program:
    """The flat program."""
    return lower_program(program, options)
