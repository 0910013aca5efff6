"""What to say about a mistake: the common ones are known by sight, all others by what would fit.

Each expert looks at one kind of mistake and answers None for every other; the first one that has
something to say is heard. The experts for words and signs are in `mistaken_words`.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.diagnostics.suggest import suggest
from dsl.source import Source
from dsl.syntax.case import Case, is_path, touches
from dsl.syntax.driver import DEEPEST
from dsl.syntax.expected import (
    DECLARATIONS,
    STATEMENTS,
    is_statement_in_value,
    is_value_expected,
    listed,
    phrases,
    shown,
)
from dsl.syntax.finding import Finding
from dsl.syntax.layout import word_set
from dsl.syntax.mistaken_words import WORD_EXPERTS
from dsl.syntax.perhaps import perhaps
from dsl.syntax.recovery import Mistake

Expert = Callable[[Case], Finding | None]

_GOES_ON = (
    "a line goes on inside brackets, after a comma, and when the next one begins with `and`, `or`, "
    "`otherwise` or, indented deeper, with `if`, `else`, `for each`, `where`, `with the`, `|`"
)

_OPERATORS = word_set("+ - * / .. < <= > >= is in not and or otherwise")

_BLOCKS = {
    "define": "put the value on the next line, indented, or on this line after `=`",
    "exception": "put `but NAME: VALUE if CONDITION` lines below, indented",
    "ask": "put the answers below, each as `* NAME`, indented",
    "window": "put `ask each NAME in LIST` and the closing line below, indented",
    "strategy": "put `for QUESTION` lines below, indented, each with its answers",
    "for": "put the answers below, indented by four more spaces",
    "scenario": "put `given`, `when` and `then` lines below, indented",
    "add": "put the fields below, each as `name: TYPE`, indented",
}
_BLOCK = "put what is to be done below, indented by four more spaces"

_BELONGS = {
    "else": ("`if` or `ask`", "an `else` stands right below their block, indented as they are"),
    "until": ("`repeat`", "`until CONDITION` stands right below its block, indented as it is"),
    "then": ("`phase` or `when`", "a `then` stands below them, indented as they are"),
    "but": ("`define` or `exception`", "`but` lines stand in their block, after the value"),
    "*": ("`ask ... about`", "answers stand in the block of `ask player about QUESTION`"),
    "when": ("`scenario`", "`when` lines stand in the block of a scenario"),
    "seats": ("`scenario`", "a `seats` line stands at the head of a scenario"),
    "given": ("`scenario`", "`given` lines stand in the block of a scenario"),
}


def describe(mistake: Mistake, source: Source) -> Finding:
    """What there is to say about a mistake."""
    case = Case(mistake, source)
    for expert in (*_LAYOUT_EXPERTS, *WORD_EXPERTS, *_LINE_EXPERTS):
        finding = expert(case)
        if finding is not None:
            return finding
    return _anything(case)


# ---------------------------------------------------------------- blocks


def _too_deep(case: Case) -> Finding | None:
    if case.mistake.kind != "too deep":
        return None
    return Finding(
        "RW0112",
        case.place(case.first),
        f"this is nested too deeply: at most {DEEPEST} values inside each other are read",
        "give parts of it names, with `let` or `define`",
    )


def _block_missing(case: Case) -> Finding | None:
    if case.mistake.kind != "block missing":
        return None
    first, below = case.first, case.mistake.blamed
    also = ((case.place(below), "this line is not indented deeper"),) if below is not None else ()
    words = [token.text for token in case.mistake.line]
    is_loop = words[0] == "for" and "each" in words
    is_question = words[0] == "ask" and "about" not in words
    help_ = _BLOCK if is_loop or is_question else _BLOCKS.get(first.text, _BLOCK)
    return Finding("RW0111", case.span, f"the block of this {shown(first)} is missing", help_, also)


def _deeper(case: Case) -> Finding | None:
    if case.mistake.kind != "deeper":
        return None
    goes_on = case.token.text in ("+", "-", "*", "/", "is", "in", "if", "else", ",", ".", "..")
    help_ = _GOES_ON if goes_on else "indent it as the line above"
    also = ((case.place(case.first), "this line takes no block"),)
    message = "this line is indented deeper than the one above, which takes no block"
    return Finding("RW0109", case.place(case.token), message, help_, also)


def _unfinished(case: Case) -> Finding | None:
    blamed = case.mistake.blamed
    if case.mistake.kind != "unfinished" or blamed is None:
        return None
    missing = listed(phrases(case.expected))
    if case.expected == {"until"}:
        help_ = "write `until CONDITION` below its block, indented as the `repeat` is"
        message = "this `repeat` never ends: `until` is missing after its block"
        return Finding("RW0215", case.place(blamed), message, help_)
    message = f"this {shown(blamed)} is not finished: {missing} is missing"
    return Finding("RW0215", case.place(blamed), message)


# ---------------------------------------------------------------- lines in the wrong place


def _misplaced(case: Case) -> Finding | None:
    """A line that begins well and can't stand where it stands."""
    token = case.token
    if not case.is_line_start:
        return None
    text = token.text
    if is_statement_in_value(token, case.expected):
        help_ = "write the value alone; other cases stand below: `but NAME: VALUE if CONDITION`"
        message = f"`{text}` can't stand here: these lines are a value, and do nothing"
        return Finding("RW0211", case.span, message, help_)
    if text in _BELONGS:
        owner, help_ = _BELONGS[text]
        return Finding("RW0211", case.span, f"this `{text}` belongs to no {owner}", help_)
    if token.type == "CLOSE":
        help_ = "it stands in the block of a window, below its `ask` line"
        return Finding("RW0211", case.span, f"this `{text}` belongs to no window", help_)
    if token.level and text == "set" and "let" in case.expected:
        help_ = "leave `set` out: a statement sets with `=` alone"
        return Finding("RW0211", case.span, "`set` is for switches, outside of all blocks", help_)
    if token.level and text in DECLARATIONS:
        message = f"`{text}` can't stand inside this block"
        help_ = "a declaration begins at the left margin; indent this line less"
        return Finding("RW0211", case.span, message, help_)
    if not token.level and text in STATEMENTS:
        message = f"`{text}` can't stand at the left margin"
        help_ = "it belongs in the block of a rule, a routine or a phase; indent it"
        return Finding("RW0211", case.span, message, help_)
    return None


