"""The headlines of a report for several line-ups: what all bots together show, and each by itself.

How long games are, and what it is worth to begin, may depend on who plays. Then that is the first
thing to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.playtest.remarks import percent
from interpreter.playtest.report import Report


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of a line-up with its 95 % interval, and in words."""

    who: str
    low: float
    high: float
    text: str


def differing(mixed: Report, alone: Mapping[str, Report]) -> list[str]:
    """A sentence for each headline that is not the same for all: for two line-ups at least, the
    intervals do not meet. `alone`: by the bot that sat on all seats."""
    found = []
    for what, figure in (("How long a game is", _length), ("What it is worth to begin", _first)):
        figures = [one for name, report in alone.items() if (one := figure(name, report))]
        if not figures:
            continue
        least = min(figures, key=lambda each: each.high)
        most = max(figures, key=lambda each: each.low)
        if least.high < most.low:
            listed = ", ".join(f"{each.text} among {each.who} alone" for each in figures)
            whole = figure("", mixed)
            among = f"; {whole.text} among all together" if whole is not None else ""
            found.append(f"{what} depends on who plays: {listed}{among}.")
    return found


def _length(who: str, report: Report) -> _Figure | None:
    if report.turns is None:
        return None
    lasting = report.turns.lasting
    text = f"{lasting.mean:.1f} turns ({lasting.low:.1f} to {lasting.high:.1f})"
    return _Figure(who, lasting.low, lasting.high, text)


def _first(who: str, report: Report) -> _Figure | None:
    rows = report.won.by_place.rows if report.won.by_place is not None else ()
    if not rows or not report.won.games:
        return None
    share = rows[0].share
    text = f"{percent(share.share)} of the games ({percent(share.low)} to {percent(share.high)})"
    return _Figure(who, share.low, share.high, text)
