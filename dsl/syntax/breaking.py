"""The lines of one statement: blanks between its tokens, and where it goes on on the next line.

Used by the formatter alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.syntax.layout import CLOSERS, OPENERS, Token, takes_block, word_set

WIDTH = 100
STEP = 4

# No blank before these, and none behind those.
_TIGHT_BEFORE = word_set(") ] , : ? . ..")
_TIGHT_BEHIND = word_set("( [ . ..")

# What a value can end with: an opening bracket behind it belongs to it, a minus has two sides.
_ENDS_VALUE = word_set("NAME KIND NUMBER PERCENT STRING yes no none usual ) ]")

# Words and signs before which a line is broken, loosest first.
_RANKS = {
    word: rank
    for rank, words in enumerate(
        ["with", "where such", "if else for", "|", "otherwise", "or", "and", "+ -"], start=1
    )
    for word in words.split()
}
_BEHIND_OPENER = 9

# Those that only go on with a statement that takes no block.
_BEGIN_BLOCK = word_set("if else for")

# Those before which a line goes on inside of brackets only.
_SUMS = word_set("+ -")

# What goes with the next word, if that is the one.
_PAIRS = {"with": "the", "such": "that", "for": "each"}


def plain(token: Token) -> str:
    """The text of a token; what is one word to the reader has single blanks in it."""
    return token.text if token.type == "STRING" else " ".join(token.text.split())


class Statement:
    """A statement that is written line by line.

    What it goes on with is one step deeper, or two where a block stands below; and one more for
    each bracket, but for the first, that ended its line.
    """

    def __init__(self, column: int, verbs: frozenset[int], *, has_block: bool) -> None:
        self.column = column
        self.verbs = verbs
        self.step = 2 * STEP if has_block else STEP
        self.written: list[Token] = []
        self.open: list[bool] = []  # brackets: whether they ended their line

    def lines(self, tokens: Sequence[Token]) -> Iterator[str]:
        """The next line, or the lines that it has to be broken into."""
        while tokens:
            indent = self.indent_of(tokens[0])
            count = self._fitting(tokens, WIDTH - indent)
            yield " " * indent + self._joined(tokens[:count])
            self._write(tokens[:count])
            tokens = tokens[count:]

    def indent_of(self, token: Token) -> int:
        """The column of a line that begins with a token."""
        if not self.written:
            return self.column
        is_closer = token.text in CLOSERS
        hanging = sum(self.open[:-1] if is_closer else self.open)
        if is_closer and self.open[-1]:
            return self.column + STEP * hanging
        return self.column + self.step + STEP * max(hanging - 1, 0)

    def _write(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.text in OPENERS:
                self.open.append(False)
            elif token.text in CLOSERS:
                self.open.pop()
        if tokens[-1].text in OPENERS:
            self.open[-1] = True
        self.written += tokens

    # ------------------------------------------------------------ blanks

    def _joined(self, tokens: Sequence[Token]) -> str:
        return "".join(self._pieces(tokens))

    def _pieces(self, tokens: Sequence[Token]) -> Iterator[str]:
        """The tokens, each with the blank before it."""
        before = self.written[-1] if self.written else None
        is_sign = False
        for number, token in enumerate(tokens):
            left = tokens[number - 1] if number else None
            blank = "" if left is None or self._is_tight(left, token, is_sign) else " "
            yield blank + plain(token)
            is_sign = token.text == "-" and not self._ends_value(left or before)

    def _is_tight(self, left: Token, right: Token, is_sign: bool) -> bool:
        """Whether no blank is between two tokens; `is_sign`: the left one is a minus of one side.

        Two of these in a row would begin a comment.
        """
        if right.type in _TIGHT_BEFORE or left.type in _TIGHT_BEHIND:
            return True
        if is_sign:
            return right.text != "-"
        return right.text in OPENERS and self._ends_value(left)

    def _ends_value(self, token: Token | None) -> bool:
        return token is not None and token.type in _ENDS_VALUE and token.end not in self.verbs

    # ------------------------------------------------------------ breaks

    def _fitting(self, tokens: Sequence[Token], width: int) -> int:
        """How many tokens are on the line: all if they fit, or up to the loosest place where it
        can be broken, of several such the last; all as well if there is none."""
        pieces = list(self._pieces(tokens))
        if sum(map(len, pieces)) <= width:
            return len(tokens)
        best, loosest = len(tokens), (len(tokens), 0)
        length, depth = 0, len(self.open)
        for number, token in enumerate(tokens):
            rank = self._rank(tokens, number, depth) if number else None
            if rank is not None and length <= width and (depth, rank) <= loosest:
                best, loosest = number, (depth, rank)
            length += len(pieces[number])
            depth += (token.text in OPENERS) - (token.text in CLOSERS)
        return best

    def _rank(self, tokens: Sequence[Token], number: int, depth: int) -> int | None:
        """How loose the place before a token is, in so many brackets; None where no line ends."""
        left, token = tokens[number - 1], tokens[number]
        if left.type == ",":
            return 0
        if left.text in OPENERS:
            return None if token.text in CLOSERS else _BEHIND_OPENER
        rank = _RANKS.get(token.type)
        pair = _PAIRS.get(token.type)
        if rank is None or (pair is not None and tokens[number + 1].type != pair):
            return None
        if token.type in _SUMS:
            return rank if depth and self._ends_value(left) else None
        is_head = not depth and token.type in _BEGIN_BLOCK
        return None if is_head and takes_block([*self.written, *tokens[:number]]) else rank