def _unknown_line(case: Case) -> Finding | None:
    """A line at the left margin whose first word begins no declaration."""
    token = case.token
    if not case.is_line_start or token.level or "rule" not in case.expected:
        return None
    near = suggest(token.text, sorted(DECLARATIONS))
    if near is not None:
        fix = case.swap(case.span, near)
        message = f"{shown(token)} begins no declaration"
        return Finding("RW0218", case.span, message, f"did you mean `{near}`?", fix=fix)
    help_ = (
        "declarations begin with a word such as `kind`, `define`, `to`, `rule` or `option`; "
        "what is done stands in their blocks, indented"
    )
    return Finding("RW0218", case.span, f"{shown(token)} begins no declaration", help_)


# ---------------------------------------------------------------- lines that end too early


def _value_alone(case: Case) -> Finding | None:
    """`player.jailed` as a statement, or `player.draw(3)`."""
    line = case.mistake.line
    if case.token.type == "=" and [word.type for word in line[:2]] == ["NAME", "["]:
        message = "only fields, and places of tables that are fields, can be set"
        help_ = f"say whose table it is: `player.{line[0].text}[key] = value`"
        return Finding("RW0219", case.place(line[0], line[-1]), message, help_)
    if not is_path(line) or "=" not in case.expected:
        return None
    if case.token.type == "_NL" or case.token.type in _OPERATORS:
        message = "a value alone does nothing"
        help_ = "set it with `=`, or write a command: `VERB VALUE from VALUE to VALUE`"
        return Finding("RW0219", case.place(line[0], line[-1]), message, help_)
    if case.token.type == "(" and touches(case.before, case.token):
        return _brackets(case)
    return None


def _call_as_command(case: Case) -> Finding | None:
    """`pay(player, 5)` as a statement."""
    line = case.mistake.line
    is_call = len(line) > 1 and line[0].type == "NAME" and line[1].type == "("
    if not is_call or not case.first.level or not touches(line[0], line[1]):
        return None
    return _brackets(case) if case.token.type in (",", ":") else None


def _brackets(case: Case) -> Finding:
    help_ = "name what each value is for: `VERB VALUE from VALUE to VALUE`"
    bracket = next((token for token in case.mistake.line if token.type == "("), case.token)
    span = case.place(case.first, bracket)
    return Finding("RW0219", span, "a command is written without brackets", help_)


