"""The experts for words and signs: foreign, reserved, missing, written too large or too small."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from dsl.diagnostics.record import Edit, Fix
from dsl.source import Span
from dsl.syntax.case import Case, is_path, touches
from dsl.syntax.expected import PREPOSITIONS, shown
from dsl.syntax.finding import Finding
from dsl.syntax.foreign import FIRST_WORDS, ODD, SIGNS
from dsl.syntax.layout import word_set

_VARIABLE = frozenset({"NAME", "KIND", "NUMBER", "PERCENT", "STRING", "BAD", "MIXED"})

# Words that go on with a value or line: where one of them stands, something before it is missing.
_LINKS = PREPOSITIONS | word_set(
    "if else then in is and or otherwise where for each such that ahead per"
)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _snake(text: str) -> str:
    return _CAMEL.sub("_", text).lower()


def _camel(text: str) -> str:
    return "".join(word.capitalize() for word in text.split("_"))


# ---------------------------------------------------------------- signs


def _text_not_closed(case: Case) -> Finding | None:
    if case.token.type != "BAD" or not case.token.text.startswith('"'):
        return None
    help_ = 'put `"` at its end, on the same line'
    return Finding("RW0106", case.span, "this text is not closed", help_)


def _foreign_sign(case: Case) -> Finding | None:
    """`==`, `!=`, `&&` and their like; `=` twice where one is enough."""
    for start in (case.before, case.token):
        if start is None:
            continue
        found = re.compile(r"[=!<>&|]{2,3}").match(case.source.text, start.start)
        if found is None or found[0] not in SIGNS or found.end() < case.token.end:
            continue
        sign, word = found[0], SIGNS[found[0]]
        span = Span(case.source, start.start, found.end())
        message = f"`{sign}` is not used here"
        if start is case.before and start.type == "=" and sign == "==":
            help_ = "write `=` to give a name or set a field, and `is` to compare"
            return Finding("RW0204", span, message, help_)
        return Finding("RW0204", span, message, f"write `{word}`", fix=case.swap(span, word))
    return None


def _compound_sign(case: Case) -> Finding | None:
    """`x += 1`, `x++`, `x := 1`."""
    before, token = case.before, case.token
    words = case.mistake.line
    if touches(before, token) and token.type == "=":
        words = words[:-1]
    else:
        before, token = token, case.next or token
    if before is None or not touches(before, token):
        return None
    sign = before.text + token.text
    if sign == ":=":
        span = case.place(before, token)
        return Finding(
            "RW0204", span, "`:=` is not used here", "write `=`", fix=case.swap(span, "=")
        )
    if sign not in ("+=", "-=", "*=", "/=", "++"):
        return None
    path = "".join(word.text for word in words) if is_path(words) else "x"
    step = "+ 1" if sign == "++" else f"{sign[0]} VALUE"
    help_ = f"write `{path} = {path} {step}`"
    return Finding("RW0204", case.place(before, token), f"`{sign}` is not used here", help_)


def _odd_sign(case: Case) -> Finding | None:
    token = case.token
    if token.type == "/" and case.next is not None and case.next.type == "/":
        span = case.place(token, case.next)
        return Finding("RW0204", span, "`//` is not used here", "a comment begins with `--`")
    if token.type != "BAD":
        return None
    sign = token.text
    if unicodedata.category(sign) in ("Cf", "Cc", "Co", "Cn"):
        message = f"there is a sign here that can't be seen (U+{ord(sign):04X})"
        fix = Fix("remove it", (Edit(case.span, ""),))
        return Finding("RW0107", case.span, message, "remove it", fix=fix)
    if sign.isalpha() or unicodedata.category(sign).startswith("M"):
        name = unicodedata.name(sign, "LATIN").lower()
        which = f"`{sign}`" if name.startswith("latin") else f"`{sign}` ({name})"
        message = f"{which} can't be in a name: names are written with the letters a to z"
        return Finding("RW0107", case.span, message, "texts in quotes may have any letters")
    return Finding("RW0107", case.span, f"`{sign}` has no meaning here", ODD.get(sign))


def _mixed_word(case: Case) -> Finding | None:
    token = case.token
    if token.type != "MIXED":
        return None
    if token.text[0].isdigit():
        message = f"`{token.text}` is neither a number nor a name: names begin with a letter"
        return Finding("RW0206", case.span, message)
    better = _snake(token.text)
    message = f"`{token.text}` mixes small and capital letters"
    help_ = f"names are small, with underscores: `{better}`; only kinds have capitals"
    return Finding("RW0206", case.span, message, help_, fix=case.swap(case.span, better))


def _equal_sign(case: Case) -> Finding | None:
    """`=` where things are compared."""
    if case.token.type != "=" or "is" not in case.expected:
        return None
    if [word.type for word in case.mistake.line[:2]] == ["NAME", "["]:
        return None  # a place of a list is meant to be set
    message = "`=` does not compare: it gives a name or sets a field"
    return Finding("RW0203", case.span, message, "write `is`", fix=case.swap(case.span, "is"))


def _decimal(case: Case) -> Finding | None:
    if case.token.type != "NUMBER" or not case.has_before("NUMBER", "."):
        return None
    span = case.place(case.mistake.line[-2], case.token)
    help_ = "write a percentage, such as `150%`, or divide with `/`"
    return Finding("RW0217", span, "numbers are whole: there are no decimal fractions", help_)


def _colon_too_many(case: Case) -> Finding | None:
    """`if x:`, with the colon at the end of the line."""
    if case.token.type != ":" or case.next is not None:
        return None
    help_ = "leave it out: the block is what is indented below"
    fix = Fix("remove the `:`", (Edit(case.span, ""),))
    return Finding("RW0208", case.span, "no `:` belongs at the end of this line", help_, fix=fix)


# ---------------------------------------------------------------- words


def _foreign_word(case: Case) -> Finding | None:
    """A line that begins as in another language."""
    first = case.first
    rest = case.mistake.line[1:] or ([] if first is case.token else [case.token])
    second = rest[0] if rest else case.next
    if first.text not in FIRST_WORDS or case.mistake.kind in ("unfinished", "too deep"):
        return None
    if second is not None and second.type in ("=", ".", ":"):
        return None
    return Finding(
        "RW0204",
        case.place(first),
        f"no line begins with `{first.text}` here",
        FIRST_WORDS[first.text],
    )


def _then_after_if(case: Case) -> Finding | None:
    if case.token.type != "then" or case.first.text not in ("if", "else", "for"):
        return None
    help_ = "leave it out; what is to be done stands below, indented"
    return Finding("RW0204", case.span, f"no `then` follows `{case.first.text}`", help_)


def _but_line(case: Case) -> Finding | None:
    """`but` without a name or a colon."""
    line = case.mistake.line
    if case.first.type != "but" or case.token is case.first:
        return None
    help_ = "write `but NAME: VALUE if CONDITION`"
    if not any(token.type == ":" for token in line):
        span = case.place(case.first)
        return Finding("RW0210", span, "a `but` line begins with its name and a `:`", help_)
    return None


def _name_missing(case: Case) -> Finding | None:
    """A question or a rule without its name."""
    token, words = case.token, [word.text for word in case.mistake.line]
    if words == ["rule"] and (token.type in ("WHEN", "whenever", ":")):
        help_ = "write `rule NAME: after EVENT`"
        return Finding("RW0209", case.span, "this rule has no name", help_)
    is_question = case.first.text in ("ask", "secretly")
    if is_question and "to" in case.expected and token.text == "in":
        which = "how much" if "much" in words else "which"
        help_ = f"write `{which} {words[-1]} to QUESTION in ...`"
        return Finding("RW0209", case.span, "this question has no name", help_)
    if is_question and {"about", "which"} & case.expected and token.type == "_NL":
        help_ = "write `about QUESTION`, `which NAME to QUESTION in ...` or `how much NAME to ...`"
        return Finding("RW0209", case.span, "this question has no name", help_)
    if words == ["always"] and token.type != "NAME":
        help_ = "write `always NAME: CONDITION`"
        return Finding("RW0209", case.span, "what always holds has no name here", help_)
    if case.first.text == "always" and len(words) == 2 and token.type != ":":
        help_ = "write `always NAME: CONDITION`"
        return Finding("RW0209", case.span, "what always holds has no name here", help_)
    return None


def _colon_missing(case: Case) -> Finding | None:
    line = case.mistake.line
    if ":" not in case.expected or not line or case.expected - {":", ".", "(", "STRING"}:
        return None
    before = line[-1]
    place = case.place(before)
    span = Span(case.source, place.end, place.end)
    fix = Fix("put a `:` here", (Edit(span, ":"),))
    if case.token.type in ("=", "_NL") and case.first.text == "define":
        help_ = "say what it gives: `define NAME: TYPE = VALUE`"
        return Finding("RW0207", case.span, f"the type of `{before.text}` is missing", help_)
    if case.token.type in ("=", "_NL") and case.first.text == "switch":
        help_ = "say what it can be: `switch NAME: TYPE = VALUE`"
        return Finding("RW0207", case.span, f"the type of `{before.text}` is missing", help_)
    message = f"`:` is missing after {shown(before)}"
    return Finding("RW0207", case.span, message, f"write `{before.text}:`", fix=fix)


def _reserved_word(case: Case) -> Finding | None:
    """A word of the language as a name."""
    token = case.token
    is_word = token.text[:1].isalpha() and token.type not in _VARIABLE
    if not is_word or "NAME" not in case.expected:
        return None
    is_named = case.next is not None and case.next.type in ("=", ":", ".")
    if case.is_line_start and not is_named:
        return None
    message = f"`{token.text}` is a word of the language and can't be a name"
    help_ = "choose another name, perhaps of two words: `my_" + token.text.split()[0] + "`"
    if token.text in _LINKS and not is_named and case.expected != {"NAME"}:
        return None
    return Finding("RW0205", case.span, message, help_)


def _wrong_size(case: Case) -> Finding | None:
    """A kind where a name is needed, or a name where a kind is."""
    token, expected = case.token, case.expected
    if token.type == "KIND" and "NAME" in expected and "KIND" not in expected:
        better = _snake(token.text)
        message = f"a name is needed here, and `{token.text}` is a kind"
        help_ = f"names begin with a small letter: `{better}`"
        return Finding("RW0206", case.span, message, help_, fix=case.swap(case.span, better))
    if token.type == "NAME" and "KIND" in expected and "NAME" not in expected:
        better = _camel(token.text)
        message = f"a kind is needed here, and `{token.text}` is a name"
        help_ = f"kinds begin with a capital letter: `{better}`"
        return Finding("RW0206", case.span, message, help_, fix=case.swap(case.span, better))
    return None


def _closing(case: Case) -> Finding | None:
    """A line of a window that is neither of its two."""
    if "CLOSE" not in case.expected or not case.is_line_start:
        return None
    help_ = (
        "write `until all pass`, `until one acts`, `until nobody can`, `once each` or `exactly one`"
    )
    return Finding("RW0213", case.span, "a window can't close like this", help_)


def _each_missing(case: Case) -> Finding | None:
    if case.expected != {"each"} or not case.has_before("for"):
        return None
    message = f"`each` is missing before {shown(case.token)}"
    return Finding("RW0201", case.span, message, "write `for each NAME in LIST`")


WORD_EXPERTS: tuple[Callable[[Case], Finding | None], ...] = (
    _text_not_closed,
    _foreign_sign,
    _compound_sign,
    _odd_sign,
    _mixed_word,
    _foreign_word,
    _but_line,
    _equal_sign,
    _decimal,
    _colon_too_many,
    _then_after_if,
    _name_missing,
    _colon_missing,
    _reserved_word,
    _wrong_size,
    _closing,
    _each_missing,
)
