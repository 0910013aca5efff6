"""Diagnostics and their repairs as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from dsl.diagnostics import Diagnostic
from dsl.diagnostics.record import has_place
from interpreter.lsp.places import location_of, range_of, uri_of

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_NOT_NEEDED = ("RW0708", "RW9001", "RW9002", "RW9003", "RW9004", "RW9006")


def by_uri(found: Iterable[Diagnostic]) -> dict[str, list[types.Diagnostic]]:
    """Diagnostics by the file that they are about."""
    result: dict[str, list[types.Diagnostic]] = {}
    for each in found:
        if has_place(each.span):
            result.setdefault(uri_of(each.span.source), []).append(as_lsp(each))
    return result


def as_lsp(found: Diagnostic) -> types.Diagnostic:
    """One diagnostic: what is to be said besides stands below its message."""
    lines = [found.message, *(f"note: {note}" for note in found.notes)]
    lines += [f"help: {found.help}"] if found.help else []
    related = [
        types.DiagnosticRelatedInformation(location_of(label.span), label.text or "here")
        for label in found.secondary
        if has_place(label.span)
    ]
    is_idle = found.code in _NOT_NEEDED
    return types.Diagnostic(
        range=range_of(found.span),
        message="\n".join(lines),
        severity=_SEVERITY[found.severity],
        code=found.code,
        source="rulewright",
        related_information=related or None,
        tags=[types.DiagnosticTag.Unnecessary] if is_idle else None,
    )


def code_actions(
    found: Iterable[Diagnostic], uri: str, wanted: types.Range
) -> list[types.CodeAction]:
    """The repairs of what is wrong in a range; and a comment that allows a warning."""
    actions: list[types.CodeAction] = []
    for each in found:
        if not has_place(each.span) or uri_of(each.span.source) != uri:
            continue
        place = range_of(each.span)
        if place.end.line < wanted.start.line or place.start.line > wanted.end.line:
            continue
        if each.fix is not None:
            actions.append(_repair(each))
        if each.severity == "warning" and each.span.source.name.endswith(".rules"):
            actions.append(_allowance(each, uri))
    return actions


def _repair(found: Diagnostic) -> types.CodeAction:
    assert found.fix is not None
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in found.fix.edits:
        uri = uri_of(edit.span.source)
        changes.setdefault(uri, []).append(types.TextEdit(range_of(edit.span), edit.text))
    return types.CodeAction(
        title=found.fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[as_lsp(found)],
        edit=types.WorkspaceEdit(changes=changes),
        is_preferred=True,
    )


def _allowance(found: Diagnostic, uri: str) -> types.CodeAction:
    source = found.span.source
    line = source.position(found.span.start)[0]
    text = source.line(line)
    indent = text[: len(text) - len(text.lstrip())]
    at = types.Position(line - 1, 0)
    edit = types.TextEdit(types.Range(at, at), f"{indent}-- allow {found.code}: why\n")
    return types.CodeAction(
        title=f"allow {found.code} here, with a reason",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[as_lsp(found)],
        edit=types.WorkspaceEdit(changes={uri: [edit]}),
    )
