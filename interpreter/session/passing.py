"""Passing for people: where nothing else is possible, and for as long as they have said.

A pass that nobody was asked for must not tell others anything: whether more than a pass was
possible is decided for a seat only where everybody could work it out, or where nobody else waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.session.answers import Answering, Asked
from interpreter.session.facts import Facts
from interpreter.session.records import Entry, PhaseRecord, Policy
from interpreter.session.state import LiveState


@dataclass(frozen=True, slots=True)
class Standing:
    """A policy that a player has set at a window, in which phase, and what he could answer then."""

    policy: Policy
    phase: int
    could: str


class Passing:
    """The policies of the people in a game."""

    def __init__(self, facts: Facts, state: LiveState, answering: Answering) -> None:
        self.facts = facts
        self.state = state
        self.answering = answering
        self.policies: dict[tuple[int, str], Standing] = {}

    # ------------------------------------------------------------ what people have said

    def note(self, entry: Entry, phase: int) -> None:
        """What an answer of a person says about passing from here on."""
        if entry.by != "person":
            return
        for seat, site in list(self.policies):
            if seat != entry.seat:
                continue
            if site == entry.site or self.policies[seat, site].policy == "question":
                del self.policies[seat, site]
        if entry.policy is not None:
            standing = Standing(entry.policy, phase, entry.could)
            self.policies[entry.seat, entry.site] = standing

    def recall(self, logs: Iterable[Iterable[Entry]]) -> None:
        """Works out from the logs of all phases what holds now."""
        self.policies = {}
        for phase, log in enumerate(logs):
            for entry in log:
                self.note(entry, phase)

    def could(self, asked: Asked) -> str:
        """What can be answered, as one text."""
        return "; ".join(str(answer) for answer in self.answering.listed(asked))

    # ------------------------------------------------------------ whether to pass

    def passes(self, asked: Asked, past: Sequence[PhaseRecord], *, is_alone: bool) -> bool:
        """Whether the seat passes without being asked. `is_alone`: no other person plays."""
        site = asked.site
        if site.form != "window" or not site.may_pass:
            return False
        if (is_alone or self._is_public(asked)) and self.answering.only_passes(asked):
            return True
        standing = self.policies.get((asked.seat, site.name))
        return standing is not None and self._stands(standing, asked, past)

    def _is_public(self, asked: Asked) -> bool:
        """Whether all players could work out whether this seat can do more than pass."""
        for info in asked.site.answers:
            head = self.facts.heads.get(info.name)
            if head is None or head.others:
                return False
            for name in head.hands:
                zone = self.facts.program.zones[name]
                if zone.count_hidden or self.state.things(zone, asked.seat):
                    return False
        return True

    def _stands(self, standing: Standing, asked: Asked, past: Sequence[PhaseRecord]) -> bool:
        if standing.policy == "phase":
            return standing.phase == len(past)
        if standing.policy == "change":
            return standing.could == self.could(asked)
        if standing.policy == "turn" and standing.phase != len(past):
            since = [record.whose for record in past[standing.phase + 1 :]]
            return asked.seat not in (*since, self.whose_phase())
        return True

    def whose_phase(self) -> int | None:
        """Whose phase it is, where a phase is about a player."""
        phase = list(self.facts.program.phases)[self.state.engine.scalar("phase")]
        return self.state.whose_phase(self.facts.turns.get(phase))
