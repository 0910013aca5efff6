"""The parse tables as plain data: what the lexer and the driver need to know of the grammar."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Production:
    """A rule: its left side, the length of its right side, and what becomes of the parts.

    `kind` is "unit" (the one part is the value), "pick" (one of several is), "inline" (the parts
    are spliced into the rule around) or "build" (the builder's method `name` makes the value).
    `picks` are the parts to keep, -1 for an absent optional one.
    """

    origin: str
    size: int
    kind: str
    name: str
    picks: list[int]
    spliced: list[bool]


@dataclass(frozen=True, slots=True)
class Tables:
    """`actions[state][terminal]` is a state to go to, or -1 - n to apply production n.

    A terminal is a fixed word or sign (`let`, `=`), or the name of what varies (`NAME`). `words`
    is the expression that finds tokens; what it calls a NAME is a keyword if it is among those.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    productions: list[Production]
    starts: dict[str, int]
    ends: dict[str, int]
    keywords: frozenset[str]
    words: str
    # Where a value that is only renamed ends up: filled by the driver as files are read.
    shortcuts: dict[tuple[int, int, str], int] = field(default_factory=dict)
