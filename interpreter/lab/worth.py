"""What each thing of a game is worth to it: it is taken out, or one of its fields is changed, and
the game is played against itself as it was, with the same luck."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from dsl.core import nodes as core
from interpreter.lab.comparing import Change, LineUp
from interpreter.lab.paired import holm
from interpreter.playtest.grids import heading, make_grid

MOST_ROWS = 20


class WrongChange(ValueError):
    """A change that can't be made to a thing; the message says why."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field and what becomes of it: a number of its own, or a part of what it was."""

    field: str
    value: int | None
    part: float | None

    def of(self, before: int) -> int:
        """What becomes of a value, to the nearest whole number."""
        return self.value if self.value is not None else round(before * (self.part or 0))

    @property
    def words(self) -> str:
        """`price at 80 %`, `price at 100`."""
        return f"{self.field} at " + (
            f"{100 * self.part:g} %" if self.part is not None else f"{self.value}"
        )


_CHANGE = re.compile(r"([a-z][a-z0-9_]*) ?= ?(\d+(?:\.\d+)?) ?(%?)")


def parse_change(text: str) -> FieldChange:
    """`price=80%` or `price=100`. Raises WrongChange."""
    match = _CHANGE.fullmatch(text.strip())
    if match is None or not (match[3] or match[2].isdigit()):
        raise WrongChange(f"write FIELD=PERCENT% or FIELD=NUMBER, such as price=80%, not `{text}`")
    if match[3]:
        return FieldChange(match[1], None, float(match[2]) / 100)
    return FieldChange(match[1], int(match[2]), None)


def values_of(program: core.Program, field: str) -> dict[str, int]:
    """The numbers that things have in a field of the data, by id; copies count by the id of the
    first."""
    found: dict[str, int] = {}
    for column in program.columns.values():
        if column.field != field or column.role != "data":
            continue
        members = set(program.kinds[column.kind].members)
        for at, (id_, value) in enumerate(
            zip(program.families[column.family].ids, column.values, strict=False)
        ):
            if at in members and isinstance(value, int):
                found.setdefault(id_, value)
                found.setdefault(re.sub(r"_\d+$", "", id_), value)
    return found


@dataclass(frozen=True, slots=True)
class Worth:
    """What a change to a thing has done. `refused`: why it could not be played, and then nothing
    else is known."""

    thing: str
    name: str
    line_up: LineUp | None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A thing with the change of the length, and with the share that changed most surely; their p
    are for all things together."""

    worth: Worth
    turns: Change
    share: Change


def ranked(found: Sequence[Worth]) -> list[Row]:
    """Things by how much the length changes. The p-values are for the lengths of all things
    together, and for all shares of all things together (Holm)."""
    played = [(each, each.line_up) for each in found if each.line_up and each.line_up.pairs]
    turns = _together([line_up.turns for _, line_up in played])
    shares = _together(
        [each for _, line_up in played for each in line_up.headlines if each.figure.is_share]
    )
    many = len(shares) // max(1, len(played))
    rows = []
    for at, (each, _) in enumerate(played):
        own = shares[at * many : (at + 1) * many]
        surest = min(own, key=lambda share: (share.p, -abs(share.difference)))
        rows.append(Row(each, turns[at], surest))
    return sorted(rows, key=lambda row: -abs(row.turns.difference))


def _together(changes: Sequence[Change]) -> list[Change]:
    """Changes whose p-values are for all of them together."""
    ps = holm([each.alone for each in changes])
    return [replace(each, p=p) for each, p in zip(changes, ps, strict=True)]


def show_worth(
    title: str, what: str, found: Sequence[Worth], console: Console, *, full: bool
) -> None:
    """Prints what each thing is worth. `what`: what was done to each."""
    console.print(Text(f"{title}: {what}, one thing at a time", style="bold"))
    rows = ranked(found)
    shown = rows if full else rows[:MOST_ROWS]
    if rows:
        pairs = max(row.worth.line_up.pairs for row in rows if row.worth.line_up is not None)
        more = f", the {len(shown)} that matter most" if len(shown) < len(rows) else ""
        heading(console, f"{len(rows)} things, {pairs:,} pairs of games each{more}")
        grid = make_grid(
            "", "turns", "95 % interval", "p", "share that changed most", "points", "p"
        )
        for row in shown:
            turns, share = row.turns, row.share
            grid.add_row(
                row.worth.name,
                f"{turns.difference:+.2f}",
                f"{turns.low:+.2f} to {turns.high:+.2f}",
                _p(turns.p),
                share.figure.title,
                f"{100 * share.difference:+.2f}",
                _p(share.p),
            )
        console.print(grid)
        sure = sum(row.turns.p < 0.05 or row.share.p < 0.05 for row in rows)
        console.print(f"  {sure} of {len(rows)} do more than chance, by all tests together.")
    refused = [each for each in found if each.refused]
    if refused:
        heading(console, f"{len(refused)} could not be played so")
        for each in refused if full else refused[:MOST_ROWS]:
            console.print(Text(f"  - {each.name}: {each.refused}"), soft_wrap=True)


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def as_json(found: Sequence[Worth]) -> dict[str, object]:
    """It as plain values: things by how much the length changes, then those that were refused."""

    def plain(change: Change) -> Mapping[str, object]:
        return {
            "id": change.figure.id,
            "difference": change.difference,
            "low": change.low,
            "high": change.high,
            "p": change.p,
        }

    return {
        "format": 1,
        "things": [
            {
                "id": row.worth.thing,
                "name": row.worth.name,
                "pairs": 0 if row.worth.line_up is None else row.worth.line_up.pairs,
                "turns": plain(row.turns),
                "share": plain(row.share),
            }
            for row in ranked(found)
        ],
        "refused": [
            {"id": each.thing, "name": each.name, "why": each.refused}
            for each in found
            if each.refused
        ],
    }
