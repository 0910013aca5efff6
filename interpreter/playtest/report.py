"""The report of a run: what was played, how it ended, who won, how long it took, what never was.

`make_report` judges a tally; `as_json` gives the same for programs. Times stand in `speed` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType

from interpreter.engine.batch import Crash
from interpreter.flat import coverage
from interpreter.playtest.ends import Endings, EndKind, Stopped
from interpreter.playtest.machine import Ready
from interpreter.playtest.stats import (
    Bar,
    Fairness,
    Share,
    Spread,
    fairness,
    histogram,
    share_of,
    spread_of,
)
from interpreter.playtest.tables import Measured, Table, measured, never_counted, tables
from interpreter.playtest.tally import UNKNOWN, Outcome, Tally
from interpreter.session.facts import Facts

Places = Mapping[tuple[int, int], tuple[Stopped, ...]]
"""Where games were stopped, by the code of the end and the number of its reason."""
NOWHERE: Places = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Setting:
    """What was played: enough to play it again. `bots`: who plays each seat in the first game;
    `searching`: which of them are search bots.

    `chosen`: the switches that were set for this run; `switches`: all of them.
    """

    variant: str
    title: str
    mods: tuple[str, ...]
    profile: str | None
    chosen: tuple[tuple[str, str], ...]
    switches: tuple[tuple[str, str], ...]
    players: int
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    asked: int
    rules: str
    version: str
    searching: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """How many games ended for a reason. `stopped`: where no rule ended them, for the places where
    it happened, as seen in the first of these games."""

    kind: EndKind
    reason: str
    games: int
    share: float
    stopped: tuple[Stopped, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Who has won how often. `score`: the average at the end, where the game has scores."""

    name: str
    share: Share
    score: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of one kind, with a test whether their differences are more than chance."""

    rows: tuple[Standing, ...]
    test: Fairness


@dataclass(frozen=True, slots=True)
class Length:
    """How long games are, in turns or in decisions."""

    spread: Spread
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """What never happened. `what`: `rule`, `option`, `answer`, or the title of a measure."""

    what: str
    name: str
    place: str | None


@dataclass(frozen=True, slots=True)
class Chance:
    """A bot, and the questions that it answered at random: its strategy says nothing of them."""

    bot: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast it went, and on what."""

    engine: str
    workers: int
    seconds: float
    games_per_second: float
    decisions_per_second: float


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is said about a run. `places` is None where nobody knows who began;
    `by_bot` where all seats are played alike. `crashes`: games in which an engine broke, by their
    index. `cut`: why not all games could be played, unless somebody stopped the run."""

    setting: Setting
    games: int
    ends: tuple[Ended, ...]
    decided: int
    shared: int
    unwon: int
    places: Standings | None
    by_seat: Standings
    by_bot: Standings | None
    turns: Length | None
    decisions: Length | None
    measures: tuple[Measured, ...]
    tables: tuple[Table, ...]
    idle: tuple[Idle, ...]
    chance: tuple[Chance, ...]
    crashes: tuple[tuple[int, Crash], ...]
    cut: str | None
    speed: Speed


def make_report(
    setting: Setting,
    tally: Tally,
    ready: Ready,
    facts: Facts,
    endings: Endings,
    speed: Speed,
    stopped: Places = NOWHERE,
    cut: str | None = None,
) -> Report:
    """The report of what a run added up to. `cut`: why not all games could be played."""
    found = measured(ready.program, facts.program, ready.meanings, tally.measures)
    has_scores = "score" in ready.program.functions
    names = facts.program.names[facts.program.kinds[facts.program.player_kind].family]
    outcomes = tally.outcomes
    return Report(
        setting=setting,
        games=tally.games,
        ends=tuple(_ends(tally, endings, stopped)),
        decided=tally.decided,
        shared=sum(n for each, n in outcomes.items() if each.winners.bit_count() > 1),
        unwon=sum(n for each, n in outcomes.items() if each.winners == 0),
        places=_by_place(tally, has_scores=has_scores),
        by_seat=_standings(
            tally, list(names[: tally.players]), lambda _, seat: seat, has_scores=has_scores
        ),
        by_bot=_by_bot(tally, setting.bots, has_scores=has_scores),
        turns=_length(tally.turns),
        decisions=_length(tally.decisions),
        measures=tuple(found),
        tables=tuple(tables(found, tally.games)),
        idle=tuple(_idle(tally, ready, facts, found)),
        chance=tuple(_chance(tally, ready, facts, setting.bots)),
        crashes=tuple(sorted(tally.crashes.items())),
        cut=cut,
        speed=speed,
    )


def _ends(tally: Tally, endings: Endings, stopped: Places) -> Iterator[Ended]:
    """Reasons, most frequent first; they add up to all the games."""
    counted: Counter[tuple[EndKind, str]] = Counter()
    places: dict[tuple[EndKind, str], tuple[Stopped, ...]] = {}
    for (code, number), games in tally.ends.items():
        reason = endings.kind(code), endings.word(code, number)
        counted[reason] += games
        places[reason] = places.get(reason, ()) + stopped.get((code, number), ())
    for reason, games in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        yield Ended(*reason, games, games / tally.games, places[reason])


# ---------------------------------------------------------------- who won

Group = Callable[[Outcome, int], int]
"""From how a game came out and a seat in it to the row of the standings that the seat counts in."""


def _standings(tally: Tally, names: Sequence[str], group: Group, *, has_scores: bool) -> Standings:
    players, games = tally.players, tally.decided
    wins = [0.0] * len(names)
    seats = [0] * len(names)
    scores = [0] * len(names)
    for outcome, times in tally.outcomes.items():
        winners = outcome.seats()
        for seat in range(players):
            seats[group(outcome, seat)] += times
        for seat in winners:
            wins[group(outcome, seat)] += times / len(winners)
    for (turn, first), sums in tally.scores.items():
        for seat, score in enumerate(sums):
            scores[group(Outcome(turn, first, 0), seat)] += score
    everybody = sum(seats)
    fair = [count / everybody if everybody else 0.0 for count in seats]
    rows = tuple(
        Standing(
            name,
            share_of(wins[row], games, fair[row]),
            scores[row] / seats[row] if has_scores and seats[row] else None,
        )
        for row, name in enumerate(names)
    )
    return Standings(rows, fairness(wins, fair))


def _by_place(tally: Tally, *, has_scores: bool) -> Standings | None:
    if not tally.outcomes or any(outcome.first == UNKNOWN for outcome in tally.outcomes):
        return None
    players = tally.players
    names = [ordinal(place) for place in range(1, players + 1)]
    return _standings(
        tally, names, lambda game, seat: (seat - game.first) % players, has_scores=has_scores
    )


def _by_bot(tally: Tally, bots: Sequence[str], *, has_scores: bool) -> Standings | None:
    names = list(dict.fromkeys(bots))
    if len(names) < 2:
        return None
    return _standings(
        tally,
        names,
        lambda game, seat: names.index(bots[(game.turn + seat) % len(bots)]),
        has_scores=has_scores,
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


# ---------------------------------------------------------------- how long, what never


def _length(counts: Mapping[int, int]) -> Length | None:
    spread = spread_of(counts)
    return None if spread is None else Length(spread, tuple(histogram(counts)))


def _idle(tally: Tally, ready: Ready, facts: Facts, found: Sequence[Measured]) -> Iterator[Idle]:
    measures = set(ready.program.measures)
    fired = tally.measures.get("coverage", [])
    for label, shown in coverage.never(dict(zip(ready.program.coverage, fired, strict=False))):
        what, _, name = label.partition(" ")
        if not (what == "rule" and name in measures):
            yield Idle(what, shown, _place(facts, what, name))
    for each, missing in never_counted(found):
        for label in missing:
            yield Idle(each.title, label, None)


def _chance(tally: Tally, ready: Ready, facts: Facts, bots: Sequence[str]) -> Iterator[Chance]:
    """Questions of which a counted answer was never given were not asked."""
    given: Counter[str] = Counter()
    fired = tally.measures.get("coverage", [])
    for label, times in zip(ready.program.coverage, fired, strict=False):
        what, _, name = label.partition(" ")
        if what == "answer":
            given[name.partition(".")[0]] += times
    for bot in dict.fromkeys(bots):
        questions = facts.chance.get(bot, ())
        asked = tuple(question for question in questions if given.get(question) != 0)
        if asked:
            yield Chance(bot, asked)


def _place(facts: Facts, what: str, name: str) -> str | None:
    span = facts.rules.get((what, name))
    if span is None:
        return None
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


# ---------------------------------------------------------------- for programs


def as_json(report: Report, remarks: Sequence[str]) -> dict[str, object]:
    """The report as plain values. Only `speed` differs between two runs of the same games."""
    setting = asdict(report.setting)
    for name in ("chosen", "switches"):
        setting[name] = dict(getattr(report.setting, name))
    return {
        "setting": setting,
        "games": report.games,
        "ends": [_json_ended(end) for end in report.ends],
        "decided": report.decided,
        "shared_wins": report.shared,
        "without_winner": report.unwon,
        "by_place": _json_standings(report.places),
        "by_seat": _json_standings(report.by_seat),
        "by_bot": _json_standings(report.by_bot),
        "turns": None if report.turns is None else asdict(report.turns),
        "decisions": None if report.decisions is None else asdict(report.decisions),
        "measures": [_json_measured(each) for each in report.measures],
        "never": [asdict(idle) for idle in report.idle],
        "by_chance": {each.bot: list(each.questions) for each in report.chance},
        "remarks": list(remarks),
        "crashes": [{"game": game, "error": crash.summary} for game, crash in report.crashes],
        "cut_short": report.cut,
        "speed": asdict(report.speed),
    }


def _json_ended(end: Ended) -> dict[str, object]:
    return {**asdict(end), "stopped": [_json_stopped(each) for each in end.stopped]}


def _json_stopped(each: Stopped) -> dict[str, object]:
    fault = each.fault
    return {
        "games": each.games,
        "game": each.game,
        "again": each.again,
        "rule": fault and fault.rule,
        "place": fault and fault.place,
        "declared": fault and fault.declared,
        "chain": [asdict(step) for step in fault.chain] if fault else [],
        "often": [{**asdict(step), "times": n} for step, n in fault.often] if fault else [],
    }


def _json_standings(standings: Standings | None) -> dict[str, object] | None:
    if standings is None:
        return None
    rows = [{"name": row.name, **asdict(row.share), "score": row.score} for row in standings.rows]
    return {"rows": rows, "test": asdict(standings.test)}


def _json_measured(each: Measured) -> dict[str, object]:
    axes = [
        {"what": axis.what, "title": axis.title, "size": axis.size, "cells": dict(axis.cells)}
        for axis in each.axes
    ]
    return {
        "name": each.name,
        "title": each.title,
        "unit": each.unit,
        "axes": axes,
        "total": each.total,
        "sums": list(each.sums),
    }
