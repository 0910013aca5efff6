"""Reading on after a mistake: every independent mistake of a file is found in one run.

Where a logical line begins, the stacks are copied. At a mistake the line that is to blame is
found, the stacks go back to where it began, a `BROKEN` token stands in for it and its block, and
reading goes on below. A mistake is reported once; what follows from it is not reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from dsl.diagnostics.suggest import suggest
from dsl.records import mutable, record
from dsl.syntax.driver import Driver, Program, Stacks, TooDeepError
from dsl.syntax.expected import DECLARATIONS, STATEMENTS, is_statement_in_value
from dsl.syntax.foreign import FIRST_WORDS
from dsl.syntax.layout import Problem, Token, word_set

# Lines that go on with the statement above them.
_FOLLOWERS = frozenset({"else", "until", "then"})

# How many lines of one statement are kept, so that the first can be blamed for the last.
_KEPT_LINES = 4

# What the block of a line is made of, by the first word of the line.
_BLOCKS = {
    "kind": "fields",
    "thing": "fields",
    "add": "fields",
    "define": "_define_block",
    "exception": "_define_block",
    "window": "_window_block",
    "strategy": "_strategy_block",
    "scenario": "_scenario_block",
    "when": "_said_block",
    **dict.fromkeys(
        word_set("if else for repeat rule to event option phase then ask secretly saying given *"),
        "block",
    ),
}

_SCENARIO = word_set("seats with set given when then")

_COLON = frozenset({":"})
_EACH = frozenset({"each"})

Kind = Literal["word", "value", "line end", "block missing", "unfinished", "deeper", "too deep"]


@mutable
class Line:
    """A logical line: its first token, and the stacks before it.

    Replaying `tokens[replay_from:]` on `replay_on` gives the states at a later token.
    """

    index: int
    first: Token
    before: Stacks
    replay_from: int
    replay_on: list[int]
    is_broken: bool = False
    is_reported: bool = False
    misfit: str | None = None  # the sort of line, where that can't stand here


@record
class Mistake:
    """What did not fit: `token`, with the tokens of its line before and after it.

    `expected` are the kinds of tokens that would have fitted. For "unfinished", `blamed` is the
    first token of the statement that is not finished.
    """

    kind: Kind
    token: Token
    line: list[Token]
    rest: list[Token]
    expected: frozenset[str]
    blamed: Token | None = None


@mutable
class Block:
    """The last lines of an open block. The excused one may go on with what was broken."""

    lines: list[Line]
    excused: Token | None = None


class GiveUpError(Exception):
    """There is no line to go back to. Never leaves this package."""


Report = Callable[[Mistake], None]


class Reader(Driver):
    """A driver that reports mistakes and reads on."""

    def __init__(
        self,
        program: Program,
        start: str,
        tokens: list[Token],
        problems: list[Problem],
        report: Report,
    ) -> None:
        super().__init__(program, start)
        self.tokens = tokens
        self.problems = problems
        self.report = report
        self.levels: list[Block] = []
        self.void: list[tuple[int, int]] = []  # places whose remarks no longer count
        self.last_mend = (-1, 0)
        self.reported: Token | None = None  # a first token with whose line something is wrong
        self.is_value = start == "expr"  # which has no lines to go on with

    def run(self) -> Any:
        """The value of all tokens, the last of which is `$END`; None if there is none."""
        tokens = self.tokens
        at = 0
        try:
            while True:
                token = tokens[at]
                if token.is_first:
                    self._begin_line(at, token)
                try:
                    fits = self.feed(token)
                except TooDeepError:
                    at = self._too_deep(at)
                    continue
                if fits:
                    at += 1
                elif token.type == "$END" and self.is_done:
                    return self.stacks.values[-1]
                else:
                    at = self._mend(at)
        except GiveUpError:
            return None

    def _begin_line(self, at: int, token: Token) -> None:
        levels = self.levels
        del levels[token.level + 1 :]
        while len(levels) <= token.level:
            levels.append(Block([]))
        lines = levels[token.level].lines
        del lines[: 1 - _KEPT_LINES]
        before = self.stacks.copy()
        line = Line(at, token, before, at, before.states)
        line.is_reported = token is self.reported
        lines.append(line)

    # ------------------------------------------------------------ what is to blame

    def _mend(self, at: int) -> int:
        """Report the mistake at a token; gives the index from which to read on."""
        token = self.tokens[at]
        line = self._line_of(at)
        if self._is_stuck(at):
            return self._skip(line, at)
        kinds = (token.type for token in self.tokens[line.replay_from : at])
        states = self.after(line.replay_on, kinds) or self.stacks.states
        expected = frozenset(self.accepted(states)) - {"BROKEN"}
        if self.is_value:
            self._say("value", at, line, expected)
            raise GiveUpError
        if self._repair(at, line, states, expected):
            return at
        if token.type == "_INDENT":
            return self._deeper(at, line, states, expected)
        if token.is_first or token.type in ("_DEDENT", "$END"):
            if expected == {"_INDENT"}:
                return self._no_block(at, states)
            if not self.after(states, ("BROKEN",)):
                return self._unfinished(at, expected)
            if token.is_first:
                return self._wrong_line(at, line, expected)
        self._say("line end" if token.type == "_NL" else "word", at, line, expected)
        return self._skip(line, at)

    def _repair(self, at: int, line: Line, states: list[int], expected: frozenset[str]) -> bool:
        """Put right what is beyond doubt, so that the line and its block can be read all the same.

        Whether it was done; it is reported like all else.
        """
        tokens = self.tokens
        token, after = tokens[at], tokens[min(at + 1, len(tokens) - 1)]
        count = 0  # how many tokens go
        types: tuple[str, ...] = ()  # of the tokens that come
        if token.type == "=" and "is" in expected:
            count, types = 1 + (after.type == "=" and after.start == token.end), ("is",)
        elif token.text == "!" and after.type == "=" and "is" in expected:
            count, types = 2, ("is", "not")
        elif token.type in (":", "then") and after.type == "_NL":
            count = 1
        elif expected in (_COLON, _EACH) and not token.is_first:
            types = tuple(expected)
        elif token.type == "MIXED" and "NAME" in expected:
            count, types = 1, ("NAME",)
        elif token.type == "BAD" and after.type in expected:
            count = 1
        if not (count or types) or not self.after(states, (*types, tokens[at + count].type)):
            return False
        self._say("line end" if token.type == "_NL" else "word", at, line, expected)
        place = token.start if count else tokens[at - 1].end
        end = tokens[at + count - 1].end if count else place
        tokens[at : at + count] = [
            Token(kind, token.text if kind == "NAME" else kind, place, end) for kind in types
        ]
        return True

    def _is_stuck(self, at: int) -> bool:
        """Whether the same place has been mended again and again."""
        place, times = self.last_mend
        self.last_mend = (at, times + 1 if place == at else 0)
        return self.last_mend[1] > 2

    def _line_of(self, at: int) -> Line:
        """The line that a token is on; for layout, the last line before it."""
        lines = [line for level in self.levels for line in level.lines if line.index <= at]
        if not lines:
            raise GiveUpError
        return max(lines, key=lambda line: line.index)

    def _previous(self, at: int) -> Line | None:
        """The line above at the same level as the line that begins at a token, forgetting that."""
        lines = self.levels[self.tokens[at].level].lines
        if lines and lines[-1].index == at:
            lines.pop()
        return lines[-1] if lines else None

    def _deeper(self, at: int, line: Line, states: list[int], expected: frozenset[str]) -> int:
        """A line is deeper than the one above, which takes no block."""
        self._say("deeper", at + 1, line, expected)
        end = self._end_of_block(at)
        self.levels[line.first.level].excused = self.tokens[end]
        self.reported = first = self.tokens[at + 1]
        if not line.first.level or not self.after(states, (first.type,)):
            return end
        # Read on as if the lines were not deeper.
        for token in self.tokens[at:end]:
            token.level -= 1
        del self.tokens[end - 1], self.tokens[at]
        return at

    def _no_block(self, at: int, states: list[int]) -> int:
        """The line above needs a block: read on as if there were one.

        Lines below that would fit in the block and nowhere else are taken as the block.
        """
        if self.tokens[at].is_first:
            self._previous(at)
        line = self._line_of(at - 1)
        below = self.tokens[at] if self.tokens[at].is_first else None
        self._say("block missing", at - 1, line, frozenset({"_INDENT"}), below)
        end = self._end_of_flat_block(at, states)
        if end > at:
            for token in self.tokens[at:end]:
                token.level += 1
            place = self.tokens[end - 1].end
            self.tokens.insert(end, Token("_DEDENT", "", place, place))
            self.tokens.insert(at, Token("_INDENT", "", self.tokens[at].start, place))
            return at
        end = self.tokens[at - 1].end
        marks = (Token(kind, "", end, end) for kind in ("_INDENT", "BROKEN", "_DEDENT"))
        self.tokens[at:at] = marks
        return at

    def _end_of_flat_block(self, at: int, states: list[int]) -> int:
        """The index after the lines that only fit into the block that should begin here."""
        inside = self.after(states, ("_INDENT",))
        outside = self.after(states, ("_INDENT", "BROKEN", "_DEDENT"))
        level = self.tokens[at].level
        while inside and outside:
            token = self.tokens[at]
            is_alike = token.is_first and token.level == level
            if not is_alike or self.after(outside, (token.type,)):
                break
            if not self.after(inside, (token.type,)):
                break
            at = self._end_of(at)
        return at

    def _unfinished(self, at: int, expected: frozenset[str]) -> int:
        """The statement above is not finished where a line begins or a block ends."""
        token = self.tokens[at]
        if token.is_first:
            blamed = self._previous(at)
        else:
            level = token.level + (token.type == "_DEDENT")
            lines = self.levels[level].lines if level < len(self.levels) else []
            blamed = lines[-1] if lines else None
        if blamed is None:
            raise GiveUpError
        target = self._target(blamed)
        if not target.is_broken:
            self._say("unfinished", at, blamed, expected, target.first)
        return self._replace(target, max(at, self._end_of(target.index)))

    def _wrong_line(self, at: int, line: Line, expected: frozenset[str]) -> int:
        """A line as such can't stand here."""
        block, first = self.levels[line.first.level], line.first
        above = block.lines[-2] if len(block.lines) > 1 else None
        goes_on = block.excused is first and first.type in _FOLLOWERS
        line.misfit = _family(first, expected)
        is_alike = above is not None and line.misfit is not None and above.misfit == line.misfit
        if not goes_on and not is_alike:
            self._say("word", at, line, expected)
        return self._skip(line, at, reads_block=line.misfit not in ("scenario", "value"))

    def _too_deep(self, at: int) -> int:
        line = self._line_of(at)
        token = self.tokens[at]
        if token.is_first or token.type in ("_DEDENT", "$END"):
            line = next(block.lines[-1] for block in self.levels if block.lines)
        self._say("too deep", at, line, frozenset())
        return self._skip(line, at, reads_block=False)

    # ------------------------------------------------------------ reading on

    def _skip(self, line: Line, at: int, *, reads_block: bool = True) -> int:
        """Put BROKEN in the place of a line and its block; mistakes in the block still count."""
        target = self._target(line)
        end = self._end_of(line.index)
        while end <= at:
            target = self._target(self._outer(target))
            end = self._end_of(target.index)
        if target is line and reads_block:
            self._read_block(line, end)
        else:
            self.void.append((target.first.start, self.tokens[end - 1].end))
        return self._replace(target, max(end, self._end_of(target.index)))

    def _outer(self, line: Line) -> Line:
        for level in range(line.first.level - 1, -1, -1):
            if level < len(self.levels) and self.levels[level].lines:
                return self.levels[level].lines[-1]
        raise GiveUpError

    def _target(self, line: Line) -> Line:
        """The nearest line, from this one up and out, that BROKEN can stand for."""
        for level in range(line.first.level, -1, -1):
            lines = self.levels[level].lines if level < len(self.levels) else []
            for other in reversed(lines):
                fits = other.index <= line.index
                if fits and self.after(other.before.states, ("BROKEN",)):
                    return other
        raise GiveUpError

    def _replace(self, line: Line, end: int) -> int:
        """Go back to where a line begins and read BROKEN instead of all up to `end`."""
        last = self.tokens[end - 1].end
        self.stacks.restore(line.before)
        self.feed(Token("BROKEN", "", line.first.start, max(last, line.first.end)))
        line.is_broken = True
        line.replay_from = end
        line.replay_on = self.stacks.states[:]
        del self.levels[line.first.level + 1 :]
        block = self.levels[line.first.level]
        block.excused = self.tokens[end]
        lines = block.lines
        del lines[lines.index(line) + 1 :]
        return end

    def _read_block(self, line: Line, end: int) -> None:
        """Look for mistakes in the block of a line that could not be read."""
        tokens = self.tokens
        at = self._end_of_line(line.index)
        header_end = tokens[at - 1].end
        start = _block_below(tokens[line.index : at])
        has_block = at < end and tokens[at].type == "_INDENT"
        if not has_block or start is None or tokens[at + 1].type == "_DEDENT":
            self.void.append((line.first.start, tokens[end - 1].end))
            return
        self.void.append((line.first.start, header_end))
        last = tokens[end - 1].end
        inner = [*tokens[at - 1 : end], Token("$END", "", last, last)]
        reader = Reader(self.program, start, inner, self.problems, self.report)
        reader.run()
        self.void.extend(reader.void)

    def _end_of_line(self, at: int) -> int:
        """The index after the `_NL` of a logical line."""
        tokens = self.tokens
        while tokens[at].type not in ("_NL", "$END"):
            at += 1
        return at + (tokens[at].type == "_NL")

    def _end_of(self, at: int) -> int:
        """The index after a logical line and its block."""
        at = self._end_of_line(at)
        return self._end_of_block(at) if self.tokens[at].type == "_INDENT" else at

    def _end_of_block(self, at: int) -> int:
        """The index after the `_DEDENT` that belongs to an `_INDENT`."""
        depth = 0
        while True:
            kind = self.tokens[at].type
            depth += (kind == "_INDENT") - (kind == "_DEDENT")
            at += 1
            if not depth:
                return at

    # ------------------------------------------------------------ saying so

    def _say(
        self,
        kind: Kind,
        at: int,
        line: Line,
        expected: frozenset[str],
        blamed: Token | None = None,
    ) -> None:
        tokens = self.tokens
        end = self._end_of_line(line.index)
        token = tokens[at]
        if line.is_reported or self._has_problem(line.first, tokens[end - 1]):
            return
        if token.is_first and self._has_problem(token, token):
            return
        if kind == "block missing" and blamed is not None and self._has_problem(blamed, blamed):
            return
        line.is_reported = True
        before = tokens[line.index : at] if at >= line.index else []
        rest = tokens[at + 1 : max(end, at + 1)]
        self.report(Mistake(kind, token, before, rest, expected, blamed))

    def _has_problem(self, first: Token, last: Token) -> bool:
        """Whether the layout has something to say about a line, of which this is a consequence."""
        if not self.problems:
            return False
        start = self.program.source.text.rfind("\n", 0, first.start) + 1
        return any(start <= problem.start <= last.end for problem in self.problems)


def _block_below(line: list[Token]) -> str | None:
    """What the block below a line is made of, as far as the line tells."""
    words = [token.text for token in line]
    if words[0] == "replace" and len(words) > 1:
        words = words[1:]
    if words[0] == "ask" and "about" in words:
        return "_bullets"
    if words[0] == "for" and "each" not in words and line[0].level == 1:
        return None
    return _BLOCKS.get(words[0])


def _family(first: Token, expected: frozenset[str]) -> str | None:
    """A sort of lines: several of one sort in the wrong place are one mistake."""
    if is_statement_in_value(first, expected):
        return "value"
    if first.type in _SCENARIO:
        return "scenario"
    is_statement = first.type in STATEMENTS or first.type == "NAME"
    if first.level or not is_statement or first.text in FIRST_WORDS:
        return None
    return "statement" if suggest(first.text, DECLARATIONS) is None else None
