"""Generated names of functions, tables and columns: words of scripts made plain, and never the same
name for two things.
"""

from __future__ import annotations


def plain(name: str) -> str:
    """A script's word as part of a generated name."""
    return "_".join("".join(char if char.isalnum() else " " for char in name.lower()).split())


class Names:
    """The names that are given in one program."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}
        self._given: dict[tuple[object, ...], str] = {}

    def fresh(self, base: str) -> str:
        """A name that nothing has yet: the base, with a number behind it where that is taken."""
        name = base
        while name in self._taken:
            self._taken[base] += 1
            name = f"{base}__{self._taken[base]}"
        self._taken[name] = 1
        return name

    def of(self, base: str, *key: object) -> str:
        """The name of the one thing that is made for a key. Two words of a script can become the
        same plain word (`lane.level`, `lane_level`): what is made for them is still two things."""
        if (base, *key) not in self._given:
            self._given[base, *key] = self.fresh(base)
        return self._given[base, *key]
