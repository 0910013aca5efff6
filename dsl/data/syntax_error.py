"""What a YAML parser stumbles over, said in a designer's words, at the place of the mistake."""

from __future__ import annotations

import re

import yaml

from dsl.data.text import Clean
from dsl.diagnostics.record import Bag, Edit, Fix
from dsl.records import record
from dsl.source import Span

CODE = "RW0301"
MOST_DEPTH = 40

# `name: ` before a colon in the same line, outside quotes and brackets.
_NAMED_VALUE = re.compile(r"\s*(?:- +)*[^\s'\"{}\[\],#:][^'\"{}\[\],#:]*: +(?=\S)")
_WORD = re.compile(r"[^\s,\[\]{}]+")


@record
class _Stumble:
    """Where and why the parser stopped; offsets into the clean text."""

    clean: Clean
    problem: str
    at: int
    context: str
    opened: int

    def span(self, start: int, end: int) -> Span:
        return self.clean.span(start, end)

    @property
    def line_start(self) -> int:
        return self.clean.text.rfind("\n", 0, self.at) + 1

    @property
    def line_end(self) -> int:
        end = self.clean.text.find("\n", self.at)
        return end if end >= 0 else len(self.clean.text)

    @property
    def is_at_end(self) -> bool:
        return not self.clean.text[self.at :].strip()

    def word(self) -> Span:
        """The word at the place, or a single character."""
        match = _WORD.match(self.clean.text, self.at)
        return self.span(self.at, match.end() if match else self.at + 1)


def report_syntax_error(error: yaml.YAMLError, clean: Clean, bag: Bag) -> None:
    """Add the one error for a text that YAML can't read."""
    problem_mark = getattr(error, "problem_mark", None)
    context_mark = getattr(error, "context_mark", None)
    end = len(clean.text.rstrip())
    at = problem_mark.index if problem_mark is not None else end
    stumble = _Stumble(
        clean,
        str(getattr(error, "problem", None) or error),
        min(max(at, 0), end),
        str(getattr(error, "context", None) or ""),
        min(context_mark.index if context_mark is not None else at, end),
    )
    for form, report in _REPORTS:
        if form.search(stumble.problem) or form.search(f"{stumble.context}: {stumble.problem}"):
            report(stumble, bag)
            return
    bag.error(CODE, stumble.word(), "YAML can't read the text from here on")


def report_directive(clean: Clean, start: int, bag: Bag) -> None:
    """Report a line that begins with `%`."""
    end = clean.text.find("\n", start)
    bag.error(
        "RW0308",
        clean.span(start, end if end >= 0 else len(clean.text)),
        "a line that begins with `%` instructs a YAML program; it has no use here",
        help="take the line out",
    )


def report_too_deep(clean: Clean, at: int, bag: Bag) -> None:
    """Report the value at which a text is nested too deeply."""
    bag.error(
        "RW0310", clean.span(at, at + 1), f"values are nested more than {MOST_DEPTH} deep here"
    )


def _colon(stumble: _Stumble, bag: Bag) -> None:
    """A `:` where a value has begun already, or after a line that ended one."""
    text, start = stumble.clean.text, stumble.line_start
    before = _NAMED_VALUE.match(text, start, stumble.at)
    colon = stumble.span(stumble.at, stumble.at + 1)
    if before:
        end = stumble.line_end
        value = text[before.end() : end].rstrip()
        bag.error(
            CODE,
            colon,
            "this `:` would begin a second value in the line",
            also=[(stumble.span(before.end(), stumble.at), "the first value")],
            help="put the whole value in quotes if the `:` belongs to it",
            fix=_quoting(stumble, before.end(), value),
        )
        return
    begin = start + len(text[start : stumble.at]) - len(text[start : stumble.at].lstrip())
    bag.error(
        CODE,
        stumble.span(begin, max(stumble.at, begin + 1)),
        "this entry does not fit the lines before it",
        help="begin it in the column of its neighbours; a line that has a value ends there,"
        " so nothing can be indented below it",
    )


def _quoting(stumble: _Stumble, start: int, value: str) -> Fix | None:
    if " #" in value or value[:1] in "'\"{[|>&*!":
        return None
    quoted = "'" + value.replace("'", "''") + "'"
    edit = Edit(stumble.span(start, start + len(value)), quoted)
    return Fix("put the value in quotes", (edit,))


def _open_quote(stumble: _Stumble, bag: Bag) -> None:
    text = stumble.clean.text
    end = text.find("\n", stumble.opened)
    bag.error(
        CODE,
        stumble.span(stumble.opened, len(text[: end if end >= 0 else len(text)].rstrip())),
        "the quote that opens here is never closed",
        help=f"end the text with `{text[stumble.opened : stumble.opened + 1]}`",
    )


