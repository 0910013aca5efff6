"""What a pass says about a text: the diagnostic, and the bag that collects them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Literal

from dsl.diagnostics.registry import area, is_registered
from dsl.records import mutable, record
from dsl.source import NOWHERE, Span

Severity = Literal["error", "warning", "note"]

_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}

# Set by the tests: a code without a page then fails where it is raised.
DEBUG_VARIABLE = "RULEWRIGHT_DEBUG"


@record
class Label:
    """A marked place, and what is to be said of it there (may be empty)."""

    span: Span
    text: str = ""


@record
class Edit:
    """A piece of text and what to put in its place."""

    span: Span
    text: str


@record
class Fix:
    """A repair that a tool may make by itself: what it does, and its edits (none overlap)."""

    title: str
    edits: tuple[Edit, ...]


@record
class Diagnostic:
    """One mistake, doubt or remark, with its place and the way out."""

    code: str
    severity: Severity
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None

    @property
    def span(self) -> Span:
        """The place it is about."""
        return self.primary.span


Also = Iterable[tuple[Span, str]]


@mutable
class Bag:
    """Collects diagnostics in the order in which passes find them."""

    _found: list[Diagnostic] = field(default_factory=list)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        also: Also = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002
        fix: Fix | None = None,
    ) -> None:
        """Add an error: the text can't be used as it is."""
        labels = tuple(Label(*place) for place in also)
        primary = Label(span, label)
        self.add(Diagnostic(code, "error", message, primary, labels, tuple(notes), help, fix))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        also: Also = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002
        fix: Fix | None = None,
    ) -> None:
        """Add a warning: it can be used, but is hardly what was meant."""
        labels = tuple(Label(*place) for place in also)
        primary = Label(span, label)
        self.add(Diagnostic(code, "warning", message, primary, labels, tuple(notes), help, fix))

    def note(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        also: Also = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002
        fix: Fix | None = None,
    ) -> None:
        """Add a note: good to know, nothing to mend."""
        labels = tuple(Label(*place) for place in also)
        primary = Label(span, label)
        self.add(Diagnostic(code, "note", message, primary, labels, tuple(notes), help, fix))

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a finished diagnostic."""
        if os.environ.get(DEBUG_VARIABLE):
            assert is_registered(diagnostic.code), f"{diagnostic.code} has no page"
            assert area(diagnostic.code), f"{diagnostic.code} is outside all ranges"
        self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add all of another bag, or of a list."""
        for diagnostic in tuple(diagnostics):
            self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        """Whether anything in it is an error."""
        return any(diagnostic.severity == "error" for diagnostic in self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        """In the order in which they were found."""
        return iter(self._found)

    def sorted(self) -> list[Diagnostic]:
        """By file, offset, severity and code, without repetitions and consequences.

        Of several errors that begin at one place only the one found first is kept: passes run in
        order, so it is the cause. Places in an empty text stand for a whole file or for nothing
        at all, so errors there are told apart by what they say.
        """
        causes: set[tuple[str, int]] = set()
        seen: set[tuple[object, ...]] = set()
        kept: list[Diagnostic] = []
        for diagnostic in self._found:
            identity = _identity(diagnostic)
            if identity in seen:
                continue
            seen.add(identity)
            span = diagnostic.span
            if diagnostic.severity == "error" and has_place(span):
                cause = (span.source.name, span.start)
                if cause in causes:
                    continue
                causes.add(cause)
            kept.append(diagnostic)
        return sorted(kept, key=_place)


def has_place(span: Span) -> bool:
    """Whether there is text to show: a built-in thing or an unread file has none."""
    return span.source is not NOWHERE.source and bool(span.source.text)


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    span = diagnostic.span
    return (span.source.name, span.start, _RANK[diagnostic.severity], diagnostic.code)


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    span = diagnostic.span
    place = (span.source.name, span.start, span.end)
    return (diagnostic.code, diagnostic.severity, diagnostic.message, *place)
