"""How games end, in words: by a rule, at the limit, or because something went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dsl.core import nodes as core
from interpreter.emit.ends import BROKEN, CRASHED, FAULT, GAME_OVER, PHASE_LIMIT
from interpreter.flat.ir.nodes import Program

if TYPE_CHECKING:
    from interpreter.session.faults import Fault

EndKind = Literal["rule", "limit", "fault", "bug"]


@dataclass(frozen=True, slots=True)
class Endings:
    """The reasons for which games of a program can end, by the numbers that engines give."""

    rules: tuple[str, ...]
    phases: frozenset[str]
    faults: tuple[str, ...]
    always: tuple[str, ...]
    phase_limit: int

    def kind(self, code: int) -> EndKind:
        """Whether the game ended as its rules say, at the limit, by a fault, or by a mistake in
        Rulewright."""
        kinds: dict[int, EndKind] = {GAME_OVER: "rule", PHASE_LIMIT: "limit", CRASHED: "bug"}
        return kinds.get(code, "fault")

    def word(self, code: int, number: int) -> str:
        """The reason of an end, the same in every run: `rule last_one_left`."""
        match code:
            case _ if code == GAME_OVER:
                if not 0 <= number < len(self.rules):
                    return "game over"
                name = self.rules[number]
                return f"phase {name}" if name in self.phases else f"rule {name}"
            case _ if code == PHASE_LIMIT:
                return f"limit of {self.phase_limit} turns"
            case _ if code == FAULT:
                known = 0 <= number < len(self.faults)
                return f"fault: {self.faults[number]}" if known else "fault"
            case _ if code == BROKEN:
                known = 0 < number <= len(self.always)
                return f"broken: always {self.always[number - 1]}" if known else "broken: always"
            case _ if code == CRASHED:
                return "bug: the engine broke"
            case _:
                return "fault: a rule ended something that was not running"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Games that were stopped at one place. `games`: how many of those that were looked at; `game`:
    the first of them, which `again` plays once more. `fault` is None where no rule is to blame."""

    games: int
    game: int
    again: str
    fault: Fault | None


def endings_of(program: Program, facts_program: core.Program, always: tuple[str, ...]) -> Endings:
    """The endings of a program; `always`: what must always hold, by number."""
    return Endings(
        tuple(program.endings),
        frozenset(facts_program.phases),
        tuple(program.faults),
        always,
        facts_program.phase_limit,
    )
