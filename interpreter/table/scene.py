"""The description of a table: plain records, fit for JSON by `dataclasses.asdict`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Something that is said of a thing: what it is called, and it in words. `is_mark`: a state
    that it is in, which its label says."""

    label: str
    text: str
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands on a place: so many of a unit, or a mark of its state. `letter` is its own among
    all that can stand on places; `text` says it in words."""

    letter: str
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Card:
    """A thing with all that a seat may know of it. `band`: what it belongs to, in its colour;
    `text`: what is printed on it; `beside`: what else belongs to the same, with who holds it.
    """

    name: str
    sort: str
    lines: tuple[Line, ...] = ()
    band: str | None = None
    colour: str | None = None
    text: str = ""
    beside: tuple[str, ...] = ()

    @property
    def marked_name(self) -> str:
        """Its name with the marks that the seat knows of it, such as that it is a fake."""
        marks = [line.label for line in self.lines if line.is_mark]
        return f"{self.name} ({', '.join(marks)})" if marks else self.name


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies together: the cards that the seat can see, and how many there are in all, where it
    may know that. `is_hand`: to be looked at card by card; `is_open`: all see what lies there, also
    where only its number is given."""

    label: str
    cards: tuple[Card, ...]
    count: int | None
    is_hand: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the ring. `worth`: its price, or what it costs to come there; `owner`: a seat."""

    name: str
    band: str | None
    colour: str | None
    worth: str
    owner: str | None
    marks: tuple[Mark, ...]
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Holder:
    """A player, or anything else that has or holds something. `letter`: a player's token."""

    id: str
    name: str
    lines: tuple[Line, ...]
    piles: tuple[Pile, ...]
    letter: str = ""
    colour: str | None = None
    is_you: bool = False
    is_on_turn: bool = False
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A table. `ring`: the places in order, none where there is no board; `legend`: what the marks
    on them mean."""

    title: str
    ring: tuple[Place, ...]
    sides: int
    legend: tuple[Mark, ...]
    seats: tuple[Holder, ...]
    others: tuple[Holder, ...]