def _bracket(stumble: _Stumble, bag: Bag) -> None:
    """Inside [ ] or { }: something other than a comma or the end."""
    text = stumble.clean.text
    opening = stumble.span(stumble.opened, stumble.opened + 1)
    closing = "]" if opening.text == "[" else "}"
    if stumble.is_at_end or "\n" in text[stumble.opened : stumble.at]:
        reached = [] if stumble.is_at_end else [(stumble.word(), "this can't be part of it")]
        bag.error(
            CODE,
            opening,
            f"the `{opening.text}` that opens here is not closed",
            also=reached,
            help=f"close it with `{closing}`, and part what is in it with commas",
        )
        return
    bag.error(
        CODE,
        stumble.word(),
        f"a comma or `{closing}` should stand before this",
        also=[(opening, "opened here")],
    )


def _entry(stumble: _Stumble, bag: Bag) -> None:
    """After a finished value: something that is no new entry."""
    text = stumble.clean.text
    before = text[stumble.line_start : stumble.at].rstrip()
    if before.endswith(("'", '"')):
        bag.error(
            CODE,
            stumble.word(),
            "the text in quotes has ended before this",
            label="after the closing quote",
            help=f"inside `{before[-1]}` quotes write that sign as "
            + ("`''`" if before[-1] == "'" else '`\\"`'),
        )
        return
    if text[stumble.at : stumble.at + 1] in ("]", "}"):
        span = stumble.span(stumble.at, stumble.at + 1)
        bag.error(CODE, span, f"no bracket is open that this `{span.text}` could close")
        return
    bag.error(
        CODE,
        stumble.word(),
        "this line does not fit the lines before it",
        help="begin it in the column of its neighbours: entries as `name: value`, or items"
        " with `- `, not both",
    )


def _item(stumble: _Stumble, bag: Bag) -> None:
    bag.error(
        CODE,
        stumble.span(stumble.at, stumble.at + 1),
        "an item of a list can't begin here",
        help="begin the list on a new line; put the text in quotes if the `-` belongs to it",
    )


def _no_colon(stumble: _Stumble, bag: Bag) -> None:
    text = stumble.clean.text
    end = text.find("\n", stumble.opened)
    end = len(text) if end < 0 else end
    line = text[stumble.opened : end].rstrip()
    bag.error(
        CODE,
        stumble.span(stumble.opened, stumble.opened + max(1, len(line))),
        "a `:` is missing in this line",
        help="entries are written `name: value`, with a space after the colon",
    )


def _start(stumble: _Stumble, bag: Bag) -> None:
    char = stumble.clean.text[stumble.at : stumble.at + 1]
    name = "a backtick" if char == "`" else f"`{char}`"
    bag.error(
        CODE,
        stumble.span(stumble.at, stumble.at + 1),
        f"a value can't begin with {name}",
        help="put the value in quotes",
    )


def _escape(stumble: _Stumble, bag: Bag) -> None:
    text = stumble.clean.text
    start = text.rfind("\\", stumble.opened, stumble.at + 1)
    start = start if start >= 0 else stumble.at
    bag.error(
        CODE,
        stumble.span(start, start + 2),
        "this `\\` begins no escape that exists",
        help="write `\\\\` for the sign itself, or use single quotes, where it is a common sign",
    )


def _block(stumble: _Stumble, bag: Bag) -> None:
    bag.error(
        CODE,
        stumble.word(),
        "the text can't begin in the line of the `|` or `>`",
        also=[
            (stumble.span(stumble.opened, stumble.opened + 1), "the text is to follow below this")
        ],
        help="begin the text in the next line, indented",
    )


def _value(stumble: _Stumble, bag: Bag) -> None:
    if stumble.is_at_end:
        bag.error(CODE, stumble.word(), "the text ends where a value should follow")
    else:
        bag.error(CODE, stumble.word(), "a value should stand before this")


def _mark(stumble: _Stumble, bag: Bag) -> None:
    bag.error(
        CODE,
        stumble.span(stumble.opened, max(stumble.at, stumble.opened + 1)),
        "this sign has a meaning of its own in YAML and needs a name after it",
        help="put the value in quotes if the sign belongs to it",
    )


def _deep(stumble: _Stumble, bag: Bag) -> None:
    report_too_deep(stumble.clean, stumble.at, bag)


def _document(stumble: _Stumble, bag: Bag) -> None:
    start = stumble.line_start
    if stumble.clean.text.startswith("%", start):
        report_directive(stumble.clean, start, bag)
        return
    bag.error(CODE, stumble.word(), "the data have ended before this line")


_REPORTS = tuple(
    (re.compile(pattern), report)
    for pattern, report in (
        (r"flow level", _deep),
        (r"mapping values are not allowed", _colon),
        (r"(block )?sequence entries are not allowed", _item),
        (r"mapping keys are not allowed", _entry),
        (r"unexpected end of stream|unexpected document indicator|document separator", _open_quote),
        (r"could not find expected ':'", _no_colon),
        (r"flow (sequence|mapping)", _bracket),
        (r"cannot start any token", _start),
        (r"escape|hexdecimal|hexadecimal|quoted scalar", _escape),
        (r"scanning a block scalar", _block),
        (r"scanning an (anchor|alias)|(scanning|parsing) a tag", _mark),
        (r"node content", _value),
        (r"parsing a block (mapping|collection)", _entry),
        (r"document start|directive", _document),
    )
)
