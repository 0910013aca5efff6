"""The parse tables, made from the grammar once and kept beside it: `tables.json`.

Lark and the making of the tables take half a second, the file some thousandths. A test says
whether the file is that of the grammar; with another grammar beside it, the tables are made anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from dsl.syntax.tables import Production, Tables

GRAMMAR = Path(__file__).with_name("rules.lark")
TABLES = Path(__file__).with_name("tables.json")

# What the tables are made of and by: any change makes them anew.
_MADE_BY = ("rules.lark", "grammar.py", "tables.py", "table_file.py")


@cache
def load_tables() -> Tables:
    """The tables of the grammar beside this module."""
    return _read() or build()


def build() -> Tables:
    """The tables, made from the grammar."""
    from dsl.syntax.grammar import build_tables  # Lark takes 90 ms to import

    return build_tables(GRAMMAR.read_text(encoding="utf-8"))


def packed(tables: Tables) -> str:
    """The file of some tables. Equal rows are written once: most states share theirs."""
    body = asdict(tables)
    del body["shortcuts"]
    body["keywords"] = sorted(tables.keywords)
    rows: dict[str, int] = {}
    for part in ("actions", "gotos"):
        body[part] = [
            rows.setdefault(json.dumps(row, sort_keys=True), len(rows)) for row in body[part]
        ]
    body["rows"] = [json.loads(row) for row in rows]
    body["made_by"] = _made_by()
    return "{\n" + ",\n".join(_entry(name, body[name]) for name in sorted(body)) + "\n}\n"


def _entry(name: str, value: object) -> str:
    """A part of the file; each row and production has a line of its own."""
    if name not in ("rows", "productions"):
        return f"{json.dumps(name)}: {json.dumps(value)}"
    assert isinstance(value, list)
    return f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, value)) + "\n]"


def _made_by() -> str:
    """The hash of what the tables are made of and by."""
    sources = b"".join(GRAMMAR.with_name(name).read_bytes() for name in _MADE_BY)
    return hashlib.sha256(sources).hexdigest()


def _read() -> Tables | None:
    """The tables of the file, if they are those of the grammar."""
    try:
        body: dict[str, Any] = json.loads(TABLES.read_bytes())
        if body.pop("made_by") != _made_by():
            return None
        rows = body.pop("rows")
        for part in ("actions", "gotos"):
            body[part] = [rows[number] for number in body[part]]
        body["productions"] = [Production(**production) for production in body["productions"]]
        body["keywords"] = frozenset(body["keywords"])
        return Tables(**body)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None
