"""Which sort of word belongs where a word stands in a script, by the node that it is a part of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.check.uses import walk_with_types
from dsl.syntax import nodes as syntax

Role = Literal[
    "value", "member", "command", "sentence", "saying", "kind", "type", "place", "answer", "switch",
    "happening", "window", "phase", "define", "rule", "strategy", "seat", "new",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """What belongs there, the node around, and the declaration in which it stands."""

    role: Role
    node: syntax.Node
    decl: syntax.Decl


def role_of(script: syntax.Script, word: str) -> Standing | None:
    """The role of a word that stands in one place only."""
    for decl in script.declarations:
        if word not in decl.span.text:
            continue
        for node in walk_with_types(decl):
            role = _role(node, word, decl)
            if role is not None:
                return Standing(role, node, decl)
    return None


def _is(name: syntax.Name | None, word: str) -> bool:
    return name is not None and name.text == word


def _role(node: syntax.Node, word: str, decl: syntax.Decl) -> Role | None:
    for test in (_in_sentences, _in_heads, _in_players, _in_values):
        role = test(node, word, decl)
        if role is not None:
            return role
    return None


def _in_sentences(node: syntax.Node, word: str, decl: syntax.Decl) -> Role | None:
    match node:
        case syntax.Command(verb=verb, object=said):
            if _is(verb, word):
                is_played = isinstance(decl, syntax.Scenario | syntax.Saying)
                return "sentence" if is_played else "command"
            is_subject = isinstance(said, syntax.NameExpr) and said.name == word
            if is_subject and isinstance(decl, syntax.Scenario | syntax.Saying):
                return "phase" if verb.text == "play" else "saying"
        case syntax.OpenWindow(command=command) if _is(command.verb, word):
            return "window"
        case syntax.Get(command=command) if _is(command.verb, word):
            return "command"
        case syntax.End(name=name) | syntax.NextPhase(name=name) if _is(name, word):
            return "phase"
    return None


def _in_heads(node: syntax.Node, word: str, decl: syntax.Decl) -> Role | None:
    match node:
        case syntax.RuleDecl() | syntax.Measure():
            if _is(node.signature.verb, word):
                return "happening"
            if isinstance(node, syntax.RuleDecl) and _is(node.ahead_of, word):
                return "rule"
        case syntax.ExceptionDecl(head=head) if _is(head.name, word):
            return "define"
        case syntax.Remove(name=name) if _is(name, word):
            return "rule"
        case syntax.SetSwitch(name=name) if _is(name, word):
            return "switch"
        case syntax.AddFields(owner=owner) if _is(owner, word):
            return "kind"
        case syntax.KindDecl(base=base) | syntax.ThingDecl(base=base) if _is(base, word):
            return "kind"
        case syntax.HolderField(what=what) if _is(what, word):
            return "kind"
        case syntax.Option(windows=windows) if any(_is(each, word) for each in windows):
            return "window"
        case syntax.Forbid(option=option, place=place):
            return "answer" if _is(option, word) else "place" if _is(place, word) else None
    return None


def _in_players(node: syntax.Node, word: str, decl: syntax.Decl) -> Role | None:
    match node:
        case syntax.Strategy(base=base) if _is(base, word):
            return "strategy"
        case syntax.StrategyFor(questions=questions) if any(_is(q, word) for q in questions):
            return "place"
        case syntax.Preference(answer=answer) | syntax.May(answer=answer) if _is(answer, word):
            return "answer"
        case syntax.WasAsked(question=question) if _is(question, word):
            return "place"
        case syntax.Said(question=question, value=value):
            if _is(question, word):
                return "place"
            if isinstance(value, syntax.NameExpr) and value.name == word:
                return "answer"
        case syntax.When(stop=stop) if _is(stop, word):
            return "place"
        case syntax.SaidLine(who=who) if _is(who, word):
            return "seat"
        case syntax.Scenario(seats=seats) if any(_is(seat, word) for seat in seats):
            return "seat"
    return None


def _in_values(node: syntax.Node, word: str, decl: syntax.Decl) -> Role | None:
    match node:
        case syntax.Dot(name=name) if _is(name, word):
            return "member"
        case syntax.NameExpr(name=name) if name == word:
            return "value"
        case syntax.Call(name=name) if _is(name, word):
            return "value"
        case syntax.KindType(name=name) | syntax.WordType(name=name) if name == word:
            return "type"
        case syntax.KindExpr(name=name) if name == word:
            return "kind"
        case syntax.New(kind=kind) if _is(kind, word):
            return "kind"
    return None
