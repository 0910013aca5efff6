"""Warnings that somebody has allowed at one place, with the reason.

A comment `-- allow RW0714: the reason` (in data `# allow ..`) stands beside the line that a warning
is about, or above it. `Allowing` leaves such warnings out, and tells which comments allow nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from dsl.diagnostics.record import Bag, Diagnostic
from dsl.diagnostics.registry import is_registered
from dsl.project.files import read_text
from dsl.project.find import Folder, is_directory, listed, shown
from dsl.project.parts import LOCALE, SCRIPT_FOLDERS
from dsl.records import mutable, record
from dsl.source import Source, Span
from dsl.syntax.comments import ALLOWS, comments_of

_OF_DATA = re.compile(r"(?:^|\s)(#\s*)(.*)$")


@record
class Allowance:
    """A comment that allows the warnings of a code on a line (counted from 1)."""

    code: str
    reason: str
    line: int
    span: Span


@mutable
class Allowing:
    """What is allowed in the texts that were met, and what of it was needed."""

    _used: set[tuple[str, int]] = field(default_factory=set)
    _known: dict[str, tuple[Source, tuple[Allowance, ...]]] = field(default_factory=dict)

    def kept(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """What is left when the warnings and notes that are allowed where they stand are gone."""
        return [each for each in found if not self._is_allowed(each)]

    def _is_allowed(self, found: Diagnostic) -> bool:
        source = found.span.source
        if found.severity == "error" or not source.text:
            return False
        line = source.position(found.span.start)[0]
        allowed = [
            each
            for each in self._allowances(source)
            if each.code == found.code and each.line == line and each.reason
        ]
        self._used.update((source.name, each.span.start) for each in allowed)
        return bool(allowed)

    def _allowances(self, source: Source) -> tuple[Allowance, ...]:
        known = self._known.get(source.name)
        if known is None or (known[0] is not source and known[0].text != source.text):
            known = self._known[source.name] = (source, allowances(source))
        return known[1]

    def idle(self, folder: Folder, bag: Bag) -> None:
        """Warn of the comments in a folder's own texts that allow nothing."""
        for source in own_texts(folder):
            for each in self._allowances(source):
                if not is_registered(each.code):
                    bag.warning("RW9007", each.span, f"there is no warning `{each.code}` to allow")
                elif not each.reason:
                    bag.warning(
                        "RW9007",
                        each.span,
                        "the reason is missing, so this allows nothing",
                        help=f"write `allow {each.code}: ` and why it is all right here",
                    )
                elif (source.name, each.span.start) not in self._used:
                    bag.warning(
                        "RW9006",
                        each.span,
                        f"nothing on line {each.line} gives the warning {each.code}",
                        help="leave this comment out",
                    )


def allowances(source: Source) -> tuple[Allowance, ...]:
    """The comments of a text that allow something, in order."""
    if "allow" not in source.text:
        return ()
    return tuple(_allowances(source))


def _allowances(source: Source) -> Iterator[Allowance]:
    """A comment on its own line is about the next line that is no such comment."""
    is_script = source.name.endswith(".rules")
    comments = comments_of(source) if is_script else _data_comments(source)
    starts = _line_starts(source.text)
    for number, (text, column, is_alone) in comments.items():
        match = ALLOWS.match(text)
        if match is None:
            continue
        line = number
        while is_alone and line < len(starts):
            line += 1
            stands_alone = line in comments and comments[line][2]
            if source.line(line).strip() and not stands_alone:
                break
        start = starts[number - 1] + column
        end = starts[number - 1] + len(source.line(number).rstrip())
        yield Allowance(match[1], (match[2] or "").strip(), line, Span(source, start, end))


def _line_starts(text: str) -> list[int]:
    return [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]


def _data_comments(source: Source) -> dict[int, tuple[str, int, bool]]:
    """By line: what stands behind the `#`, its column, and whether nothing stands before it."""
    found: dict[int, tuple[str, int, bool]] = {}
    for number, line in enumerate(source.text.split("\n"), 1):
        match = _OF_DATA.search(line) if "#" in line else None
        if match is not None:
            found[number] = (match[2], match.start(1), not line[: match.start(1)].strip())
    return found


def own_texts(folder: Folder) -> Iterator[Source]:
    """The texts of a variant or mod itself, as far as they can be read."""
    inner = [folder.path / name for name in (*SCRIPT_FOLDERS, LOCALE)]
    inside = [path for each in inner if is_directory(each) for path in listed(each)]
    for path in (folder.file, *inside):
        if path.suffix in (".rules", ".yaml"):
            source = read_text(path, shown(path), Bag())
            if source is not None:
                yield source
