"""The register of diagnostic codes: one page per code, read when it is asked for.

The pages are the only list; `dsl.diagnostics` says how to add one. Imports only `suggest`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from dsl.diagnostics.suggest import suggest

PAGES = Path(__file__).parent / "pages"

# The first two digits of a code. In 01, rules scripts use the numbers below 50, data those above.
AREAS = {
    "01": "text and layout",
    "02": "syntax",
    "03": "YAML",
    "04": "data against its schema",
    "05": "names and declarations",
    "06": "types",
    "07": "flow, exits and bounds",
    "08": "overlays and merging",
    "09": "scenarios and strategies",
    "10": "project files",
    "90": "style, and what never happens",
}

_CODE = re.compile(r"RW([0-9]{4})")
_LOOSE_CODE = re.compile(r"\s*(?:RW)?[- ]?([0-9]{1,4})\s*", re.IGNORECASE)


class UnknownCodeError(LookupError):
    """There is no such code; the text says so to the person who asked."""


@cache
def codes() -> tuple[str, ...]:
    """All codes that have a page, in order."""
    return tuple(sorted(path.stem for path in PAGES.glob("RW*.md")))


def is_registered(code: str) -> bool:
    """Whether the code has a page."""
    return code in codes()


@cache
def page(code: str) -> str:
    """The page of a registered code, Markdown."""
    if not is_registered(code):
        raise UnknownCodeError(_unknown(code))
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


@cache
def title(code: str) -> str:
    """The title of a registered code."""
    return page(code).partition("\n")[0].removeprefix(f"# {code}").strip()


def area(code: str) -> str | None:
    """What the range of a code is about, or None outside all ranges."""
    match = _CODE.fullmatch(code)
    return AREAS.get(match[1][:2]) if match else None


def explain(code: str) -> str:
    """The page of a code as a person types it (`RW0301`, `rw0301`, `301`).

    Raises UnknownCodeError, with a text for that person, when there is none.
    """
    match = _LOOSE_CODE.fullmatch(code)
    return page(f"RW{int(match[1]):04}" if match else code)


def _unknown(code: str) -> str:
    near = suggest(code, codes())
    return f"there is no code `{code}`" + (f"; did you mean `{near}`?" if near else "")
