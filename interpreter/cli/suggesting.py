"""Sets that may be picked, for a person to choose from: small ones first, alike ones once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain, combinations_with_replacement, islice

MOST_TRIED = 400

IsLegal = Callable[[list[str]], bool]


def suggested_sets(
    of: Sequence[str], looks: Sequence[Hashable], sizes: range, is_legal: IsLegal, most: int
) -> Iterator[list[str]]:
    """Up to `most` legal sets of `of`; things with equal `looks` are as good as each other.

    All sets are tried in order of size, as many as there is time for; where that finds none, things
    are laid down until it is enough, and those that it does not need are taken back.
    """
    alike: dict[Hashable, list[str]] = {}
    for thing, look in zip(of, looks, strict=True):
        alike.setdefault(look, []).append(thing)
    tried = islice(_in_order(list(alike.values()), sizes), MOST_TRIED)
    found = islice(filter(is_legal, tried), most)
    first = next(found, None)
    if first is not None:
        yield from chain([first], found)
        return
    enough = _enough(of, sizes.stop - 1, is_legal)
    if enough is not None:
        yield enough


def _in_order(groups: Sequence[Sequence[str]], sizes: range) -> Iterator[list[str]]:
    """Sets that look different from each other."""
    for size in sizes:
        for chosen in combinations_with_replacement(range(len(groups)), size):
            if all(chosen.count(group) <= len(groups[group]) for group in set(chosen)):
                yield [
                    groups[group][chosen[:place].count(group)] for place, group in enumerate(chosen)
                ]


def _enough(of: Sequence[str], most: int, is_legal: IsLegal) -> list[str] | None:
    chosen: list[str] = []
    for thing in of[:most]:
        chosen.append(thing)
        for spare in tuple(chosen):
            if is_legal(chosen):
                return chosen
            rest = [one for one in chosen if one != spare]
            if rest and is_legal(rest):
                return rest
    return None
