"""Records of ours, kept in the user's cache folder.

What is kept is a pickle of our own records and of nothing else: the reader refuses any other
class, and whatever it can't read counts as missing. A file's name has the hash of all that it was
made of and by, so that none of it can change unnoticed.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TypeVar

from dsl.cache import cache_folder, read_cached, write_cached

T = TypeVar("T")

MOST_FILES = 1000
"""In the whole folder: a file that is gone is made again."""

_LOOK_EVERY = 50
_WRITTEN = count()

_OURS = ("dsl.", "interpreter.")
_PLAIN = {("builtins", "frozenset"): frozenset, ("builtins", "set"): set}
_FAILURES = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError,
    TypeError, ValueError, MemoryError, RecursionError,
)  # fmt: skip


@cache
def source_digest(*places: Path) -> str:
    """The hash of Rulewright's own source in some files and folders: Python, grammar, tables."""
    digest = hashlib.sha256()
    for place in places:
        for path in _sources(place):
            name = path.relative_to(place).as_posix() if path != place else path.name
            digest.update(f"{name}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(place: Path) -> Iterable[Path]:
    return [place] if place.is_file() else sorted(_sources_in(place))


def _sources_in(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".lark", ".json") and "variants" not in path.parts:
            yield path


def read_kept(name: str, kind: type[T]) -> T | None:
    """What was kept under a name; None if it is missing, damaged or something else."""
    content = read_cached(name)
    if content is None:
        return None
    try:
        found = _Reader(io.BytesIO(content)).load()
    except _FAILURES:
        return None
    return found if isinstance(found, kind) else None


def keep(name: str, value: object) -> None:
    """Keeps a value under a name, if the cache folder lets us; drops the oldest of too many."""
    try:
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # nested too deep
        return
    write_cached(name, content)
    if next(_WRITTEN) % _LOOK_EVERY:
        return
    with suppress(OSError):
        files = [(path.stat().st_mtime, path) for path in cache_folder().iterdir()]
        for _, path in sorted(files)[:-MOST_FILES]:
            path.unlink(missing_ok=True)


class _Reader(pickle.Unpickler):
    """Reads records of this project and plain values."""

    def find_class(self, module: str, name: str) -> object:
        plain = _PLAIN.get((module, name))
        if plain is not None:
            return plain
        found = super().find_class(module, name) if module.startswith(_OURS) else None
        if isinstance(found, type) and is_dataclass(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")