def _several_values(case: Case) -> Finding | None:
    """`pay 5, player` as a statement."""
    line = case.mistake.line
    if case.token.type != "," or "let" in case.expected or not case.first.level:
        return None
    if len(line) < 2 or line[0].type != "NAME" or "from" not in case.expected:
        return None
    message = "a command takes one value; all others follow words such as `from` or `to`"
    return Finding("RW0219", case.span, message, "for example: `VERB VALUE from VALUE to VALUE`")


def _line_end(case: Case) -> Finding | None:
    if case.token.type != "_NL":
        return None
    before = case.before
    words = phrases(case.expected)
    where = f" after {shown(before)}" if before is not None else ""
    message = f"the line ends too early: {listed(words)} is missing{where}"
    is_open = before is not None and before.text in _OPERATORS
    return Finding("RW0202", case.span, message, _GOES_ON if is_open else None)


def _second_comparison(case: Case) -> Finding | None:
    """`a < b < c`."""
    signs = ("<", "<=", ">", ">=", "is", "in", "not")
    words = [token.type for token in case.mistake.line]
    if case.token.type not in signs or not any(word in signs for word in words):
        return None
    if "and" not in case.expected:
        return None
    message = f"{shown(case.token)} can't follow a comparison: two values are compared at a time"
    return Finding("RW0201", case.span, message, "write `a < b and b < c`")


def _luck(case: Case) -> Finding | None:
    """`luck picks 2 card in ..`, `luck picks x in LIST where ..`."""
    if case.first.type != "luck" or case.token.type not in ("NUMBER", "INT", "where"):
        return None
    if case.token.type == "where":
        help_ = "write `luck picks x in [each x in LIST where CONDITION]`"
        return Finding("RW0201", case.span, "`luck picks` has no `where` of its own", help_)
    help_ = "write `luck picks NAME in LIST`, in a `repeat` or `for each` for several"
    return Finding("RW0201", case.span, "luck picks one at a time", help_)


def _state_as_happening(case: Case) -> Finding | None:
    """`when sale.lot = vermont`: what is so beforehand, not what happens."""
    if case.first.type != "when" or case.token.type not in (".", "=", "is"):
        return None
    words = " ".join(token.text for token in (*case.mistake.line[1:], case.token))
    is_field = case.token.type == "." or "." in words
    if not is_field:
        return None
    help_ = "what is so before that stands above it: `given THING.FIELD = VALUE`"
    return Finding("RW0201", case.span, "a `when` says what somebody does", help_)


def _query_without_brackets(case: Case) -> Finding | None:
    """`let x = each p in players`, `(each p in players)`."""
    if case.token.type != "each" or not is_value_expected(case.expected):
        return None
    help_ = "write `[each p in LIST where CONDITION]`, or use it in `count(...)`, `first(...)`"
    return Finding("RW0201", case.span, "expected a value here, not `each`", help_)


def _misspelt(case: Case) -> Finding | None:
    """A word that is almost one that would fit."""
    if case.token.type not in ("NAME", "KIND"):
        return None
    near = suggest(case.token.text, sorted(word for word in case.expected if word.islower()))
    if near is None:
        return None
    message = f"expected {listed(phrases(case.expected))} here, not {shown(case.token)}"
    fix = case.swap(case.span, near)
    return Finding("RW0201", case.span, message, f"did you mean `{near}`?", fix=fix)


def _anything(case: Case) -> Finding:
    """By what would fit."""
    words = phrases(case.expected)
    token, before = shown(case.token), case.before
    if case.token.type in ("_DEDENT", "$END"):
        message = f"{listed(words)} is missing here"
    elif len(words) == 1 and words[0].startswith("`"):
        message = f"{words[0]} is missing before {token}"
    elif len(words) == 1 and before is not None and words[0].startswith("the end of the "):
        what = words[0].removeprefix("the end of the ")
        message = f"{token} can't follow {shown(before)}: the {what} should end there"
    elif words:
        message = f"expected {listed(words)} here, not {token}"
    else:
        message = f"{token} can't stand here"
    return Finding("RW0201", case.span, message, perhaps(case))


_LAYOUT_EXPERTS: tuple[Expert, ...] = (_too_deep,)
_LINE_EXPERTS: tuple[Expert, ...] = (
    _block_missing,
    _deeper,
    _unfinished,
    _misplaced,
    _unknown_line,
    _value_alone,
    _call_as_command,
    _several_values,
    _second_comparison,
    _luck,
    _state_as_happening,
    _query_without_brackets,
    _misspelt,
    _line_end,
)
