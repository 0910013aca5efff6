"""What a designer should look at, in plain words, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.playtest.report import Ended, Idle, Report
from interpreter.playtest.standings import Standing, Standings
from interpreter.playtest.stats import SURE, Fairness

FEW_GAMES = 100
MOST_NAMED = 6
LONG_TAIL = 3


def remarks(report: Report) -> list[str]:
    """The remarks on a report; none where nothing is odd."""
    if report.games == 0:
        return ["No game was played to its end."]
    return [
        *_crashes(report),
        *_faults(report),
        *_limits(report),
        *_winners(report),
        *_favours(report),
        *_led(report),
        *_lengths(report),
        *_never(report),
        *_chance(report),
        *_few(report),
    ]


def _crashes(report: Report) -> Iterator[str]:
    if report.crashes:
        game, crash = report.crashes[0]
        yield (
            f"{_games(len(report.crashes))} broke off by a mistake in Rulewright, not in the rules "
            f"(game {game}: {crash.summary})."
        )


def _faults(report: Report) -> Iterator[str]:
    for end in report.ends:
        if end.kind == "fault":
            yield f"{_games(end.games)} had to be stopped ({end.reason}). The rules need mending."
            yield from _places_of(end)


def _places_of(end: Ended) -> Iterator[str]:
    """Where games were stopped, what led there, and how to see it."""
    seen = sum(each.games for each in end.stopped)
    for each in end.stopped:
        share = f", {each.games} of the first {seen} games" if len(end.stopped) > 1 else ""
        lines = each.fault.lines() if each.fault else []
        where = f"{'; '.join(lines)}{share}. " if lines else ""
        reason = end.reason[:1].upper() + end.reason[1:]
        yield f"{reason}: {where}To see game {each.game}: `{each.again}`"


def _limits(report: Report) -> Iterator[str]:
    for end in report.ends:
        if end.kind == "limit":
            yield (
                f"{percent(end.share)} of the games hit the {end.reason} and were stopped. Who won "
                "is told of the others."
            )
            yield from _places_of(end)


def _winners(report: Report) -> Iterator[str]:
    won = report.won
    if won.games == 0:
        yield "No game ended by a rule of the game, so nothing can be said about who wins."
        return
    if report.unwon:
        yield f"{_games(report.unwon)} ended without a winner."
    if won.shared > won.games * 0.05:
        yield f"{percent(won.shared / won.games)} of the games had several winners."


def _favours(report: Report) -> Iterator[str]:
    """Places, seats and bots that win more or less often than is fair."""
    won = report.won
    for name, standings in (
        ("The {} place in the order of play", won.by_place),
        ("The seat {}", None if won.is_by_seat else won.by_seat),
        ("The bot {}", won.by_bot),
    ):
        for row in _off(standings):
            is_more = row.share.share > row.share.fair
            words = ("stronger", "weaker") if "bot" in name else ("favoured", "at a disadvantage")
            yield f"{name.format(row.name)} is {words[not is_more]}: {_against(row)}."


def _off(standings: Standings | None) -> list[Standing]:
    """The two rows that are farthest from fair, where the test finds a difference."""
    if standings is None or standings.test.p is None or standings.test.p >= SURE:
        return []
    off = [row for row in standings.rows if row.share.is_off] or list(standings.rows)
    return sorted(off, key=lambda row: -abs(row.share.share - row.share.fair))[:2]


def _against(row: Standing) -> str:
    share = row.share
    return (
        f"it wins {percent(share.share)} of the games ({percent(share.low)} to "
        f"{percent(share.high)}), where {percent(share.fair)} would be fair"
    )


def _led(report: Report) -> Iterator[str]:
    """Who was ahead in games that were cut off, where it is more than chance."""
    if report.led is None:
        return
    for standings in (report.led.by_place, report.led.by_seat, report.led.by_bot):
        for row in _off(standings)[:1]:
            share = row.share
            yield (
                f"Of the {report.led.games:,} games that were cut off at the limit {row.name} led "
                f"in {percent(share.share)} ({percent(share.low)} to {percent(share.high)}), where "
                f"{percent(share.fair)} would be fair."
            )


def verdict(test: Fairness, what: str, many: str) -> str:
    """What a test of places, seats or bots has found, or could have found."""
    if test.p is None or test.visible is None:
        return f"Too few games to test whether all {many} are alike."
    chance = "p < 0.0001" if test.p < 0.0001 else f"p = {test.p:.4f}"
    figures = f"chi-square {test.statistic:.2f} with {test.freedom} degrees of freedom, {chance}"
    if test.p < SURE:
        return f"The {many} differ, by more than chance ({figures})."
    return (
        f"No difference between {many} was found ({figures}). So many games find, four times in "
        f"five, a {what.partition(' ')[0]} that is off by {100 * test.visible:.1f} points; less "
        "may be there."
    )


def _lengths(report: Report) -> Iterator[str]:
    if report.turns is None:
        return
    lasting = report.turns.lasting
    if lasting.p95 is None or lasting.median is None or report.games < FEW_GAMES:
        return
    if lasting.p95 > LONG_TAIL * lasting.median:
        yield (
            f"One game in twenty is longer than {lasting.p95:,} turns, "
            f"more than {LONG_TAIL} times the usual {lasting.median:,}."
        )


def _never(report: Report) -> Iterator[str]:
    """One line for each kind of thing that did not happen in any game."""
    groups: dict[str, list[Idle]] = {}
    for idle in report.idle:
        groups.setdefault(idle.what, []).append(idle)
    how = {
        "rule": ("This rule", "These rules", "never fired"),
        "option": ("This option", "These options", "were never taken"),
        "answer": ("This answer", "These answers", "were never given"),
    }
    for what, found in groups.items():
        names = ", ".join(f"{idle.name}{_at(idle)}" for idle in found[:MOST_NAMED])
        if len(found) > MOST_NAMED:
            names += f" and {len(found) - MOST_NAMED} more"
        if what in how:
            one, many, verb = how[what]
            verb = verb.replace("were", "was") if len(found) == 1 else verb
            yield f"{one if len(found) == 1 else many} {verb}: {names}."
        else:
            yield f"{what}: never {names}."


def _chance(report: Report) -> Iterator[str]:
    """One line for all bots that leave the same questions to chance."""
    bots: dict[tuple[str, ...], list[str]] = {}
    for each in report.chance:
        bots.setdefault(each.questions, []).append(each.bot)
    for questions, names in bots.items():
        words = ", ".join(f"`{question}`" for question in questions)
        yield f"Answered at random, without a line in the strategy: {words} by {', '.join(names)}."


def _at(idle: Idle) -> str:
    return f" ({idle.place})" if idle.place else ""


def _few(report: Report) -> Iterator[str]:
    if report.games < FEW_GAMES:
        yield f"{_games(report.games)}: the intervals are wide. Play some hundreds at least."


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def percent(share: float) -> str:
    """A share as people read it: 25.3 %, and 0.04 % or 99.97 % where one digit would say less."""
    is_extreme = 0 < share < 0.001 or 0.999 < share < 1
    return f"{100 * share:.2f} %" if is_extreme else f"{100 * share:.1f} %"
