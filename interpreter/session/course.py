"""How a game came to a question: what another engine needs to get there too."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.session.asked import Asked
from interpreter.session.compile import CompiledGame
from interpreter.session.records import Entry


@dataclass(frozen=True, slots=True)
class Course:
    """All answers up to a question. It holds what players hide from each other.

    `phases`: the answers of each phase that is over; the lists are those of the game. `log`: those
    of the phase that is running; what is handed in for an open secret question is not in it.
    """

    compiled: CompiledGame
    seed: int
    game: int
    phases: tuple[list[Entry], ...]
    log: tuple[Entry, ...]
    asked: Asked
