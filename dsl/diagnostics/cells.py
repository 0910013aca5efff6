"""How characters look in a terminal: widths, tabs, and names for what can't be seen.

Used by the frame renderer and by the check that refuses unseen characters in texts.
"""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4

# Not of the categories below, yet drawn as nothing or as a blank. Variation selectors 15 and 16
# are left out: they follow an emoji and choose how it looks.
_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
# Format characters that are drawn: Arabic, Syriac and Kaithi number signs.
_DRAWN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def is_unseen(char: str) -> bool:
    """Whether a reader can't see the character, or takes it for a common space."""
    if " " <= char <= "~" or char == "\n":
        return False
    category = unicodedata.category(char)
    if category == "Zs" or char in _BLANKS:
        return True
    if category in _UNSEEN:
        return char not in _DRAWN
    return ord(char) & 0xFFFE == 0xFFFE


def codepoint(char: str) -> str:
    """`U+200B`."""
    return f"U+{ord(char):04X}"


def visible(text: str) -> str:
    """The text with each unseen character written out; line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<{codepoint(char)}>" if is_unseen(char) else char for char in text)


def char_cell(char: str) -> str:
    """What is printed for one character of a source line."""
    if char == "\t":
        return " " * TAB_WIDTH
    return f"<{codepoint(char)}>" if is_unseen(char) or char == "\n" else char


def width(text: str) -> int:
    """Columns a printed text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
