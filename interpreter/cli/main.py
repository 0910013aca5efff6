"""The entry point. It is so small that Ctrl-C ends the command quietly from its start on, also
while everything else is being loaded."""

from __future__ import annotations

import sys

from interpreter.cli.codes import INTERRUPTED


def main() -> None:
    """Runs the command line of this process."""
    try:
        from interpreter.cli.commands import run

        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)
