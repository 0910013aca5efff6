"""The parse tables, kept in the user's cache folder between runs.

The file is JSON with a checksum: a damaged or foreign one can do no harm, it is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from dsl.syntax.tables import Production, Tables

GRAMMAR = Path(__file__).with_name("rules.lark")

# What the tables are made of and by: any change makes them anew.
_MADE_BY = ("rules.lark", "grammar.py", "tables.py", "table_cache.py")

# Tables of so many versions are kept.
_MOST_FILES = 4


def cache_folder() -> Path:
    """Where Rulewright keeps what it can make again (RULEWRIGHT_CACHE moves it)."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rulewright"


@cache
def load_tables() -> Tables:
    """The tables of the grammar beside this module, from the cache or built."""
    made_by = b"".join(GRAMMAR.with_name(name).read_bytes() for name in _MADE_BY)
    digest = hashlib.sha256(made_by).hexdigest()
    try:
        path = cache_folder() / f"grammar-{digest[:24]}.json"
    except RuntimeError:  # nobody's home
        path = None
    tables = _read(path) if path is not None else None
    if tables is None:
        from dsl.syntax.grammar import build_tables  # Lark takes 90 ms to import

        tables = build_tables(GRAMMAR.read_text(encoding="utf-8"))
        if path is not None:
            _write(path, _packed(tables))
    return tables


def _packed(tables: Tables) -> bytes:
    """Equal rows once: most states share theirs with others."""
    body = asdict(tables)
    del body["shortcuts"]
    body["keywords"] = sorted(tables.keywords)
    rows: dict[str, int] = {}
    for part in ("actions", "gotos"):
        body[part] = [
            rows.setdefault(json.dumps(row, sort_keys=True), len(rows)) for row in body[part]
        ]
    body["rows"] = [json.loads(row) for row in rows]
    content = json.dumps(body, separators=(",", ":")).encode()
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def _read(path: Path) -> Tables | None:
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return None
        body: dict[str, Any] = json.loads(content)
        rows = body.pop("rows")
        for part in ("actions", "gotos"):
            body[part] = [rows[number] for number in body[part]]
        body["productions"] = [Production(**production) for production in body["productions"]]
        body["keywords"] = frozenset(body["keywords"])
        return Tables(**body)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _write(path: Path, content: bytes) -> None:
    """Write a cache file whole or not at all; no place to write is no reason to complain."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        return
    with suppress(OSError):
        others = sorted(path.parent.glob("grammar-*"), key=lambda file: file.stat().st_mtime)
        for old in others[:-_MOST_FILES]:
            old.unlink()
