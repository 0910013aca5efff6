"""Telling findings: what a command ends with does not depend on who reads it to the end."""

from __future__ import annotations

import os
import sys
from typing import IO

import click


def tell(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Writes as `click.echo` does; once nobody reads a stream any more, what else is written there
    is lost, and the command goes on."""
    try:
        click.echo(text, err=err, nl=nl)
    except BrokenPipeError:
        write_no_more(sys.stderr if err else sys.stdout)


def write_no_more(stream: IO[str]) -> None:
    """Sends to nowhere what is still to be written to a stream, at the exit of Python too."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # it is no file
