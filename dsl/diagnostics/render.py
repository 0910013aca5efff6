"""Diagnostics for tools: JSON, SARIF 2.1.0, and the commands that GitHub shows beside a change.

`render_text`, the frames for people, is in `frame` and handed on here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import quote

from dsl.diagnostics.cells import visible
from dsl.diagnostics.frame import render_text
from dsl.diagnostics.record import Diagnostic, Fix, Label, Severity, has_place
from dsl.diagnostics.registry import explain, is_registered, title
from dsl.source import NOWHERE, Span

__all__ = ["render_github", "render_json", "render_sarif", "render_text"]

Json = dict[str, object]

_SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_GITHUB_WORDS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A list of objects; lines and columns count from 1 in characters, offsets from 0."""
    return json.dumps([_json_object(each) for each in diagnostics], indent=2) + "\n"


def _json_object(diagnostic: Diagnostic) -> Json:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **_json_label(diagnostic.primary),
        "also": [_json_label(label) for label in diagnostic.secondary],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fix": _json_fix(diagnostic.fix) if diagnostic.fix else None,
    }


def _json_label(label: Label) -> Json:
    return {**_json_place(label.span), "label": label.text}


def _json_place(span: Span) -> Json:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "start": span.start,
        "end": span.end,
    }


def _json_fix(fix: Fix) -> Json:
    edits = [{**_json_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "edits": edits}


def render_sarif(diagnostics: Iterable[Diagnostic], *, version: str = "0.0.0") -> str:
    """One SARIF run; `version` is that of the tool."""
    found = list(diagnostics)
    rules = sorted({diagnostic.code for diagnostic in found})
    driver = {
        "name": "rulewright",
        "semanticVersion": version,
        "rules": [_sarif_rule(code) for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each, rules.index(each.code)) for each in found],
    }
    return (
        json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"
    )


def _sarif_rule(code: str) -> Json:
    if not is_registered(code):
        return {"id": code}
    text = explain(code)
    return {
        "id": code,
        "shortDescription": {"text": title(code)},
        "help": {"text": text, "markdown": text},
    }


def _sarif_result(diagnostic: Diagnostic, rule: int) -> Json:
    result: Json = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": _whole_message(diagnostic)},
        "locations": _sarif_locations([diagnostic.primary]),
    }
    related = _sarif_locations(diagnostic.secondary)
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix:
        result["fixes"] = [_sarif_fix(diagnostic.fix)]
    return result


def _sarif_locations(labels: Iterable[Label]) -> list[Json]:
    """Locations of the labels that are somewhere; what is built in has none."""
    locations: list[Json] = []
    for label in labels:
        if label.span.source is NOWHERE.source:
            continue
        place: Json = {"artifactLocation": _sarif_artifact(label.span)}
        if has_place(label.span):
            place["region"] = _sarif_region(label.span)
        location: Json = {"physicalLocation": place}
        if label.text:
            location["message"] = {"text": label.text}
        locations.append(location)
    return locations


def _sarif_artifact(span: Span) -> Json:
    return {"uri": quote(span.source.name.replace("\\", "/"), errors="replace")}


def _sarif_region(span: Span) -> Json:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _sarif_fix(fix: Fix) -> Json:
    changes: dict[str, tuple[Json, list[Json]]] = {}
    for edit in fix.edits:
        _, replacements = changes.setdefault(
            edit.span.source.name, (_sarif_artifact(edit.span), [])
        )
        replacements.append(
            {"deletedRegion": _sarif_region(edit.span), "insertedContent": {"text": edit.text}}
        )
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": artifact, "replacements": replacements}
            for artifact, replacements in changes.values()
        ],
    }


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a line, as GitHub reads them from the output of a job."""
    return "".join(map(_github_line, diagnostics))


def _github_line(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties: dict[str, object] = {}
    if span.source is not NOWHERE.source:
        properties["file"] = span.source.name
    if has_place(span):
        line, column = span.source.position(span.start)
        end_line, end_column = span.source.position(span.end)
        properties |= {"line": line, "col": column, "endLine": end_line}
        if end_line == line and end_column > column:
            properties["endColumn"] = end_column - 1
    properties["title"] = diagnostic.code
    listed = ",".join(
        f"{name}={_github_property(str(value))}" for name, value in properties.items()
    )
    word = _GITHUB_WORDS[diagnostic.severity]
    return f"::{word} {listed}::{_github_data(visible(_whole_message(diagnostic)))}\n"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def _whole_message(diagnostic: Diagnostic) -> str:
    """The message with its notes and help, for places that show a single text."""
    lines = [diagnostic.message, *(f"note: {note}" for note in diagnostic.notes)]
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(lines)
