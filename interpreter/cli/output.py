"""What a long command writes to a file beside what it tells people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TextIO

import click

from interpreter.cli.files import written_aside


class Output:
    """A file that gets its name when all is written; `-` is stdout, None is nothing.

    What can't be written is no reason to break off: it is left in `error`, and the file is as it
    was. Raises click.UsageError where there can be no such file.
    """

    def __init__(self, name: str | None) -> None:
        self.error: OSError | None = None
        self._name = name
        self._stack = ExitStack()
        self._file: TextIO | None = None
        if name == "-":
            self._file = sys.stdout
        elif name is not None:
            try:
                self._file = self._stack.enter_context(written_aside(name))
            except OSError as error:
                reason = f"`{name}` can't be written: {error.strerror}."
                raise click.UsageError(reason) from None

    def write(self, write: Callable[[TextIO], None]) -> None:
        """Writes something, if there is a file and nothing has gone wrong with it."""
        if self._file is None or self.error is not None:
            return
        try:
            write(self._file)
        except BrokenPipeError:
            raise
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Gives the file its name."""
        try:
            self._stack.close()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self.error = OSError(error.errno, error.strerror, error.filename or self._name)
        with suppress(OSError):  # what is thrown away can't be written to the end either
            self._stack.__exit__(type(error), error, error.__traceback__)

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)
