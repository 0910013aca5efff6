"""What lowering does for speed alone. Each can be left out, and the games are the same: then what
the rules say is done word for word.

Passes over flat core can be left out too (see `pipeline`).
"""

from __future__ import annotations

from typing import Literal

Choice = Literal[
    "kept", "data", "expanded", "algebra", "unrolled", "outside", "straight", "kinds", "waking",
    "floors", "facts", "ranked", "taken",
]  # fmt: skip

CHOICES: dict[Choice, str] = {
    "kept": "derived values are kept up to date, or until something that they read is written",
    "data": "what follows from the data alone is worked out before play, into tables",
    "expanded": "small derived values stand where they are called",
    "algebra": "queries and conditions are set algebra",
    "unrolled": "queries over a few known entities are written out, without a loop",
    "outside": "what is the same for all items of a query is worked out before it",
    "straight": "queries that give the same in any order go through no ring, and make no row",
    "kinds": "events are made anew for each kind that a rule asks for",
    "waking": "at an any-time window only those seats are asked for which something has changed",
    "floors": "who lacks money is asked again when there is enough",
    "facts": "strategies do not test what is known to hold",
    "ranked": "strategies go from the best on through what they rank, where data give the order",
    "taken": "a line of a strategy whose answer takes away all that it found is done",
}
