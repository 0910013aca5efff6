"""The comments of a script by line, and those that speak to the checker instead of to a reader."""

from __future__ import annotations

import re

from dsl.source import Source
from dsl.syntax.layout import lay_out
from dsl.syntax.table_file import load_tables

# `allow RW0714: the reason`, without the sign of the comment.
ALLOWS = re.compile(r"allow\s+(RW\w*)\b\s*(?::(.*))?", re.IGNORECASE)


def comments_of(source: Source) -> dict[int, tuple[str, int, bool]]:
    """By line: the text without dashes, its column, and whether nothing stands before it."""
    found = lay_out(source, load_tables()).comments
    return {
        line: (comment.text, comment.column, comment.stands != "beside")
        for line, comment in found.items()
    }
