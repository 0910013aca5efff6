"""What a deed has brought in by the report is what was moved for it: recomputed from the events of
whole games, move by move, by somebody who knows nothing of what the rules measure."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from game_rigs import Setup, checked

from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.instrument.tracing import Mark
from interpreter.flat.lower import lower_program

GAMES = 40
SEATS = ("builder", "greedy", "setter", "reckoner")
NOTED = """\
add to game
    noted: flag starts no
rule rent_begins: before receive_rent amount from payer to owner of deed
    game.noted = yes
rule rent_ends: after receive_rent amount from payer to owner of deed
    game.noted = no
rule default_begins: before default_on_rent by payer to owner of deed
    game.noted = yes
rule refund_begins: before refund amount of street to player
    game.noted = yes
"""


class Journal:
    """Hears what happens, and books each move of money that is one of a rent or a refund."""

    def __init__(self, marks: list[Mark], bank: int) -> None:
        self.marks = marks
        self.bank = bank
        self.booked: Counter[int] = Counter()
        # Whose move to whom is waited for, and for which deed.
        self.waiting: tuple[int, int, int] | None = None
        self.defaults = 0

    def hear(self, number: int, *values: int) -> None:
        mark = self.marks[number]
        if mark.kind == "rule":
            named = {label: value for (label, _), value in zip(mark.parts, values, strict=True)}
            self.waiting = self._awaited(mark.what, named) or self.waiting
            if mark.what == "rent_ends":
                self.waiting = None
        elif mark.kind == "move" and mark.what == "Player.cash Player.cash":
            amount, giver, taker = values
            if self.waiting is not None and self.waiting[:2] == (giver, taker):
                self.booked[self.waiting[2]] += amount
                self.waiting = None

    def _awaited(self, rule: str, named: dict[str, int]) -> tuple[int, int, int] | None:
        if rule in ("rent_begins", "default_begins"):
            self.defaults += rule == "default_begins"
            return named["payer"], named["owner"], named["deed"]
        if rule == "refund_begins":
            return self.bank, named["player"], named["street"]
        return None


@pytest.mark.parametrize("variant", ["classic", "cthulhu"])
def test_what_came_back_is_what_was_moved(tmp_path: Path, variant: str) -> None:
    mod = tmp_path / "noted"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text("mod: noted\ntitle: Noted\noverlay_for: [classic]\n")
    (mod / "rules" / "noted.rules").write_text(NOTED)
    program = checked(Setup(variant, 4, (str(mod),)))
    out = lower_program(program, Options(host=False, measures=True, trace=True, strategies=SEATS))
    engine = PythonEngine(out)
    (bank,) = program.kinds["bank"].members
    journal = Journal(out.marks, bank)  # type: ignore[arg-type]
    engine.on_trace(journal.hear)
    for game in range(GAMES):
        engine.new_game(5, game)
        for seat in range(4):
            engine.seat(seat, SEATS[(seat + game) % 4])
        engine.play(1_000)
        journal.waiting = None
    sums: Counter[int] = Counter()
    for name in ("rent", "last_cash", "refunds"):
        for deed, amount in enumerate(engine.measures()[out.measures[name].column]):
            sums[deed] += amount
    assert journal.defaults > GAMES
    assert +sums == +journal.booked
