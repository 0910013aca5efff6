"""What a program is compiled with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What is compiled in. What is off costs nothing.

    `strategies`: the names of strategies to compile; None for all. `host`: the functions that
    sessions need to list, refuse and explain answers. `knowledge`: columns of which seats know
    where things lie (see `places`). `tells`: what is traced also says what it belongs to, for the
    log that people read. `steps`: every statement is traced with the rule in which it
    stands, and functions stay apart, so that the calls that are open lead to a fault. `without`:
    what is left out of all that only makes programs faster (see `choices` and `pipeline`).
    """

    strategies: tuple[str, ...] | None = None
    measures: bool = False
    coverage: bool = False
    trace: bool = False
    tells: bool = False
    steps: bool = False
    host: bool = True
    scenarios: bool = False
    knowledge: bool = False
    without: frozenset[str] = frozenset()

    @property
    def left_out(self) -> frozenset[str]:
        """All that is left out."""
        return self.without | APART if self.steps else self.without


APART = frozenset({"inline", "drop"})
"""Left out where functions have to stay apart, or where little is played: putting them into each
other makes long runs faster, and takes longer than all other passes together."""
