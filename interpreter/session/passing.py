"""Passing for people: where nothing else is possible, and for as long as they have said.

A pass that nobody was asked for must not tell others anything: whether more than a pass was
possible is decided for a seat only where everybody could work it out, or where nobody else waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.flat.ir.nodes import PickInfo
from interpreter.session.answers import Answering
from interpreter.session.asked import Asked
from interpreter.session.facts import Facts
from interpreter.session.records import Entry, PhaseRecord, Policy
from interpreter.session.state import LiveState
from interpreter.session.values import element_kind


@dataclass(frozen=True, slots=True)
class Standing:
    """A policy that a player has set at a window, in which phase, and what he could answer then:
    for `change` all of it, else what he could claim."""

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

    def claims(self, asked: Asked) -> str:
        """What can be answered with things that are made in play, such as what fell due, as one
        text: who is not asked would lose them."""
        pools = [info for info in asked.site.answers if any(map(self._is_pool, info.picks))]
        if not pools:
            return ""
        names = {info.name.partition("@")[0] for info in pools}
        found = (each for each in self.answering.listed(asked) if each.name in names)
        return "; ".join(str(answer) for answer in found)

    def _is_pool(self, pick: PickInfo) -> bool:
        kind = element_kind(pick.type)
        return kind is not None and self.answering.values.family(kind).pool

    # ------------------------------------------------------------ whether to pass

    def passes(self, asked: Asked, past: Sequence[PhaseRecord], *, is_alone: bool) -> bool:
        """Whether the seat passes without being asked. `is_alone`: no other person plays."""
        site = asked.site
        if site.form != "window" or not site.may_pass:
            return False
        if (is_alone or self._is_public(asked)) and self.answering.only_passes(asked):
            return True
        standing = self.policies.get((asked.seat, site.name))
        if standing is None or not self._stands(standing, asked, past):
            return False
        return standing.policy == "change" or not self._has_new_claims(standing, asked, is_alone)

    def _has_new_claims(self, standing: Standing, asked: Asked, is_alone: bool) -> bool:
        """Whether something can be claimed now that could not be when the seat began to pass, so
        that it is asked all the same; where all may know of it, or nobody else waits."""
        if not is_alone and not self._is_public(asked):
            return False
        before = standing.could.split("; ")
        return any(claim not in before for claim in self.claims(asked).split("; ") if claim)

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
