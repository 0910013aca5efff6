"""A diagnostic in the making: what the parts of the parser hand to its front."""

from __future__ import annotations

from dsl.diagnostics.record import Fix
from dsl.records import record
from dsl.source import Span


@record
class Finding:
    """One mistake."""

    code: str
    span: Span
    message: str
    help: str | None = None
    also: tuple[tuple[Span, str], ...] = ()
    fix: Fix | None = None
