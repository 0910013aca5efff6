"""What is asked for: a variant, its mods and switches, and for how many players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.project.find import Library

DEFAULT_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Request:
    """Which variant is wanted, and how. `players` None: four, or as near as it allows."""

    library: Library
    name_or_path: str | Path
    players: int | None = None
    mods: Sequence[str | Path] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    profile: str | None = None
    language: str = "en"


class WrongPlayers(ValueError):
    """A number of players that a variant is not for."""
