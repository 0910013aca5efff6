"""One mistake is told once, and with the word that was meant: what only follows from a mistake is
left out, and a name that was written in pieces is put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dsl.check.merged import Merged
from dsl.check.world import World
from dsl.diagnostics import Diagnostic
from dsl.source import Span
from dsl.syntax import nodes as syntax

_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMED = re.compile(r"`([A-Za-z_]\w*)`")
_PIECES = re.compile(r"[A-Za-z]\w*(?:[- ]\w+)+")

# What is said of a whole declaration, and is perhaps put right by a line of it that has a mistake:
# names that it may bring in, among others.
_OF_THE_WHOLE = frozenset({"RW0205", "RW0501", "RW0704", "RW0707", "RW0906"})

# Names that are not there: what they stand for is not known. What is said of the whole then.
_UNKNOWN = {
    "RW0501": frozenset[str](),
    "RW0502": frozenset[str](),
    "RW0503": frozenset[str](),
    "RW0505": _OF_THE_WHOLE,
    "RW0513": frozenset({"RW0501", "RW0505"}),
    "RW0901": frozenset({"RW0906"}),
}
_TYPES = "RW06"
_SYNTAX = "RW02"

# An option without a window is no answer anywhere.
_HEADS = frozenset({"RW0508"})

# What is wrong with an entry of the data is told once on its line.
_DATA = "RW04"

# Facts of the data are judged when nothing else is wrong with them.
_FACT = "RW0450"


def independent(
    found: Sequence[Diagnostic], before: Sequence[Diagnostic], merged: Merged
) -> Iterator[Diagnostic]:
    """The findings that would be there all the same: those that name nothing that stands in a text
    that could not be read, and say of no whole declaration what a line with a mistake may decide.
    Two with the same word for one line are one. `before`: what was found while reading.

    Warnings wait until all can be read.
    """
    follow_ups = _FollowUps(found, before, merged)
    mended: set[object] = set()
    told: set[object] = set()
    for one in found:
        if follow_ups.has(one) or (one.help is None and (*_line(one), one.code) in told):
            continue
        told.add((*_line(one), one.code))
        if one.help is not None and one.help.startswith("did you mean"):
            if (*_line(one), one.help) in mended:
                continue
            mended.add((*_line(one), one.help))
        yield one


class _FollowUps:
    """What can't be known because of some mistakes."""

    def __init__(
        self, found: Sequence[Diagnostic], before: Sequence[Diagnostic], merged: Merged
    ) -> None:
        errors = [one for one in found if one.severity == "error"]
        before = [one for one in before if one.severity == "error"]
        heads = [one.span.source.line(_line(one)[1]) for one in errors if one.code in _HEADS]
        self.unread = _words(span.text for span in merged.unread)
        self.words = self.unread | _words(heads)
        self.is_read = not merged.unread
        self.taken = {_line(one) for one in before if one.code.startswith(_DATA)}
        self.is_data_wrong = any(
            one.code.startswith(_DATA) and one.code != _FACT for one in (*before, *errors)
        )
        self.is_wide = any(one.code == "RW0502" for one in errors) or any(
            span.source.position(span.start)[1] == 1 for span in merged.unread
        )
        unread = [*merged.unread, *(one.span for one in before if one.code.startswith(_SYNTAX))]
        self.marks = [(span, _OF_THE_WHOLE) for span in unread]
        self.marks += [(one.span, _UNKNOWN[one.code]) for one in errors if one.code in _UNKNOWN]
        self.declarations = [ranked.decl for ranked in merged.declarations]
        self.half = _words(
            decl.span.text
            for decl in self.declarations
            if any(_holds(decl.span, span) for span in unread)
        )

    def has(self, one: Diagnostic) -> bool:
        """Whether a finding only follows from a mistake."""
        if one.severity != "error":
            return not self.is_read
        named = _NAMED.findall(one.message)
        if not (self.unread if one.code in _HEADS else self.words).isdisjoint(named):
            return True
        if (self.is_data_wrong and one.code == _FACT) or _line(one) in self.taken:
            return True
        is_type = one.code.startswith(_TYPES)
        is_guessed = one.help is not None and one.help.startswith("did you mean")
        if self.is_wide and (is_type or (one.code == "RW0503" and not is_guessed)):
            return True
        around = next((decl for decl in self.declarations if _holds(decl.span, one.span)), None)
        if around is None:
            return False
        if isinstance(around, syntax.Scenario) and not self.half.isdisjoint(named):
            return True
        return any(
            (is_type or one.code in follows) and span != one.span and _holds(around.span, span)
            for span, follows in self.marks
        )


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _line(one: Diagnostic) -> tuple[str, int]:
    return one.span.source.name, one.span.source.position(one.span.start)[0]


def _holds(whole: Span, part: Span) -> bool:
    return whole.source.name == part.source.name and whole.start <= part.start <= whole.end


def put_together(one: Diagnostic, world: World) -> Diagnostic:
    """A finding, with the name that was meant where its place is in one with a dash or a blank for
    an underscore."""
    if one.severity != "error":
        return one
    source, start = one.span.source, one.span.start
    begin = source.text.rfind("\n", 0, start) + 1
    line = source.line(source.position(start)[0])
    for pieces in _PIECES.finditer(line):
        if pieces.start() <= start - begin <= pieces.end() + 1:
            meant = _meant(pieces.group(), world)
            if meant is not None:
                return replace(one, help=f"did you mean `{meant}`?")
    return one


def _meant(pieces: str, world: World) -> str | None:
    """The first known name that two or three neighbouring pieces make."""
    words = re.split("[- ]", pieces)
    for count in (3, 2):
        for at in range(len(words) - count + 1):
            name = "_".join(words[at : at + count])
            if _is_known(name, world):
                return name
    return None


def _is_known(name: str, world: World) -> bool:
    return bool(
        name in world.entities
        or name in world.verbs
        or name in world.switches
        or name in world.options
        or name in world.windows
        or name in world.defines_by_word
        or world.holders_of(name)
    )
