"""Nobody owes rent for a landing on what nobody owned (seeds 000, 002, 003), whoever has it by the
time that the rent would be claimed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from game_ledger import bits
from game_rigs import FITTING, PLAYERS, Rig, Setup, checked, rig

from dsl.core.changes import Changes
from interpreter.engine.python_engine import FAULT, PythonEngine
from interpreter.flat.context.layout import Layout
from interpreter.flat.ir.nodes import Program

SETUPS = [Setup(variant, 4) for variant in ("classic", "cthulhu", "crooked_cash", "jackpot")]
CLAIMS = {"jackpot": "Rent"}
"""What the claim for a rent is called, where it is no Claim."""


@dataclass
class Book:
    """Where everybody stands since when, whose that space was at the landing, and the claims. It
    looks at the state before every answer: nothing is sold without one, so what it sees first of a
    visit is what was there at the landing. No rule is asked."""

    rig: Rig
    engine: PythonEngine
    visits: dict[int, tuple[int, int]] = field(default_factory=dict)
    was_free: dict[int, bool] = field(default_factory=dict)
    claims: set[tuple[int, int]] = field(default_factory=set)
    free_landings: int = 0
    rightly: int = 0
    wrongly: int = 0

    def __post_init__(self) -> None:
        layout = Layout(self.rig.core, Program(self.rig.core.variant, self.rig.core.players))
        kind = CLAIMS.get(self.rig.setup.variant, "Claim")
        self.live = layout.live[self.rig.core.kinds[kind].family]
        self.payer = layout.fields[f"{kind}.payer"].name
        self.position = layout.fields["Player.space"].name
        owned = next(
            zone
            for zone in self.rig.core.zones.values()
            if zone.back == "owner" and self.rig.core.kinds[zone.holds].family == "Space"
        )
        self.places = layout.zones[owned.name]
        self.owned = layout.zones[owned.name].held.place_column
        self.dice = self.rig.flat.streams.index("roll_dice by with")
        self.can_be_owned = set(self.rig.core.kinds[owned.holds].members)

    def is_free(self, space: int) -> bool:
        """Whether a space could be somebody's and is nobody's."""
        place = self.engine.cell(self.owned, space)
        seats = range(self.rig.players)
        owners = [self.places.base + self.places.step * (p - self.places.first) for p in seats]
        return space in self.can_be_owned and place not in owners

    def look(self) -> None:
        """Notes what has changed since it last looked."""
        throws = self.engine.streams()[self.dice]
        for player in range(self.rig.players):
            space = self.engine.cell(self.position, player)
            before = self.visits.get(player)
            # Three on to a card, and three back: where nobody is asked, only the dice have moved.
            is_on_turn = player == self.engine.scalar("s_game_active")
            visit = (space, throws if is_on_turn or before is None else before[1])
            if visit != before:
                self.visits[player] = visit
                self.was_free[player] = self.is_free(space)
                self.free_landings += self.was_free[player]
        live = bits(self.engine.scalar(self.live))
        claims = {(claim, self.engine.cell(self.payer, claim)) for claim in live}
        for _, payer in claims - self.claims:
            self.wrongly += self.was_free[payer]
            self.rightly += not self.was_free[payer]
        self.claims = claims


def played(ready: Rig, games: int) -> Book:
    """The book of some games, among all strategies that somebody wrote."""
    engine = ready.python
    book = Book(ready, engine)

    def watched(answer: Callable[..., int]) -> Callable[..., int]:
        def looked_at(*args: int) -> int:
            book.look()
            return answer(*args)

        return looked_at

    for number in range(games):
        for seat in range(ready.players):
            name = ready.written[(number + seat) % len(ready.written)]
            sites = ready.flat.strategies[name]
            answers = {site: watched(engine.function(bot)) for site, bot in sites.items()}
            engine.seat(seat, answers)
        engine.new_game(11, number)
        engine.set_scalar("always", (1 << ready.players) - 1)
        book.visits.clear()
        book.claims.clear()
        assert engine.play(ready.phase_limit) != FAULT
    return book


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_rent_is_owed_for_what_was_owned_at_the_landing(setup: Setup) -> None:
    games = 6
    book = played(rig(setup), games)
    assert book.free_landings > 4 * games
    assert book.rightly > 2 * games
    assert book.wrongly == 0


@pytest.mark.long
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_no_rent_of_a_thousand_games_is_owed_by_nobody(setup: Setup) -> None:
    book = played(rig(setup), 1000)
    assert book.wrongly == 0


WAYS = [
    *(Setup(variant, 4) for variant in PLAYERS),
    *(Setup(variant, 4, mods) for variant, mods in FITTING.items()),
    Setup("classic", 4, switches=(("just_visiting_ends_turn", "yes"),)),
]


@pytest.mark.parametrize("setup", WAYS, ids=str)
def test_what_the_owner_of_a_deed_sets_off_is_all_that_a_rule_may_change(setup: Setup) -> None:
    program = checked(setup)
    changes = Changes(program)
    found = {
        hooks[at].rule: [hooks[before].rule for before in earlier]
        for routine in program.routines.values()
        for hooks in (routine.befores, routine.insteads, routine.afters)
        for at, earlier in changes.changed_heads(hooks).items()
    }
    has_rent = any(routine.verb == "landing" for routine in program.routines.values())
    assert found == ({"rent": ["offer"]} if has_rent else {})
