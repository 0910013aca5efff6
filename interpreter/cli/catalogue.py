"""Texts as translators' tools read them (gettext's PO), and which translations are older than their
English."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dsl.project.parts import STAMPS


def po_of(title: str, language: str, texts: Mapping[str, str], there: Mapping[str, str]) -> str:
    """A catalogue: the key of a text is its context, English its message."""
    polib = _polib()
    catalogue = polib.POFile(wrapwidth=100)
    catalogue.metadata = {
        "Project-Id-Version": title,
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for key, text in texts.items():
        catalogue.append(polib.POEntry(msgctxt=key, msgid=text, msgstr=there.get(key, "")))
    return str(catalogue) + "\n"


def texts_from_po(file: str) -> dict[str, str]:
    """The translations of a catalogue, by key."""
    polib = _polib()
    try:
        catalogue = polib.pofile(file, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"`{file}` can't be read: {error}") from None
    return {
        entry.msgctxt: entry.msgstr
        for entry in catalogue
        if entry.msgctxt and entry.msgstr and "fuzzy" not in entry.flags
    }


def _polib() -> Any:
    try:
        import polib
    except ImportError:
        raise click.UsageError(
            "PO files need polib: `pip install 'rulewright[po]'`, or leave --format out."
        ) from None
    return polib


# ---------------------------------------------------------------- what is stale


def stamp(text: str) -> str:
    """What tells a text from another in few letters."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def write_stamps(folder: Path, language: str, texts: Mapping[str, str]) -> Path:
    """Notes of which English the translations in a folder `locale` were made."""
    path = folder / f"{language}{STAMPS}"
    stamps = {key: stamp(text) for key, text in sorted(texts.items())}
    path.write_text(json.dumps(stamps, indent=0) + "\n", encoding="utf-8")
    return path


def stale_keys(folder: Path, language: str, texts: Mapping[str, str]) -> list[str] | None:
    """The texts whose English is another now than when they were translated; None where nobody has
    noted that."""
    path = folder / f"{language}{STAMPS}"
    try:
        stamps = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return [key for key, text in texts.items() if key in stamps and stamps[key] != stamp(text)]
