"""The characters of a data text, before YAML sees them: nothing unseen, one form of each letter."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from dsl.diagnostics.cells import codepoint, is_unseen
from dsl.diagnostics.record import Bag, Edit, Fix
from dsl.records import record
from dsl.source import Source, Span

MOST_CHARACTERS = 1_000_000

_WORD = re.compile(r"\S+")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_MOST_PLACES = 5


@record
class Clean:
    """A text that YAML can read, and the way back from it to the places of the source."""

    source: Source
    text: str
    # Offset in the source of each character and of the end; None when nothing was changed.
    offsets: list[int] | None

    def span(self, start: int, end: int) -> Span:
        """The span of the source for offsets of the clean text, kept inside it."""
        last = len(self.text)
        start = min(max(start, 0), last)
        end = min(max(end, start), last)
        if self.offsets is None:
            return Span(self.source, start, end)
        return Span(self.source, self.offsets[start], self.offsets[end])


def check_text(source: Source, bag: Bag) -> Clean | None:
    """Report characters that don't belong in a text, and go on without them where that is safe.

    None when the text is too long, or when a tab leaves open how far a line is indented.
    """
    text = source.text
    if len(text) > MOST_CHARACTERS:
        bag.error(
            "RW0154",
            Span(source, 0, 0),
            f"this file has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read",
            help="is it the right file? data for a game is far smaller",
        )
        return None
    edits = [*_unseen(source, bag)]
    edits += _unsettled(source, edits, bag)
    if any(_is_indenting(edit.span) for edit in edits):
        return None
    return _edited(source, edits)


# Marks that turn the direction of a text, up to their end or that of the line.
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def is_control(char: str) -> bool:
    """Whether no text may have the character, not even written as an escape: it breaks lines, or
    turns round what stands beside it."""
    if char == "\n":
        return False
    unfit = unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
    return unfit or unicodedata.bidirectional(char) in _TURNING


def _unseen(source: Source, bag: Bag) -> Iterator[Edit]:
    """Report unseen characters, one error for each kind; yield a repair for each place."""
    text = source.text
    for char in sorted(set(text)):
        if char == "\r":
            places = [match.start() for match in _LONE_RETURN.finditer(text)]
        elif is_unseen(char):
            places = [match.start() for match in re.finditer(re.escape(char), text)]
        else:
            continue
        if not places:
            continue
        spans = [Span(source, place, place + 1) for place in places]
        edits = tuple(Edit(span, _replacement(char)) for span in spans)
        _report_unseen(char, spans, edits, bag)
        yield from edits


def _report_unseen(char: str, spans: list[Span], edits: tuple[Edit, ...], bag: Bag) -> None:
    others = [(span, "") for span in spans[1:_MOST_PLACES]]
    notes = _count_note(len(spans))
    if char == "\t":
        bag.error(
            "RW0152",
            spans[0],
            "a tab stands here; use spaces",
            also=others,
            notes=notes,
            help="set the editor to insert spaces for the tab key",
        )
        return
    replacement = _replacement(char)
    what = "replace it with a space" if replacement == " " else "take it out"
    if replacement == "\n":
        what = "replace it with a line end"
    bag.error(
        "RW0151",
        spans[0],
        f"{_described(char)} stands here, which can't be seen",
        also=others,
        notes=notes,
        help=None if replacement or is_control(char) else _escape_help(char),
        fix=Fix(what if len(spans) == 1 else f"{what}, in all {len(spans)} places", edits),
    )


def _escape_help(char: str) -> str:
    if char == "\ufeff":
        return "save the file without a byte order mark"
    escape = f"\\u{ord(char):04X}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08X}"
    return f'if it is meant, write "{escape}" inside double quotes, where a reader sees it'


def _described(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    if char == "\ufeff":
        name = "byte order mark"
    return f"a {name} ({codepoint(char)})" if name else f"the control character {codepoint(char)}"


def _replacement(char: str) -> str:
    if char == "\t" or unicodedata.category(char) == "Zs":
        return " "
    return "\n" if char in "\r\u0085\u2028\u2029" else ""


def _count_note(count: int) -> list[str]:
    return [f"there are {count} of them in this file"] if count > _MOST_PLACES else []


def _unsettled(source: Source, taken: Iterable[Edit], bag: Bag) -> list[Edit]:
    """Report letters written as several characters that have a single one (Unicode's NFC)."""
    text = source.text
    if unicodedata.is_normalized("NFC", text):
        return []
    starts = sorted(edit.span.start for edit in taken)
    edits: list[Edit] = []
    for match in _WORD.finditer(text):
        if unicodedata.is_normalized("NFC", match[0]):
            continue
        edit = _settled(source, match.start(), match[0])
        following = bisect_left(starts, edit.span.start)
        if following == len(starts) or starts[following] >= edit.span.end:
            edits.append(edit)
    if edits:
        first = edits[0]
        more = f", in all {len(edits)} places" if len(edits) > 1 else ""
        bag.error(
            "RW0153",
            first.span,
            f"`{first.text}` is written here in a form that keyboards don't type;"
            " it would be taken for another word",
            also=[(edit.span, "") for edit in edits[1:_MOST_PLACES]],
            notes=_count_note(len(edits)),
            fix=Fix(f"write the usual form (`{first.text}`){more}", tuple(edits)),
        )
    return edits


def _settled(source: Source, offset: int, word: str) -> Edit:
    """The smallest edit that gives a word its normal form."""
    normal = unicodedata.normalize("NFC", word)
    start = 0
    while start < min(len(word), len(normal)) and word[start] == normal[start]:
        start += 1
    end, stop = len(word), len(normal)
    while end > start and stop > start and word[end - 1] == normal[stop - 1]:
        end, stop = end - 1, stop - 1
    return Edit(Span(source, offset + start, offset + end), normal[start:stop])


def _is_indenting(span: Span) -> bool:
    """Whether it is a tab with nothing but blanks before it in its line."""
    if span.text != "\t":
        return False
    line, column = span.source.position(span.start)
    return not span.source.line(line)[: column - 1].strip()


def _edited(source: Source, edits: list[Edit]) -> Clean:
    if not edits:
        return Clean(source, source.text, None)
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        start = edit.span.start
        pieces += (source.text[at:start], edit.text)
        offsets += range(at, start)
        offsets += [start] * len(edit.text)
        at = edit.span.end
    pieces.append(source.text[at:])
    offsets += range(at, len(source.text) + 1)
    return Clean(source, "".join(pieces), offsets)
