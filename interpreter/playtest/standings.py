"""Who has won how often: by place in the order of play, by seat and by bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.playtest.stats import Fairness, Seen, Share, shares_of
from interpreter.playtest.tally import UNKNOWN, Winners


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


Row = Callable[[int, int], int]
"""From the seat that began and a seat to the row of the standings that the seat counts in."""


def by_seat(winners: Winners, names: Sequence[str], *, has_scores: bool) -> Standings:
    """Standings of seats, by their names."""
    return _of_seats(winners, names, lambda _, seat: seat, has_scores=has_scores)


def by_place(winners: Winners, players: int, *, has_scores: bool) -> Standings | None:
    """Standings of places in the order of play; None where nobody knows who began."""
    if not winners.outcomes or any(each.first == UNKNOWN for each in winners.outcomes):
        return None
    names = [ordinal(place) for place in range(1, players + 1)]
    return _of_seats(
        winners, names, lambda first, seat: (seat - first) % players, has_scores=has_scores
    )


def by_bot(winners: Winners, names: Sequence[str], *, has_scores: bool) -> Standings | None:
    """Standings of bots; None where there is only one."""
    if len(names) < 2:
        return None
    seats = [0] * len(names)
    for outcome, times in winners.by_bot.items():
        for bot, held in enumerate(outcome.held):
            seats[bot] += held * times
    scores = _averages(winners.bot_scores or [0] * len(names), seats)
    return _standings(_seen_bots(winners, len(names)), names, scores if has_scores else None)


def _seen_bots(winners: Winners, names: int) -> Iterator[Seen]:
    for outcome, times in winners.by_bot.items():
        players, won = sum(outcome.held), len(outcome.won)
        yield Seen(
            times,
            tuple(outcome.won.count(bot) / won if won else 0.0 for bot in range(names)),
            tuple(held / players for held in outcome.held),
        )


def _of_seats(winners: Winners, names: Sequence[str], row: Row, *, has_scores: bool) -> Standings:
    sums, seats = [0] * len(names), [0] * len(names)
    for outcome, times in winners.outcomes.items():
        for seat in range(len(names)):
            seats[row(outcome.first, seat)] += times
    for first, scores in winners.scores.items():
        for seat, score in enumerate(scores):
            sums[row(first, seat)] += score
    scores_of = _averages(sums, seats) if has_scores else None
    return _standings(_seen_seats(winners, len(names), row), names, scores_of)


def _seen_seats(winners: Winners, rows: int, row: Row) -> Iterator[Seen]:
    held = (1 / rows,) * rows
    for outcome, times in winners.outcomes.items():
        won = [0.0] * rows
        seats = outcome.seats()
        for seat in seats:
            won[row(outcome.first, seat)] += 1 / len(seats)
        yield Seen(times, tuple(won), held)


def _standings(
    seen: Iterator[Seen], names: Sequence[str], scores: Sequence[float | None] | None
) -> Standings:
    shares, test = shares_of(seen, len(names))
    return Standings(
        tuple(
            Standing(name, shares[row], None if scores is None else scores[row])
            for row, name in enumerate(names)
        ),
        test,
    )


def _averages(sums: Sequence[int], seats: Sequence[int]) -> list[float | None]:
    return [total / held if held else None for total, held in zip(sums, seats, strict=True)]


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
