"""What playtests have said of a variant over time: one line for each meaning of the rules and
line-up, in an SQLite file."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from interpreter.lab.paired import holm
from interpreter.playtest.estimates import Estimate
from interpreter.playtest.report import Report

FORMAT = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, time TEXT NOT NULL, variant TEXT NOT NULL, meaning TEXT NOT NULL,
    options TEXT NOT NULL, players INTEGER NOT NULL, bots TEXT NOT NULL, games INTEGER NOT NULL,
    seed TEXT NOT NULL, version TEXT NOT NULL, figures TEXT NOT NULL,
    UNIQUE (variant, meaning, players, bots)
)
"""


class NoHistory(ValueError):
    """A file that is no history, or none that this version can read; the message says so."""


@dataclass(frozen=True, slots=True)
class Run:
    """A line of a history. `meaning`: the hash of all that decides how games go; `options`: mods,
    profile and switches as they were chosen; `figures`: the headlines by their ids."""

    number: int
    time: str
    variant: str
    meaning: str
    options: str
    players: int
    bots: tuple[str, ...]
    games: int
    seed: int
    version: str
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Shift:
    """A figure in two runs. `p`: how often runs of the same rules would differ as much, for all
    figures together; None where a figure is not known well enough."""

    id: str
    one: Estimate
    other: Estimate
    p: float | None


def add_run(file: Path, report: Report, meaning: str, time: str) -> None:
    """Writes a report down, in place of one of the same meaning, players and bots. Raises
    NoHistory."""
    setting = report.setting
    chosen = [f"{name}={value}" for name, value in setting.chosen]
    profile = [] if setting.profile is None else [f"profile {setting.profile}"]
    figures = {id_: asdict(each) for id_, each in report.estimates.items()}
    line = (
        time, setting.variant, meaning, ", ".join([*setting.mods, *profile, *chosen]),
        setting.players, json.dumps(setting.bots), report.games, str(setting.seed),
        setting.version, json.dumps(figures),
    )  # fmt: skip
    try:
        with closing(_opened(file, create=True)) as base, base:
            base.execute(
                "INSERT OR REPLACE INTO runs (time, variant, meaning, options, players, bots, "
                "games, seed, version, figures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                line,
            )
    except sqlite3.Error as error:
        raise NoHistory(f"`{file}` can't be written as a history: {error}") from None


def read_runs(file: Path) -> list[Run]:
    """All lines, the oldest first. Raises NoHistory."""
    try:
        with closing(_opened(file, create=False)) as base:
            found = base.execute(
                "SELECT number, time, variant, meaning, options, players, bots, games, seed, "
                "version, figures FROM runs ORDER BY number"
            )
            return [_run(row) for row in found]
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise NoHistory(f"`{file}` can't be read as a history: {error}") from None


def _opened(file: Path, *, create: bool) -> sqlite3.Connection:
    base = sqlite3.connect(file)
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version not in (0, FORMAT):
        base.close()
        raise NoHistory(f"`{file}` is of a newer form, {version}")
    if create:
        base.execute(_TABLE)
        base.execute(f"PRAGMA user_version = {FORMAT:d}")
    return base


def _run(row: tuple[object, ...]) -> Run:
    number, time, variant, meaning, options, players, bots, games, seed, version, figures = row
    return Run(
        int(str(number)), str(time), str(variant), str(meaning), str(options), int(str(players)),
        tuple(json.loads(str(bots))), int(str(games)), int(str(seed)), str(version),
        {id_: Estimate(**each) for id_, each in json.loads(str(figures)).items()},
    )  # fmt: skip


def shifts(one: Run, other: Run) -> list[Shift]:
    """What differs between two runs, by the intervals of both as if their luck were different. The
    p-values are for all figures together (Holm)."""
    found = list(_alone(one, other))
    known = [each for each in found if each.p is not None]
    ps = iter(holm([each.p for each in known if each.p is not None]))
    return [
        Shift(each.id, each.one, each.other, None if each.p is None else next(ps)) for each in found
    ]


def _alone(one: Run, other: Run) -> Iterator[Shift]:
    for id_, mine in one.figures.items():
        its = other.figures.get(id_)
        if its is None:
            continue
        p = None
        if None not in (mine.value, its.value, mine.error, its.error):
            assert mine.value is not None
            assert its.value is not None
            error = math.hypot(mine.error or 0.0, its.error or 0.0)
            away = abs(its.value - mine.value)
            p = math.erfc(away / error / math.sqrt(2)) if error else float(not away)
        yield Shift(id_, mine, its, p)
