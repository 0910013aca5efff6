"""What an unquoted word means: text, a whole number, true, false or nothing; never a guess."""

from __future__ import annotations

import re
import unicodedata

from dsl.data.node import Scalar, Value
from dsl.data.text import is_control
from dsl.diagnostics.cells import codepoint
from dsl.diagnostics.record import Bag, Edit, Fix
from dsl.source import Span

LEAST, MOST = -(2**31), 2**31 - 1

WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_TRUTHS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_TRUTHS |= {"y": True, "n": False}
_NOTHINGS = {"null", "~"}

_PLAIN_DIGITS = re.compile(r"\+?(-?)0*([1-9][0-9]*|0)")

_BEGINS_NUMBERS = frozenset("+-.0123456789")
# What other readers of YAML take for a number or a date. The first form that fits tells why not.
_NUMBER_LIKE = (
    (
        re.compile(r"[-+]?0[0-9][0-9_]*"),
        "begins with a 0, which some programs read as a number in base 8",
    ),
    (re.compile(r"[-+]?0[xob][0-9a-fA-F_]+", re.IGNORECASE), "is not a number in base 10"),
    (re.compile(r"\+[0-9]+"), "has a plus sign; numbers are written without"),
    (re.compile(r"-0"), "has a minus sign; zero is written without"),
    (re.compile(r"[-+]?[0-9]+(?:_[0-9]*)+"), "has `_` in it; numbers are written without"),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"),
        "is a time to some programs and text to others",
    ),
    (
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?", re.DOTALL),
        "is a date to some programs and text to others",
    ),
    (
        re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?"),
        "is not a whole number",
    ),
    (re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+"), "has an exponent; numbers are written out"),
    (re.compile(r"[-+]?\.inf|\.nan", re.IGNORECASE), "is not a whole number"),
)


def read_plain(text: str, span: Span, bag: Bag, *, is_key: bool = False) -> Scalar:
    """The value of an unquoted word; an ambiguous one is an error and then counts as text."""
    return Scalar(_plain_value(text, span, bag, is_key), span)


def _plain_value(text: str, span: Span, bag: Bag, is_key: bool) -> Value:
    if not text or text == "null":
        return None
    if text in ("true", "false"):
        return _TRUTHS[text]
    if WHOLE.fullmatch(text) and text != "-0":
        return _whole(text, span, bag)
    lower = text.lower()
    if lower in _TRUTHS:
        meant = "true" if _TRUTHS[lower] else "false"
        _report_word("RW0303", text, meant, meant, span, bag, is_key)
    elif lower in _NOTHINGS:
        _report_word("RW0306", text, "nothing", "null", span, bag, is_key)
    elif text[0] in _BEGINS_NUMBERS:
        reason = next((why for form, why in _NUMBER_LIKE if form.fullmatch(text)), None)
        if reason:
            _report_number(text, reason, span, bag)
    return text


def _whole(text: str, span: Span, bag: Bag) -> int:
    number = int(text) if len(text) <= 11 else MOST + 1
    if not LEAST <= number <= MOST:
        bag.error(
            "RW0305",
            span,
            f"`{text}` is out of range" if len(text) <= 40 else "this number is out of range",
            notes=[f"numbers go from {LEAST:,} to {MOST:,}"],
            help="if it is not a number to count with, put it in quotes",
        )
        return MOST if number > 0 else LEAST
    return number


def _report_word(
    code: str, text: str, meaning: str, plain: str, span: Span, bag: Bag, is_key: bool
) -> None:
    """A word that means a value to some programs; as a key it can only be the word."""
    quoted = f'"{text}"'
    bag.error(
        code,
        span,
        f"`{text}` can mean {meaning}, or be a word",
        help=f"write {quoted} in quotes"
        if is_key
        else f"write `{plain}` for {meaning}, or {quoted} in quotes for the word",
        fix=Fix(f"write {quoted}", (Edit(span, quoted),))
        if is_key
        else Fix(f"write `{plain}`", (Edit(span, plain),)),
    )


def _report_number(text: str, reason: str, span: Span, bag: Bag) -> None:
    plain = _PLAIN_DIGITS.fullmatch(text.replace("_", ""))
    number = None
    if plain:
        number = "0" if plain[2] == "0" else plain[1] + plain[2]
    meant = f"write `{number}`" if number else "write a whole number"
    bag.error(
        "RW0304",
        span,
        f"`{text}` {reason}",
        help=f'{meant}, or "{text}" in quotes if it is text',
        fix=Fix(f"write `{number}`", (Edit(span, number),)) if number else None,
    )


def report_lines(span: Span, bag: Bag) -> None:
    """Report an unquoted text of several lines."""
    quoted = "'" + span.text.replace("'", "''") + "'"
    bag.error(
        "RW0313",
        span,
        "a text without quotes goes on in the next line",
        help="put the whole text in quotes, or check that the next line is indented as was meant",
        fix=Fix("put the whole text in quotes", (Edit(span, quoted),)),
    )


def read_quoted(text: str, span: Span, bag: Bag) -> Scalar:
    """A quoted or block text; escapes may not smuggle in what a text may not hold."""
    if "\\" in span.text:
        control = next((char for char in text if is_control(char)), None)
        if control is not None:
            bag.error(
                "RW0151",
                span,
                f"an escape in this text stands for the control character {codepoint(control)}",
                help="only \\n, a line end, can be shown on a screen; take the others out",
            )
            text = "".join(char for char in text if not is_control(char))
        if not unicodedata.is_normalized("NFC", text):
            bag.error(
                "RW0153",
                span,
                "escapes in this text give a letter in a form that keyboards don't type",
                help="write the letter itself",
            )
    return Scalar(text, span, quoted=True)
