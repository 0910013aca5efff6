"""What a designer should look at, in plain words, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.playtest.report import Ended, Idle, Report, Standing, Standings

SURE = 0.01
FEW_GAMES = 100
FAR_STRONGER = 1.5
FAR_WEAKER = 0.5
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
        *_places(report),
        *_bots(report),
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
            yield f"{percent(end.share)} of the games hit the {end.reason} and were stopped."
            yield from _places_of(end)


def _winners(report: Report) -> Iterator[str]:
    if report.decided == 0:
        yield "No game ended by a rule of the game, so nothing can be said about who wins."
        return
    if report.unwon:
        yield f"{_games(report.unwon)} ended without a winner."
    if report.shared > report.decided * 0.05:
        yield f"{percent(report.shared / report.decided)} of the games had several winners."


def _places(report: Report) -> Iterator[str]:
    if report.places is not None:
        yield from _favoured(
            report.places, lambda row: f"The {row.name} place in the order of play"
        )
        return
    yield from _favoured(report.by_seat, lambda row: f"The seat {row.name}")


def _favoured(standings: Standings, name: object) -> Iterator[str]:
    if standings.test.p is None or standings.test.p >= SURE:
        return
    assert callable(name)
    off = [row for row in standings.rows if row.share.is_off]
    for row in sorted(off, key=lambda row: -abs(row.share.share - row.share.fair))[:2]:
        word = "favoured" if row.share.share > row.share.fair else "at a disadvantage"
        yield f"{name(row)} is {word}: {_against(row)}."


def _against(row: Standing) -> str:
    share = row.share
    return f"it wins {percent(share.share)} of the games, where {percent(share.fair)} would be fair"


def _bots(report: Report) -> Iterator[str]:
    if report.by_bot is None or report.decided < FEW_GAMES:
        return
    for row in report.by_bot.rows:
        if row.share.low > FAR_STRONGER * row.share.fair:
            yield f"The bot {row.name} is far stronger than the others: {_against(row)}."
        elif row.share.high < FAR_WEAKER * row.share.fair:
            yield f"The bot {row.name} is far weaker than the others: {_against(row)}."


def _lengths(report: Report) -> Iterator[str]:
    if report.turns is None:
        return
    spread = report.turns.spread
    if spread.p95 > LONG_TAIL * spread.median and report.games >= FEW_GAMES:
        yield (
            f"One game in twenty is longer than {spread.p95:,} turns, "
            f"more than {LONG_TAIL} times the usual {spread.median:,}."
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
