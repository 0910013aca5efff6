"""What a game is called and how it speaks: title, seats, money, terms and messages of all layers.

A later layer has the last word on a text, in the wanted language if it has it in that, so a
re-theme without a translation is not undone by the translation of its parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.parts import Part, TextLine, text_node
from dsl.records import mutable
from dsl.source import NOWHERE, Span

DEFAULT_PHASES = 1_000
DEFAULT_ACTS = 10_000


@mutable
class Facts:
    """Takes the layers one after another, the root first."""

    bag: Bag
    title: str = ""
    description: str = ""
    players: tuple[int, int] | None = None
    players_span: Span = NOWHERE
    seats: dict[str, str] = field(default_factory=dict)
    seats_span: Span | None = None
    currency: dict[str, str] = field(default_factory=dict)
    terms: dict[str, tuple[str, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    board: dict[str, str | int] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    ring: Scalar | None = None
    limits: dict[str, int] = field(default_factory=dict)
    term_forms: dict[str, dict[str, str]] = field(default_factory=dict)
    assumed: dict[str, tuple[str, str, Span]] = field(default_factory=dict)

    def lay(self, part: Part) -> None:
        """Lay what a variant or a mod says over what is there, and its texts over both."""
        if not part.is_mod:
            self.title = _text(part.data, "title") or part.name
            self.description = _text(part.data, "description") or self.description
            self._lay_players(part.data.get("players"))
            self._lay_board(part.data.get("board"))
        self._lay_seats(part.data.get("seats"))
        self._lay_currency(part.data.get("currency"))
        for entry in part.entries("terms"):
            if isinstance(entry.value, Mapping):
                one, other = _text(entry.value, "one"), _text(entry.value, "other")
                if one and other:
                    self.terms[entry.name] = (one, other)
        for entry in part.entries("limits"):
            number = _number(entry.value)
            if number is not None and number > 0:
                self.limits[entry.name] = number
        for what, why, span in _assumed(part.data.get("assumed")):
            self.assumed[what] = (what, why, span)
        self.translate(part.texts, is_mod=part.is_mod)

    def translate(self, texts: dict[str, TextLine], *, is_mod: bool = False) -> None:
        """Use the texts that are not about things."""
        for key, line in texts.items():
            match key.split("."):
                case ["thing", *_]:
                    pass
                case ["title"] | ["description"]:
                    # A mod's own title is not the game's.
                    if not is_mod:
                        setattr(self, key, line.text)
                case ["seat", seat] if seat in self.seats:
                    self.seats[seat] = line.text
                case ["term", word, "one"]:
                    self.terms[word] = (line.text, self.terms.get(word, ("", line.text))[1])
                    self.term_forms.pop(word, None)
                case ["term", word, "other"]:
                    self.terms[word] = (self.terms.get(word, (line.text, ""))[0], line.text)
                case ["term", word, form] if word in self.terms:
                    self.term_forms.setdefault(word, {})[form] = line.text
                case ["currency", "one" | "other" | "symbol" as what]:
                    self.currency[what] = line.text
                case ["seat", word, *_]:
                    self._warn_lost("seat", word, line)
                case _:
                    self.texts[key] = line.text

    def forms(self) -> dict[str, dict[str, str]]:
        """The forms that words give themselves, by the word."""
        return {self.terms[word][0]: forms for word, forms in self.term_forms.items()}

    def _warn_lost(self, what: str, word: str, line: TextLine) -> None:
        names = self.seats if what == "seat" else self.terms
        self.bag.warning(
            "RW1018",
            line.span,
            f"there is no {what} `{word}` for this text",
            help=did_you_mean(word, names),
        )

    def _lay_players(self, node: DataNode | None) -> None:
        if not isinstance(node, Mapping):
            return
        least, most = _number(node.get("min")), _number(node.get("max"))
        if least is not None and most is not None and 1 <= least <= most:
            self.players, self.players_span = (least, most), node.span

    def _lay_seats(self, node: DataNode | None) -> None:
        """The seats of a later layer take the place of earlier ones as a whole."""
        if not isinstance(node, Sequence):
            return
        seats: dict[str, str] = {}
        places: dict[str, Span] = {}
        for item in node.items:
            id_ = text_node(item.get("id")) if isinstance(item, Mapping) else None
            if id_ is None or not isinstance(item, Mapping):
                continue
            first = places.setdefault(str(id_.value), id_.span)
            if first is not id_.span:
                self.bag.error(
                    "RW0432",
                    id_.span,
                    f"two seats are called `{id_.value}`",
                    also=[(first, "the first one")],
                    help="give one of them another id",
                )
                continue
            seats[str(id_.value)] = _text(item, "name") or str(id_.value)
        self.seats, self.seats_span = seats, node.span

    def _lay_currency(self, node: DataNode | None) -> None:
        if not isinstance(node, Mapping):
            return
        name = node.get("name")
        for owner, what in ((name, "one"), (name, "other"), (node, "symbol"), (node, "position")):
            text = _text(owner, what) if isinstance(owner, Mapping) else None
            if text is not None:
                self.currency[what] = text

    def _lay_board(self, node: DataNode | None) -> None:
        if not isinstance(node, Mapping):
            return
        self.ring = text_node(node.get("ring")) or self.ring
        for entry in node.entries:
            if isinstance(entry.value, Scalar):
                value = entry.value.value
                if isinstance(value, str) or type(value) is int:
                    self.board[entry.name] = value
        colours = node.get("colours")
        for entry in colours.entries if isinstance(colours, Mapping) else ():
            if isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
                self.colours[entry.name] = entry.value.value

    def check(self, sections: dict[str, object]) -> None:
        """Report what does not go together when all layers are laid."""
        most = self.players[1] if self.players else 1
        if self.seats_span is None:
            self.seats = {f"player_{number}": f"Player {number}" for number in range(1, most + 1)}
        elif len(self.seats) < most:
            self.bag.error(
                "RW0435",
                self.seats_span,
                f"{most} can play, but there are seats for {len(self.seats)}",
                also=[(self.players_span, "how many can play")],
                help="add seats, or lower `max` in `players`",
            )
        if self.ring is not None and str(self.ring.value) not in sections:
            self.bag.error(
                "RW0436",
                self.ring.span,
                f"there is no section `{self.ring.value}` to be the board",
                help=did_you_mean(str(self.ring.value), sections),
            )


def _text(node: Mapping, name: str) -> str | None:
    found = text_node(node.get(name))
    return str(found.value) if found else None


def _number(node: DataNode | None) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if type(value) is int else None


def _assumed(node: DataNode | None) -> Iterator[tuple[str, str, Span]]:
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            what, why = _text(item, "what"), _text(item, "why")
            if what:
                yield what, why or "", item.span
