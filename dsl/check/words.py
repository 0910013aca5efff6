"""All that a variant offers to hook, forbid, set or replace: the data of `rulewright words`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from dsl.check.contents import walk_syntax
from dsl.check.merged import Merged, RankedDecl
from dsl.check.signatures import written_head
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

Category = Literal[
    "kind", "thing", "field", "unit", "choice", "switch", "value", "exception", "routine",
    "event", "phase", "rule", "window", "option", "question", "always", "measure", "strategy",
    "saying",
]  # fmt: skip


@record
class Word:
    """One name. `text` is how it is written where it is used or hooked."""

    category: Category
    name: str
    text: str
    doc: str
    layer: str
    span: Span


def list_words(merged: Merged) -> tuple[Word, ...]:
    """All words of a variant, in the order of the layers."""
    return tuple(word for ranked in merged.declarations for word in _words(ranked))


@record
class Id:
    """The id of something in the data, and its kind where that is known."""

    section: str
    id: str
    name: str
    kind: str | None


def list_ids(merged: Merged) -> tuple[Id, ...]:
    """The ids of the seats, then of all things, section by section."""
    seats = [Id("seats", id_, name, None) for id_, name in merged.seats]
    things = [
        Id(section, row.id, row.name, row.kind)
        for section, rows in merged.sections.items()
        for row in rows
    ]
    return (*seats, *things)


def _words(ranked: RankedDecl) -> Iterator[Word]:
    decl, layer = ranked.decl, ranked.layer
    make = _MAKERS.get(type(decl))
    if make is not None:
        category, name, text = make(decl)
        yield Word(category, name, text, _doc(decl), layer, _place(decl))
    if isinstance(decl, syntax.KindDecl | syntax.ThingDecl | syntax.AddFields):
        owner = decl.owner if isinstance(decl, syntax.AddFields) else decl.name
        for field in decl.fields:
            name = f"{owner.text}.{field.name.text}"
            yield Word("field", name, f"{name}: {_type(field)}", field.doc, layer, field.span)
    if isinstance(decl, syntax.Define | syntax.ExceptionDecl):
        head = _line(decl.head.span)
        for but in decl.buts:
            text = f"{but.name.text} to {head}"
            yield Word("exception", but.name.text, text, "", layer, but.span)
    for node in walk_syntax(decl):
        if isinstance(node, syntax.AskAbout):
            answers = " | ".join(bullet.name.text for bullet in node.bullets)
            name = node.question.text
            yield Word("question", name, f"{name}: {answers}", "", layer, node.question.span)
        elif isinstance(node, syntax.Ask | syntax.Secretly):
            question = node.question
            name = question.question.text
            text = f"{name}: {question.form} {question.picked.text}"
            yield Word("question", name, text, "", layer, question.question.span)


def _doc(decl: syntax.Decl) -> str:
    """What stands above a declaration; of a switch also the text that people read of it."""
    if isinstance(decl, syntax.SwitchDecl) and decl.question is not None:
        said = "".join(part if isinstance(part, str) else "…" for part in decl.question.parts)
        return f"{said}\n{decl.doc}".rstrip()
    return decl.doc


def _place(decl: syntax.Decl) -> Span:
    name = getattr(decl, "name", None)
    if isinstance(name, syntax.Name):
        return name.span
    if isinstance(decl, syntax.Routine | syntax.EventDecl | syntax.Window):
        return decl.signature.span
    return decl.head.span if isinstance(decl, syntax.Define) else decl.span


def _line(span: Span) -> str:
    return " ".join(span.text.split())


def _type(field: syntax.Field) -> str:
    if isinstance(field, syntax.StateField):
        return _line(field.type.span)
    back = "" if field.back is None else f" as {field.back.text}"
    return f"holds {field.what.text}{back}"


Made = tuple[Category, str, str]


def _named(category: Category) -> Callable[..., Made]:
    def make(decl: syntax.KindDecl | syntax.Phase) -> Made:
        return category, decl.name.text, decl.name.text

    return make


def _based(category: Category) -> Callable[..., Made]:
    def make(decl: syntax.KindDecl | syntax.ThingDecl | syntax.Strategy) -> Made:
        base = "" if decl.base is None else f" is {decl.base.text}"
        return category, decl.name.text, decl.name.text + base

    return make


def _choice(decl: syntax.ChoiceDecl) -> Made:
    values = " | ".join(value.text for value in decl.values)
    return "choice", decl.name.text, f"{decl.name.text} = {values}"


def _switch(decl: syntax.SwitchDecl) -> Made:
    text = f"{decl.name.text}: {_line(decl.type.span)} = {_line(decl.default.span)}"
    return "switch", decl.name.text, text


def _value(decl: syntax.Define) -> Made:
    return "value", decl.head.name.text, f"{_line(decl.head.span)}: {_line(decl.type.span)}"


def _routine(decl: syntax.Routine) -> Made:
    gives = "" if decl.gives is None else f" gives {_line(decl.gives.span)}"
    return "routine", decl.signature.verb.text, _line(decl.signature.span) + gives


def _event(decl: syntax.EventDecl) -> Made:
    return "event", decl.signature.verb.text, _line(decl.signature.span)


def _window(decl: syntax.Window) -> Made:
    return "window", decl.signature.verb.text, _line(decl.signature.span)


def _rule(decl: syntax.RuleDecl) -> Made:
    text = f"{decl.name.text}: {decl.timing} {_line(decl.signature.span)}"
    return "rule", decl.name.text, text


def _watch(decl: syntax.WatchDecl) -> Made:
    return "rule", decl.name.text, f"{decl.name.text}: whenever {_line(decl.condition.span)}"


def _option(decl: syntax.Option) -> Made:
    windows = ", ".join(window.text for window in decl.windows)
    return "option", decl.name.text, f"{decl.name.text} in {windows}"


def _measure(decl: syntax.Measure) -> Made:
    text = f"{decl.name.text}: {decl.timing} {written_head(decl.signature)}"
    return "measure", decl.name.text, text


def _saying(decl: syntax.Saying) -> Made:
    words = [decl.subject.name.text, decl.verb.text]
    if decl.object is not None:
        words.append(decl.object.name.text)
    for prep in decl.preps:
        words += [prep.preposition, prep.param.name.text]
    return "saying", decl.verb.text, " ".join(words)


_MAKERS: dict[type[syntax.Decl], Callable[..., Made]] = {
    syntax.KindDecl: _based("kind"),
    syntax.ThingDecl: _based("thing"),
    syntax.Strategy: _based("strategy"),
    syntax.UnitDecl: _named("unit"),
    syntax.Phase: _named("phase"),
    syntax.Always: _named("always"),
    syntax.ChoiceDecl: _choice,
    syntax.SwitchDecl: _switch,
    syntax.Define: _value,
    syntax.Routine: _routine,
    syntax.EventDecl: _event,
    syntax.Window: _window,
    syntax.RuleDecl: _rule,
    syntax.WatchDecl: _watch,
    syntax.Option: _option,
    syntax.Measure: _measure,
    syntax.Saying: _saying,
}
