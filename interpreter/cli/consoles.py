"""Where reports for people go."""

from __future__ import annotations

import sys

from rich.console import Console

PLAIN_WIDTH = 100


class _Console(Console):
    """A pipe that is closed early is not for rich to judge."""

    def on_broken_pipe(self) -> None:
        """Goes on to the last safety net."""
        raise BrokenPipeError


def report_console(*, is_taken: bool) -> Console:
    """Where the report for people goes: stderr, if stdout has another."""
    stream = sys.stderr if is_taken else sys.stdout
    return _Console(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False)
