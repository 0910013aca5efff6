"""Colours, and letters that tell things apart where there is no room for their names."""

from __future__ import annotations

from collections.abc import Iterable

COLOURS = {
    "brown": "#8b5a2b",
    "light_blue": "#7ec8e3",
    "sky_blue": "#7ec8e3",
    "pink": "#d44a9a",
    "purple": "#7b3fa0",
    "orange": "#e8842c",
    "red": "#d32f2f",
    "yellow": "#d9b800",
    "green": "#2e8b47",
    "blue": "#2f5fc4",
    "dark_blue": "#2a3f9d",
    "black": "#444444",
    "white": "#b0b0b0",
    "grey": "#888888",
}
"""The colours of what is called by a colour in the data."""

SEATS = ("#d32f2f", "#2f5fc4", "#2e8b47", "#d9b800", "#e8842c", "#7b3fa0", "#444444", "#b0b0b0")
"""The colours of seats that are not called by one."""


def own_letters(names: Iterable[str]) -> list[str]:
    """A letter for each name that no other has: of its initials, else of its other letters, else
    any that is left."""
    taken: list[str] = []
    for name in names:
        initials = [word[0] for word in name.split() if word[0].isalnum()]
        wanted = [char.upper() for char in [*initials, *name] if char.isalnum()]
        spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        found = next((each for each in [*wanted, *spare] if each not in taken), "?")
        taken.append(found)
    return taken


def short_name(name: str, width: int) -> str:
    """A name in so many columns: its first word, with the next ones where that is short."""
    if len(name) <= width:
        return name
    words = name.replace("-", " ").split()
    short = words[0]
    for word in words[1:]:
        if len(short) > 3:
            break
        short += word
    return short[:width]
