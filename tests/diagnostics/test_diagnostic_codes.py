"""The register: every code in the source has a page, every page is used and well formed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.diagnostics import registry
from dsl.diagnostics.record import DEBUG_VARIABLE, Bag
from dsl.source import NOWHERE

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = re.compile(r"RW[0-9]{4}")
PAGE = re.compile(
    r"# (?P<code>RW[0-9]{4}) (?P<title>[^\n]*[^\n.])\n\n"
    r"(?P<means>[^#\n].*?)\n\n"
    r"## Why\n\n(?P<why>.+?)\n\n"
    r"## Bad\n\n```(?P<kind>yaml|rules|text)\n(?P<bad>.+?)\n```\n\n"
    r"## Good\n\n```(?P=kind)\n(?P<good>.+?)\n```\n",
    re.DOTALL,
)


def codes_in_source() -> dict[str, str]:
    """Each code that the packages mention, with a file that does."""
    return {
        code: str(path.relative_to(ROOT))
        for package in ("dsl", "interpreter")
        for path in sorted((ROOT / package).rglob("*.py"))
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }


def test_every_code_in_source_has_a_page() -> None:
    missing = [
        f"{code} ({path})"
        for code, path in codes_in_source().items()
        if code not in registry.codes()
    ]
    assert not missing, "no page for " + ", ".join(missing)


def test_every_page_is_used() -> None:
    idle = sorted(set(registry.codes()) - set(codes_in_source()))
    assert not idle, "no source mentions " + ", ".join(idle)


@pytest.mark.parametrize("code", registry.codes())
def test_page_is_well_formed(code: str) -> None:
    page = registry.page(code)
    match = PAGE.fullmatch(page)
    assert match, f"{code}.md does not have the form that dsl/diagnostics/__init__.py describes"
    assert match["code"] == code
    assert registry.title(code) == match["title"]
    assert registry.area(code), f"{code} is outside all ranges"
    assert match["bad"] != match["good"]
    assert all(
        len(line) <= 100 for text in (match["means"], match["why"]) for line in text.split("\n")
    )


@pytest.mark.parametrize("typed", ["RW0301", "rw0301", " rw301 ", "301", "RW-0301"])
def test_explain_takes_a_code_as_typed(typed: str) -> None:
    assert registry.explain(typed).startswith("# RW0301 ")


@pytest.mark.parametrize("typed", ["RW9999", "rent", "", "RW03011", "../RW0301"])
def test_explain_says_that_a_code_is_unknown(typed: str) -> None:
    with pytest.raises(registry.UnknownCodeError, match="there is no code `"):
        registry.explain(typed)


def test_unknown_code_suggests_a_known_one() -> None:
    with pytest.raises(registry.UnknownCodeError, match="did you mean `RW030"):
        registry.explain("RW0399")


def test_unregistered_code_fails_in_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    unregistered = "RW" + "9998"
    with pytest.raises(AssertionError, match="has no page"):
        Bag().error(unregistered, NOWHERE, "never said")


def test_unregistered_code_is_no_crash_for_a_designer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEBUG_VARIABLE, raising=False)
    bag = Bag()
    bag.error("RW" + "9998", NOWHERE, "said all the same")
    assert bag.has_errors
