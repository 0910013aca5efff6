"""The names of search bots: `ismcts:200`, `mc`. Imports nothing that plays."""

from __future__ import annotations

KINDS = {"ismcts": 200, "mc": 20}
"""The kinds of search bots, and how many playouts they make unless something else is said."""

FORMS = tuple(f"{kind}:N" for kind in KINDS)
"""How they are written where somebody is told what there is."""

MOST_PLAYOUTS = 1_000_000


def is_search_bot(name: str) -> bool:
    """Whether a name begins like that of a search bot; what follows may still be wrong."""
    return name.partition(":")[0] in KINDS


def parse_bot(name: str) -> tuple[str, int]:
    """The kind of a search bot and how many playouts it makes; raises ValueError, in words, for
    what is no such name."""
    kind, colon, number = name.partition(":")
    if kind not in KINDS:
        raise ValueError(f"There is no bot `{name}`; there are {' and '.join(FORMS)}.")
    if not colon:
        return kind, KINDS[kind]
    is_number = number.isascii() and number.isdecimal()
    if not is_number or not 1 <= int(number) <= MOST_PLAYOUTS:
        raise ValueError(
            f"There is no bot `{name}`; behind the colon stands how many playouts it makes for "
            f"each decision, from 1 to {MOST_PLAYOUTS:,}."
        )
    return kind, int(number)
