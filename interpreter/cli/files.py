"""Files that a person names in the terminal."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from dsl.project.find import is_file, typed_path

MOST_BYTES = 1 << 26
"""More than any saved game has."""


def read_named(name: str) -> str:
    """The text of a file; OSError if it can't be read."""
    path = _path(name)
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a file")
    if found.st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, "it is far too large")
    return path.read_text(encoding="utf-8", errors="replace")


def write_named(name: str, text: str) -> None:
    """Writes a file as a whole: one that is there stays as it is if that fails, with OSError."""
    with written_aside(name) as file:
        file.write(text)


@contextmanager
def written_aside(name: str) -> Iterator[TextIO]:
    """A file to write to under another name, until all is written: one that is there stays as it
    is if that fails, with OSError."""
    target = _path(name).resolve()
    is_there = target.exists()
    if is_there and not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    if is_there and not (is_file(target) and os.access(target.parent, os.W_OK)):
        with target.open("w", encoding="utf-8", newline="") as file:  # a device; a folder says so
            yield file
        return
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(aside).chmod(target.stat().st_mode & 0o777 if is_there else 0o666 & ~mask)
        Path(aside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(aside).unlink()
        raise


def _path(name: str) -> Path:
    if "\0" in name:
        raise OSError(errno.EINVAL, "no file can be called so")
    return typed_path(name)
