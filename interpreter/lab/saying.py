"""A comparison for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from interpreter.lab.comparing import Change, Comparison, LineUp
from interpreter.playtest.grids import heading, make_grid
from interpreter.playtest.report import Setting
from interpreter.playtest.show import show_remarks

MOST_CHANGES = 12
PLAIN = 3
"""So many digits a figure without a unit of its own is told with."""


def show_comparison(comparison: Comparison, console: Console, *, full: bool = False) -> None:
    """Prints a comparison. `full`: all changes, not just the largest."""
    _show_sides(comparison, console)
    for line_up in comparison.line_ups:
        if line_up.pairs:
            _show_headlines(line_up, console)
            _show_changes(line_up, console, full=full)
    show_remarks(remarks(comparison), console)


def _show_sides(comparison: Comparison, console: Console) -> None:
    one, other = comparison.one, comparison.other
    console.print(Text(f"{one.title}: a comparison", style="bold"))
    lines = [
        ("pairs", f"{_pairs(comparison)}, {one.players} players, seed {one.seed}"),
        ("A", _side(one)),
        ("B", _side(other)),
    ]
    for name, value in lines:
        console.print(Text(f"  {name:<9} {value}"), soft_wrap=True)


def _pairs(comparison: Comparison) -> str:
    played = [line_up.pairs for line_up in comparison.line_ups]
    whole = f"{sum(played):,} pairs of games with the same luck"
    return f"{whole}, {len(played)} line-ups" if len(played) > 1 else whole


def _side(setting: Setting) -> str:
    mods = f" with {', '.join(setting.mods)}" if setting.mods else ""
    profile = f", profile {setting.profile}" if setting.profile else ""
    chosen = "".join(f", {name}={value}" for name, value in setting.chosen)
    return f"{setting.variant}{mods}{profile}{chosen} ({setting.rules[:12]})"


def _show_headlines(line_up: LineUp, console: Console) -> None:
    early = ", stopped when that was enough" if line_up.is_early else ""
    heading(console, f"{who(line_up)} ({line_up.pairs:,} pairs{early})")
    grid = make_grid("", "A", "B", "change", "95 % interval", "p", "luck saved")
    for each in line_up.headlines:
        if each.one or each.other:
            grid.add_row(*_row(each))
    console.print(grid)


def _show_changes(line_up: LineUp, console: Console, *, full: bool) -> None:
    found = line_up.changes
    shown = found if full else found[:MOST_CHANGES]
    if not found:
        console.print(
            f"  Of {line_up.counted} things that the rules count, none was found changed."
        )
        return
    more = f", the {len(shown)} largest" if len(shown) < len(found) else ""
    console.print()
    console.print(
        f"Per game, of {line_up.counted} things that the rules count: {len(found)} changed{more}"
    )
    grid = make_grid("", "A", "B", "change", "95 % interval")
    for each in shown:
        grid.add_row(*_row(each)[:5])
    console.print(grid)


def _row(change: Change) -> tuple[str, ...]:
    """A change as a row of a table."""
    shares = change.figure.is_share
    saved = "" if change.saved is None else f"{change.saved:.1f} x"
    p = "< 0.0001" if change.p < 0.0001 else f"{change.p:.4f}"
    return (
        change.figure.title,
        f"{100 * change.one:.1f} %" if shares else _number(change.one, change),
        f"{100 * change.other:.1f} %" if shares else _number(change.other, change),
        _signed(change.difference, change),
        f"{_signed(change.low, change)} to {_signed(change.high, change)}",
        p,
        saved,
    )


def _number(value: float, change: Change) -> str:
    """With as many digits as its interval is worth."""
    return f"{value:,.{_digits(change)}f}"


def _digits(change: Change) -> int:
    width = change.high - change.low
    return 0 if width > 20 else 1 if width > 2 else 2 if width > 0.2 else PLAIN


def _signed(value: float, change: Change) -> str:
    if change.figure.is_share:
        return f"{100 * value:+.2f}"
    return f"{value:+,.{_digits(change)}f}"


def who(line_up: LineUp) -> str:
    """Who played, in words: `builder, cautious`, `greedy alone`."""
    names = dict.fromkeys(line_up.bots)
    return f"{next(iter(names))} alone" if len(names) == 1 else ", ".join(line_up.bots)


# ---------------------------------------------------------------- remarks


def remarks(comparison: Comparison) -> list[str]:
    """What to look at, the weightiest first."""
    played = [each for each in comparison.line_ups if each.pairs]
    if not played:
        return ["No pair of games was played to its end."]
    found = list(_disagreement(played))
    for each in played:
        found += _length(each, named=len(played) > 1)
        found += _winners(each, named=len(played) > 1)
    return found


def _disagreement(line_ups: Sequence[LineUp]) -> Iterator[str]:
    """Where it depends on who plays which way a change goes."""
    found = [each for each in line_ups if each.turns.is_found]
    longer = [each for each in found if each.turns.difference > 0]
    shorter = [each for each in found if each.turns.difference < 0]
    if longer and shorter:
        told = [
            f"{each.turns.difference:+.1f} turns with {who(each)}" for each in (*longer, *shorter)
        ]
        yield f"Whether games get longer or shorter depends on who plays: {', '.join(told)}."


def _length(line_up: LineUp, *, named: bool) -> Iterator[str]:
    turns = line_up.turns
    with_whom = f" (with {who(line_up)})" if named else ""
    if turns.is_found:
        word = "longer" if turns.difference > 0 else "shorter"
        low, high = sorted((abs(turns.low), abs(turns.high)))
        yield (
            f"Games of B are {word} by {abs(turns.difference):.1f} turns, {low:.1f} to {high:.1f}"
            f"{with_whom}."
        )
    else:
        yield (
            f"No difference in length was found; it is less than {turns.within:.1f} turns"
            f"{with_whom}."
        )


def _winners(line_up: LineUp, *, named: bool) -> Iterator[str]:
    with_whom = f" (with {who(line_up)})" if named else ""
    shares = [each for each in line_up.headlines if each.figure.is_share]
    for each in (each for each in shares if each.is_found):
        word = "more" if each.difference > 0 else "less"
        low, high = sorted((abs(each.low), abs(each.high)))
        title = each.figure.title
        yield (
            f"{title[:1].upper()}{title[1:]}: {100 * abs(each.difference):.1f} points {word} in B, "
            f"{100 * low:.1f} to {100 * high:.1f}{with_whom}."
        )
    same = [each for each in shares if not each.is_found and (each.one or each.other)]
    if same:
        most = max(each.within for each in same)
        yield (
            f"In the other {len(same)} shares no difference was found; each is less than "
            f"{100 * most:.1f} points{with_whom}."
        )


# ---------------------------------------------------------------- for programs


def as_json(comparison: Comparison) -> dict[str, object]:
    """The comparison as plain values."""
    return {
        "format": 1,
        "a": _json_side(comparison.one),
        "b": _json_side(comparison.other),
        "asked": comparison.asked,
        "line_ups": [
            {
                "bots": list(each.bots),
                "pairs": each.pairs,
                "stopped_early": each.is_early,
                "counted": each.counted,
                "headlines": [_json_change(change) for change in each.headlines],
                "changes": [_json_change(change) for change in each.changes],
            }
            for each in comparison.line_ups
        ],
        "remarks": remarks(comparison),
    }


def _json_side(setting: Setting) -> dict[str, object]:
    plain = asdict(setting)
    return plain | {name: dict(getattr(setting, name)) for name in ("chosen", "switches")}


def _json_change(change: Change) -> dict[str, object]:
    figure = change.figure
    return {
        "id": figure.id,
        "title": figure.title,
        "unit": figure.unit,
        "a": change.one,
        "b": change.other,
        "difference": change.difference,
        "low": change.low,
        "high": change.high,
        "p": change.p,
        "found": change.is_found,
        "luck_saved": change.saved,
    }
