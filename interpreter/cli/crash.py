"""What people see of a mistake in Rulewright itself: no traceback, but a file to send us."""

from __future__ import annotations

import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from interpreter.cli.options import version


class Crashed(Exception):
    """A part of what a command did has crashed, and the rest is done. `details`: of the part."""

    def __init__(self, summary: str, details: str) -> None:
        super().__init__(summary)
        self.details = details


def report_crash(error: BaseException, args: Sequence[str]) -> None:
    """Writes the details to a file and says on stderr what to do with it."""
    if isinstance(error, Crashed):
        details, summary = error.details, str(error)
    else:
        details = "".join(traceback.format_exception(error))
        summary = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    command = "rulewright " + " ".join(shlex.quote(arg) for arg in args)
    text = (
        f"{command}\nRulewright {version()}, Python {platform.python_version()}, "
        f"{platform.platform()}\n\n{details}"
    )
    click.echo(f"This is a bug in Rulewright, not in your rules: {summary[:200]}", err=True)
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="rulewright-bug-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="replace",
        ) as file:
            file.write(text)
        click.echo(f"The details are in {Path(file.name)}.", err=True)
    except OSError:
        click.echo(f"The command was: {command}", err=True)
    click.echo(
        "Please report it, with that file and the rules if you may share them, as an issue of the "
        "Rulewright project.",
        err=True,
    )
