"""What is asked for: a variant, its mods and switches, and for how many players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.project.find import Library

DEFAULT_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Request:
    """Which variant is wanted, and how. `players` None: the `usual` number, or as near as it
    allows.

    Raises TypeError for what can't be a wish: it comes from Python code, which nobody has checked.
    """

    library: Library
    name_or_path: str | Path
    players: int | None = None
    mods: Sequence[str | Path] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    profile: str | None = None
    language: str = "en"
    usual: int = DEFAULT_PLAYERS

    def __post_init__(self) -> None:
        if not isinstance(self.name_or_path, str | Path):
            raise TypeError(f"A variant has a name or a path, not {self.name_or_path!r}.")
        if self.players is not None and type(self.players) is not int:
            raise TypeError(f"The number of players is a whole number, not {self.players!r}.")
        for name, value in self.switches.items():
            if not isinstance(value, str):
                raise TypeError(
                    f"What the switch `{name}` is set to is a text, as after `--set`, "
                    f"not {value!r}."
                )
        if not isinstance(self.language, str):
            raise TypeError(f"A language is a text such as 'en', not {self.language!r}.")


class WrongPlayers(ValueError):
    """A number of players that a variant is not for."""
