"""Keeps compiled variants in the user's cache folder, and knows when they are out of date.

What is kept is a pickle of our own data classes and of nothing else: the reader refuses any other
class, and whatever it can't read counts as missing. A file's name has the hash of the rules and of
Rulewright's own source, so that neither can change unnoticed.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from interpreter.engine.cache import cache_folder, read_cached, write_cached

T = TypeVar("T")

MOST_FILES = 500
"""In the whole folder: a file that is gone is made again."""

_PACKAGES = (Path(__file__).resolve().parents[2] / "dsl", Path(__file__).resolve().parents[1])
_OURS = ("dsl.", "interpreter.")
_PLAIN = {("builtins", "frozenset"): frozenset, ("builtins", "set"): set}
_FAILURES = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError,
    TypeError, ValueError, MemoryError, RecursionError,
)  # fmt: skip


@cache
def compiler_digest() -> str:
    """The hash of Rulewright's own source: every Python file, grammar and table."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted(package.rglob("*")):
            if path.suffix in (".py", ".lark", ".json") and "variants" not in path.parts:
                digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def cache_key(*parts: str) -> str:
    """A file name for something that the parts and this version of Rulewright decide."""
    digest = hashlib.sha256(compiler_digest().encode())
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()


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
    write_cached(name, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    with suppress(OSError):
        files = [(path.stat().st_mtime, path) for path in cache_folder().iterdir()]
        for _, path in sorted(files)[:-MOST_FILES]:
            path.unlink(missing_ok=True)


class _Reader(pickle.Unpickler):
    """Reads data classes of this project and plain values."""

    def find_class(self, module: str, name: str) -> object:
        plain = _PLAIN.get((module, name))
        if plain is not None:
            return plain
        found = super().find_class(module, name) if module.startswith(_OURS) else None
        if isinstance(found, type) and is_dataclass(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")


# ---------------------------------------------------------------- files that went in


def stamps_of(folders: Iterable[Path]) -> dict[str, str]:
    """The files in some folders, by path, with the hashes of what is in them."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in _files(folder):
            try:
                content = path.read_bytes()
            except OSError:
                continue
            found[str(path)] = hashlib.sha256(content).hexdigest()
    return found


def _files(folder: Path) -> list[Path]:
    """The texts a variant, a mod or a library module can consist of."""
    endings = (".yaml", ".yml", ".rules")
    try:
        return sorted(
            path for path in folder.rglob("*") if path.suffix in endings and path.is_file()
        )
    except OSError:
        return []
