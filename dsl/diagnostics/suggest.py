"""Did you mean: the known word that is nearest to an unknown one. Imports nothing."""

from __future__ import annotations

from collections.abc import Iterable

_MOST_EDITS = 3


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant by `word`, or None; ties go to the first one.

    A few slips of the keyboard apart, or the only one that begins with the word.
    """
    candidates = tuple(candidates)
    allowed = min(_MOST_EDITS, len(word) // 3)
    folded = _fold(word)
    best: str | None = None
    for candidate in candidates:
        if candidate == word:
            continue
        other = _fold(candidate)
        if other == folded:
            return candidate
        if abs(len(other) - len(folded)) > allowed or allowed >= len(other):
            continue
        distance = _distance(folded, other, allowed)
        if distance <= allowed:
            best, allowed = candidate, distance - 1
    if best is None and len(word) > 1:
        longer = [each for each in candidates if _fold(each).startswith(folded) and each != word]
        best = longer[0] if len(longer) == 1 else None
    return best


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help line for an unknown word, or None when nothing is near."""
    best = suggest(word, candidates)
    return f"did you mean `{best}`?" if best is not None else None


def _fold(word: str) -> str:
    """Capitals, blanks, hyphens and underscores are not what tells two names apart."""
    return word.casefold().replace("-", "").replace(" ", "").replace("_", "")


def _distance(left: str, right: str, limit: int) -> int:
    """Edits from one word to the other, a swap of neighbours being one; above `limit` inexact."""
    before: list[int] = []
    last = list(range(len(right) + 1))
    for row, left_char in enumerate(left, 1):
        current = [row]
        for column, right_char in enumerate(right, 1):
            cost = min(
                last[column] + 1,
                current[column - 1] + 1,
                last[column - 1] + (left_char != right_char),
            )
            swapped = (
                row > 1
                and column > 1
                and left_char == right[column - 2]
                and left[row - 2] == right_char
            )
            if swapped:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit and (not before or min(last) > limit):
            return limit + 1
        before, last = last, current
    return last[-1]
