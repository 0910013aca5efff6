"""What a file shows of itself without any other: its outline, and what can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from interpreter.lsp.places import range_of

_KIND = types.SymbolKind
_KINDS: dict[type[syntax.Decl], types.SymbolKind] = {
    syntax.KindDecl: _KIND.Class,
    syntax.ThingDecl: _KIND.Object,
    syntax.ChoiceDecl: _KIND.Enum,
    syntax.UnitDecl: _KIND.Number,
    syntax.SwitchDecl: _KIND.Constant,
    syntax.AddFields: _KIND.Class,
    syntax.Define: _KIND.Property,
    syntax.ExceptionDecl: _KIND.Property,
    syntax.Routine: _KIND.Function,
    syntax.EventDecl: _KIND.Event,
    syntax.RuleDecl: _KIND.Method,
    syntax.WatchDecl: _KIND.Method,
    syntax.Always: _KIND.Boolean,
    syntax.Phase: _KIND.Namespace,
    syntax.Measure: _KIND.Variable,
    syntax.Window: _KIND.Interface,
    syntax.Option: _KIND.Method,
    syntax.Strategy: _KIND.Struct,
    syntax.Saying: _KIND.Function,
    syntax.Scenario: _KIND.File,
}


def outline(script: syntax.Script) -> list[types.DocumentSymbol]:
    """The declarations of a script, with their fields, answers and parts."""
    return [symbol for decl in script.declarations for symbol in _symbols(decl)]


def _symbols(decl: syntax.Decl) -> Iterator[types.DocumentSymbol]:
    inner = decl.declaration if isinstance(decl, syntax.Replace) else decl
    kind = _KINDS.get(type(inner))
    if kind is None:
        return
    name, place, detail = title_of(inner)
    yield types.DocumentSymbol(
        name=name,
        kind=kind,
        range=range_of(decl.span),
        selection_range=range_of(place),
        detail=detail,
        children=list(_children(inner)),
    )


def title_of(decl: syntax.Decl) -> tuple[str, Span, str]:
    """The name of a declaration, where it stands, and what is shown beside it."""
    match decl:
        case syntax.Scenario():
            line = Span(decl.span.source, decl.span.start, decl.span.start)
            return decl.title, line, "scenario"
        case syntax.Routine() | syntax.EventDecl() | syntax.Window():
            text = " ".join(decl.signature.span.text.split())
            return text, decl.signature.span, _WORDS[type(decl)]
        case syntax.Define() | syntax.ExceptionDecl():
            text = " ".join(decl.head.span.text.split())
            return text, decl.head.span, _WORDS[type(decl)]
        case syntax.AddFields():
            return decl.owner.text, decl.owner.span, "add to"
        case syntax.RuleDecl():
            hooked = " ".join(decl.signature.span.text.split())
            return decl.name.text, decl.name.span, f"rule {decl.timing} {hooked}"
        case syntax.Saying():
            return decl.verb.text, decl.verb.span, "saying"
        case _:
            name = getattr(decl, "name", None)
            word = type(decl).__name__.removesuffix("Decl").lower()
            if isinstance(name, syntax.Name):
                return name.text, name.span, _WORDS.get(type(decl), word)
            return word, decl.span, ""


_WORDS: dict[type[syntax.Decl], str] = {
    syntax.Routine: "routine",
    syntax.EventDecl: "event",
    syntax.Window: "window",
    syntax.Define: "define",
    syntax.ExceptionDecl: "exception",
    syntax.WatchDecl: "rule whenever",
}


def _children(decl: syntax.Decl) -> Iterator[types.DocumentSymbol]:
    if isinstance(decl, syntax.KindDecl | syntax.ThingDecl | syntax.AddFields):
        for field in decl.fields:
            yield _child(field.name, field.span, _KIND.Field)
    elif isinstance(decl, syntax.ChoiceDecl):
        for value in decl.values:
            yield _child(value, value.span, _KIND.EnumMember)
    elif isinstance(decl, syntax.Define | syntax.ExceptionDecl):
        for but in decl.buts:
            yield _child(but.name, but.span, _KIND.Property)
    elif isinstance(decl, syntax.Strategy):
        for part in decl.parts:
            for question in part.questions[:1]:
                yield _child(question, part.span, _KIND.Method)


def _child(name: syntax.Name, span: Span, kind: types.SymbolKind) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=name.text,
        kind=kind,
        range=range_of(span if span.start <= name.span.start else name.span),
        selection_range=range_of(name.span),
    )


def folds(source: Source) -> list[types.FoldingRange]:
    """What can be folded: blocks, by how their lines are indented, and comments of several lines.
    It works in data as well, and in what can't be read."""
    lines = source.text.split("\n")
    found: list[types.FoldingRange] = []
    open_: list[tuple[int, int]] = []  # indentation, line
    last = 0
    for number, line in enumerate([*lines, "."]):
        if not line.strip() and number < len(lines):
            continue
        depth = len(line) - len(line.lstrip()) if number < len(lines) else 0
        while open_ and open_[-1][0] >= depth:
            _, start = open_.pop()
            if last > start:
                found.append(types.FoldingRange(start_line=start, end_line=last))
        open_.append((depth, number))
        last = number
    return found + list(_comments(lines))


def _comments(lines: list[str]) -> Iterator[types.FoldingRange]:
    start: int | None = None
    for number, line in enumerate([*lines, ""]):
        is_comment = line.lstrip().startswith(("--", "#"))
        if is_comment and start is None:
            start = number
        elif not is_comment and start is not None:
            if number - start > 1:
                yield types.FoldingRange(
                    start_line=start, end_line=number - 1, kind=types.FoldingRangeKind.Comment
                )
            start = None
