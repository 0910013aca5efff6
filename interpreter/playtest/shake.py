"""Conducts the shaking of a variant: many set-ups, and of what went wrong the fewest settings that
still show it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace

from dsl.diagnostics.record import Bag
from dsl.project.find import folder_at, is_path, typed_path
from dsl.project.load import load_merged
from dsl.project.summary import overlay_of
from interpreter.engine.native_engine import NativeError
from interpreter.playtest.runner import InlineExecutor
from interpreter.playtest.shaking import (
    Rig,
    Shaken,
    Shaking,
    Trouble,
    kind_of,
    make_rig,
    parted,
    shake,
    stops,
)
from interpreter.playtest.stopped import fault_of
from interpreter.session.again import play_command, shake_command
from interpreter.session.build import check
from interpreter.session.request import Request

MOST_SETUPS = 50
LEAST_GAMES = 40
"""How games are dealt to set-ups: making one takes as long as playing thousands of games."""
MOST_REDUCED = 8
"""Troubles of which the settings are looked into."""
MOST_TRIES = 40
"""Set-ups that are tried for each of them."""
TRIED_GAMES = 200

Setting = tuple[str, str]
"""A switch and its value, or "" and a mod."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that went wrong. `setups` and `games`: in how many; `trouble`: the first of them,
    or with fewer settings the first that shows it; `is_reduced`: none of its settings can be left
    out any more."""

    trouble: Trouble
    setups: int
    games: int
    is_reduced: bool

    @property
    def is_wrong(self) -> bool:
        """Whether rules or engines need mending; long games may be meant."""
        return self.trouble.kind != "limit"


@dataclass(slots=True)
class ShakeReport:
    """What came of shaking. `refused`: set-ups that the checker refuses, which were drawn anew."""

    title: str
    shaking: Shaking
    asked: int
    games: int = 0
    compared: int = 0
    refused: int = 0
    setups: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def prepared(
    request: Request, seed: int, bots: tuple[str, ...] | None
) -> tuple[str, Shaking] | None:
    """The title of a variant and how it is shaken; None, where its texts have mistakes."""
    bag = Bag()
    library, name = request.library, str(request.name_or_path)
    folder = folder_at(typed_path(name)) if is_path(name) else None
    if folder is not None:
        library = library.beside(folder)
    merged = load_merged(
        request.library, request.name_or_path, mods=request.mods, switches=request.switches,
        profile=request.profile, scenarios=False, bag=bag,
    )  # fmt: skip
    if merged is None or bag.has_errors:
        return None
    mods = tuple(
        mod
        for mod in library.mods()
        if mod not in merged.mods
        and merged.variant in overlay_of(library, mod).variants
        and check(replace(request, mods=(*request.mods, mod)), Bag()) is not None
    )
    players = request.players
    span = (merged.min_players, merged.max_players) if players is None else (players, players)
    return merged.title, Shaking(request, mods, span, seed, bots)


def dealt(games: int) -> list[int]:
    """How many games each set-up has."""
    each = max(LEAST_GAMES, -(-games // MOST_SETUPS))
    return [min(each, games - first) for first in range(0, games, each)]


def conduct_shaking(
    title: str,
    shaking: Shaking,
    games: int,
    executor: Executor,
    *,
    workers: int,
    on_setup: Callable[[Shaken], None],
    should_stop: Callable[[], bool],
) -> ShakeReport:
    """Shakes a variant on an executor that makes and plays `workers` set-ups at a time."""
    report = ShakeReport(title, shaking, games)
    troubles: dict[tuple[str, str, str | None], list[Trouble]] = {}
    for shaken in _in_order(shaking, games, executor, workers, should_stop):
        report.setups += 1
        report.games += shaken.games
        report.compared += shaken.compared
        report.refused += shaken.refused
        report.ends.update(shaken.ends)
        for part, seconds in shaken.seconds.items():
            report.seconds[part] = report.seconds.get(part, 0.0) + seconds
        for trouble in shaken.troubles:
            troubles.setdefault(trouble.key, []).append(trouble)
        on_setup(shaken)
    for alike in sorted(troubles.values(), key=lambda alike: -sum(each.games for each in alike)):
        report.found.append(_found(alike, is_new=len(report.found) < MOST_REDUCED))
    report.found.sort(key=lambda each: not each.is_wrong)
    return report


def _in_order(
    shaking: Shaking,
    games: int,
    executor: Executor,
    workers: int,
    should_stop: Callable[[], bool],
) -> Iterator[Shaken]:
    """The set-ups in their order; once it should stop, those that are being played are the last."""
    ahead = 1 if isinstance(executor, InlineExecutor) else 2 * workers
    left = deque(enumerate(dealt(games)))
    waiting: deque[Future[Shaken]] = deque()
    while left or waiting:
        while left and len(waiting) < ahead and not should_stop():
            waiting.append(executor.submit(shake, shaking, *left.popleft()))
        if should_stop():
            left.clear()
            for future in reversed(waiting):
                future.cancel()
        if waiting and not (future := waiting.popleft()).cancelled():
            yield future.result()


def _found(alike: Sequence[Trouble], *, is_new: bool) -> Found:
    setups = len({each.seed for each in alike})
    games = sum(each.games for each in alike)
    first = min(alike, key=lambda each: (len(list(_settings(each.request))), each.seed, each.game))
    if not is_new or first.kind == "crash":
        return Found(first, setups, games, is_reduced=False)
    trouble, is_reduced = reduced(first)
    return Found(trouble, setups, games, is_reduced)


# ---------------------------------------------------------------- the fewest settings


def _settings(request: Request) -> Iterator[Setting]:
    yield from (("", str(mod)) for mod in request.mods)
    yield from request.switches.items()


def _with_settings(request: Request, settings: Sequence[Setting]) -> Request:
    mods = tuple(value for name, value in settings if not name)
    return replace(request, mods=mods, switches={name: v for name, v in settings if name})


def reduced(trouble: Trouble) -> tuple[Trouble, bool]:
    """The same trouble with as few settings as show it in some games, and whether none of them can
    be left out. Halves are left out first, then smaller parts (delta debugging)."""
    best = trouble
    tried = 0
    settings = list(_settings(trouble.request))
    parts = 1
    while settings:
        size = -(-len(settings) // parts)
        for start in range(0, len(settings), size):
            if tried >= MOST_TRIES:
                return best, False
            fewer = settings[:start] + settings[start + size :]
            tried += 1
            again = seen_again(trouble, _with_settings(trouble.request, fewer))
            if again is not None:
                best, settings = again, fewer
                parts = max(parts - 1, 1)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(settings))
    return best, True


def seen_again(trouble: Trouble, request: Request) -> Trouble | None:
    """The trouble in another set-up, if it is seen there in some games of the same table."""
    program = check(request, Bag())
    if program is None:
        return None
    is_pair = trouble.kind == "difference"
    rig = make_rig(request, program, is_pair=is_pair)
    known = rig.game.facts.strategies
    if not all(seat in known for seat in trouble.seats):
        return None
    if is_pair:
        return _parted_again(trouble, rig, request)
    for first in (trouble.game, 0):
        games = 1 if first else TRIED_GAMES
        found = _stopped_again(trouble, rig, request, range(first, first + games))
        if found is not None:
            return found
    return None


def _parted_again(trouble: Trouble, rig: Rig, request: Request) -> Trouble | None:
    for game in (trouble.game, *range(20)):
        parting = parted(rig, game, trouble.seats, trouble.seed, reseat=False)
        if parting is not None:
            again = shake_command(request, trouble.seats, trouble.seed, game)
            return replace(trouble, reason=parting, request=request, game=game, again=again)
    return None


def _stopped_again(trouble: Trouble, rig: Rig, request: Request, numbers: range) -> Trouble | None:
    seats, seed = trouble.seats, trouble.seed
    try:
        result = rig.play(numbers.start, len(numbers), seats, seed, reseat=False)
    except NativeError:
        return None
    for (code, number), games in stops(result).items():
        words = rig.endings.word(code, number)
        if (kind_of(code), words) != (trouble.kind, trouble.reason):
            continue
        known, where = trouble.where, None
        if known is not None:
            where = fault_of(rig.game, seats, seed, games[0], words)
        if known is None or (where is not None and where.place == known.place):
            again = play_command(rig.game, seats, seed, games[0])
            return replace(trouble, request=request, game=games[0], again=again, where=where)
    return None


# ---------------------------------------------------------------- one game


def one_game(shaking: Shaking, game: int) -> Trouble | None:
    """Plays one game as it is set, on both engines. Raises ValueError for a set-up that is none."""
    request = shaking.request
    bag = Bag()
    program = check(request, bag)
    if program is None:
        raise ValueError("The checker refuses this set-up.")
    request = replace(request, players=program.players)
    rig = make_rig(request, program, is_pair=True)
    bots = shaking.bots or rig.game.facts.strategies
    seats = tuple(bots[seat % len(bots)] for seat in range(program.players))
    if rig.other is not None:
        parting = parted(rig, game, seats, shaking.seed, reseat=False)
        if parting is not None:
            again = shake_command(request, seats, shaking.seed, game)
            return Trouble("difference", parting, 1, request, shaking.seed, game, seats, again)
    result = rig.play(game, 1, seats, shaking.seed, reseat=False)
    for code, number in stops(result):
        words = rig.endings.word(code, number)
        again = play_command(rig.game, seats, shaking.seed, game)
        where = None
        if kind_of(code) != "limit":
            where = fault_of(rig.game, seats, shaking.seed, game, words)
        return Trouble(kind_of(code), words, 1, request, shaking.seed, game, seats, again, where)
    return None


# ---------------------------------------------------------------- for programs


def shake_json(report: ShakeReport) -> dict[str, object]:
    """The report as plain values. Only `seconds` differs between two runs."""
    return {
        "title": report.title,
        "seed": report.shaking.seed,
        "asked": report.asked,
        "games": report.games,
        "setups": report.setups,
        "refused": report.refused,
        "compared": report.compared,
        "ends": dict(sorted(report.ends.items())),
        "found": [_json_found(each) for each in report.found],
        "seconds": dict(report.seconds),
    }


def _json_found(each: Found) -> dict[str, object]:
    trouble = each.trouble
    where = trouble.where
    return {
        "kind": trouble.kind,
        "reason": trouble.reason,
        "setups": each.setups,
        "games": each.games,
        "is_reduced": each.is_reduced,
        "players": trouble.request.players,
        "mods": [str(mod) for mod in trouble.request.mods],
        "switches": dict(trouble.request.switches),
        "seats": list(trouble.seats),
        "seed": trouble.seed,
        "game": trouble.game,
        "again": trouble.again,
        "rule": where and where.rule,
        "place": where and where.place,
        "chain": [{"what": step.what, "place": step.place} for step in where.chain]
        if where
        else [],
    }
