"""The report of a run: what was played, how it ended, who won, how long it took, what never was.

`make_report` judges a tally; `as_json` gives the same for programs. Times stand in `speed` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType

from interpreter.engine.batch import Crash
from interpreter.flat.instrument import coverage
from interpreter.playtest.ends import Endings, EndKind, Stopped
from interpreter.playtest.estimates import Estimate, Estimates
from interpreter.playtest.machine import Ready
from interpreter.playtest.standings import Standings, by_bot, by_place, by_seat
from interpreter.playtest.stats import Bar, Lasting, Spread, histogram, lasting_of, spread_of
from interpreter.playtest.tables import Measured, Table, choices, measured, never_counted, tables
from interpreter.playtest.tally import Tally, Winners
from interpreter.session.facts import Facts

Places = Mapping[tuple[int, int], tuple[Stopped, ...]]
"""Where games were stopped, by the code of the end and the number of its reason."""
FORMAT = 1
"""The form of the JSON: `report.schema.json` says what it is. It grows; what is there stays."""
NOWHERE: Places = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Setting:
    """What was played: enough to play it again. `bots`: who plays (`interpreter.engine.seating`
    says where in each game); `searching`: which of them are search bots.

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
class Won:
    """Who has won, or led, in some games: by place in the order of play (None where nobody knows
    who began), by seat, and by bot (None where all seats are played alike)."""

    games: int
    shared: int
    by_place: Standings | None
    by_seat: Standings
    by_bot: Standings | None

    @property
    def is_by_seat(self) -> bool:
        """Whether the first seat always begins, so that places are seats."""
        if self.by_place is None:
            return False
        pairs = zip(self.by_place.rows, self.by_seat.rows, strict=True)
        return all(one.share == other.share for one, other in pairs)


@dataclass(frozen=True, slots=True)
class Turns:
    """How long games are, in turns. `bars`: of all games, those that were cut off too."""

    lasting: Lasting
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
    """Everything that is said about a run. `won`: of the games that ended by a rule, `unwon` of
    them without a winner; `led`: of those that were cut off at the limit, None where there are
    none. `crashes`: games in which an engine broke, by their index. `cut`: why not all games could
    be played, unless somebody stopped the run. `estimates`: the headlines by their ids."""

    setting: Setting
    games: int
    ends: tuple[Ended, ...]
    won: Won
    unwon: int
    led: Won | None
    turns: Turns | None
    decisions: Spread | None
    measures: tuple[Measured, ...]
    tables: tuple[Table, ...]
    idle: tuple[Idle, ...]
    chance: tuple[Chance, ...]
    crashes: tuple[tuple[int, Crash], ...]
    cut: str | None
    speed: Speed
    estimates: Mapping[str, Estimate]


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
    return Report(
        setting=setting,
        games=tally.games,
        ends=tuple(_ends(tally, endings, stopped)),
        won=_won(tally.decided, names[: tally.players], tally.names, has_scores=has_scores),
        unwon=sum(n for each, n in tally.decided.outcomes.items() if each.winners == 0),
        led=_won(tally.cut, names[: tally.players], tally.names, has_scores=has_scores)
        if tally.cut.games
        else None,
        turns=_turns(tally),
        decisions=spread_of(tally.decisions),
        measures=tuple(found),
        tables=(
            *choices(_covered(ready, tally.measures.get("coverage", [])), tally.games),
            *tables(found, tally.games),
        ),
        idle=tuple(_idle(tally, ready, facts, found)),
        chance=tuple(_chance(tally, ready, facts, setting.bots)),
        crashes=tuple(sorted(tally.crashes.items())),
        cut=cut,
        speed=speed,
        estimates=Estimates(tally, setting.seats, setting.bots).all(),
    )


def _won(winners: Winners, seats: Sequence[str], bots: Sequence[str], *, has_scores: bool) -> Won:
    return Won(
        winners.games,
        sum(n for each, n in winners.outcomes.items() if each.winners.bit_count() > 1),
        by_place(winners, len(seats), has_scores=has_scores),
        by_seat(winners, seats, has_scores=has_scores),
        by_bot(winners, bots, has_scores=has_scores),
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


# ---------------------------------------------------------------- how long, what never


def _turns(tally: Tally) -> Turns | None:
    lasting = lasting_of(tally.turns, tally.cut_turns)
    if lasting is None:
        return None
    return Turns(lasting, tuple(histogram(tally.turns + tally.cut_turns)))


def _idle(tally: Tally, ready: Ready, facts: Facts, found: Sequence[Measured]) -> Iterator[Idle]:
    measures = set(ready.program.measures)
    fired = tally.measures.get("coverage", [])
    for label, shown in coverage.never(_covered(ready, fired)):
        what, _, name = label.partition(" ")
        if not (what == "rule" and name in measures):
            yield Idle(what, shown, _place(facts, what, name))
    for each, missing in never_counted(found):
        for label in missing:
            yield Idle(each.title, label, None)


def _covered(ready: Ready, fired: Sequence[int]) -> dict[str, int]:
    """How often each rule, option and answer came up that can."""
    counts = zip(ready.program.coverage, fired, strict=False)
    return {label: times for label, times in counts if label not in ready.excluded}


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
        "format": FORMAT,
        "setting": setting,
        "games": report.games,
        "figures": [{"id": id_, **asdict(each)} for id_, each in report.estimates.items()],
        "ends": [_json_ended(end) for end in report.ends],
        "without_winner": report.unwon,
        "won": _json_won(report.won, report.setting),
        "led_at_limit": None if report.led is None else _json_won(report.led, report.setting),
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


def _json_won(won: Won, setting: Setting) -> dict[str, object]:
    places = [str(place) for place in range(1, setting.players + 1)]
    bots = list(dict.fromkeys(setting.bots))
    return {
        "games": won.games,
        "shared": won.shared,
        "by_place": _json_standings(won.by_place, places),
        "by_seat": _json_standings(won.by_seat, setting.seats),
        "by_bot": _json_standings(won.by_bot, bots),
    }


def _json_standings(standings: Standings | None, ids: Sequence[str]) -> dict[str, object] | None:
    if standings is None:
        return None
    rows = [
        {"id": id_, "name": row.name, **asdict(row.share), "score": row.score}
        for id_, row in zip(ids, standings.rows, strict=True)
    ]
    return {"rows": rows, "test": asdict(standings.test)}


def _json_measured(each: Measured) -> dict[str, object]:
    axes = [
        {
            "what": axis.what,
            "title": axis.title,
            "size": axis.size,
            "cells": dict(axis.cells),
            "ids": dict(axis.ids),
        }
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
