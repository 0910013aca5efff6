"""Characters in texts and comments that can't be seen; elsewhere they are no words anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.diagnostics.cells import is_unseen
from dsl.diagnostics.record import Edit, Fix
from dsl.source import Source, Span
from dsl.syntax.finding import Finding
from dsl.syntax.layout import Token

_LAYOUT = frozenset("\t\n\r")

BYTE_ORDER_MARK = "\ufeff"


def find_unseen(source: Source, tokens: Iterable[Token]) -> Iterator[Finding]:
    """A mistake for each kind of such character, with all its places; those that are a token of
    their own are reported there."""
    text = source.text
    if text.isascii() and text.isprintable():
        return
    odd = sorted({char for char in text if is_unseen(char)} - _LAYOUT)
    if not odd:
        return
    known = {token.start for token in tokens if token.type == "BAD"}
    if text.startswith(BYTE_ORDER_MARK):
        known.add(0)
    for char in odd:
        places = [at for at, each in enumerate(text) if each == char and at not in known]
        if places:
            yield _found(source, char, [Span(source, at, at + 1) for at in places])


def _found(source: Source, char: str, spans: list[Span]) -> Finding:
    instead = " " if char.isspace() else ""
    what = "write a space" if instead else "remove it"
    if len(spans) > 1:
        what += f", in all {len(spans)} places"
    return Finding(
        "RW0107",
        spans[0],
        f"there is a sign here that can't be seen (U+{ord(char):04X})",
        what,
        tuple((span, "") for span in spans[1:5]),
        Fix(what, tuple(Edit(span, instead) for span in spans)),
    )
