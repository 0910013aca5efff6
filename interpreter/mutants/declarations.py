"""What can be changed in a declaration as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dsl.syntax import nodes as syntax
from interpreter.mutants.change import GONE, Edit, end_of_game
from interpreter.mutants.expressions import edit, negations, nothing
from interpreter.mutants.writing import written

Edits = Iterator[Edit]

CLOSINGS: dict[str, syntax.Closing] = {
    "until all pass": "once each",
    "until one acts": "once each",
    "until nobody can": "once each",
    "once each": "until one acts",
    "exactly one": "once each",
}


def _gone(node: syntax.Decl, marked: Any = None) -> Edit:
    return Edit("left out", node.span, written(node), "", GONE, marked)


def rule(node: syntax.RuleDecl) -> Edits:
    """Left out, at another time, under the opposite condition or always."""
    loud = _loud(node)
    yield _gone(node, loud)
    happening = whenever_it_happens(node)
    if node.timing != "instead of":
        new = replace(node, timing="after" if node.timing == "before" else "before")
        yield Edit("time exchanged", node.signature.span, node.timing, new.timing, new, loud)
    if node.condition is not None:
        was = written(node.condition)
        gone = replace(node, condition=None)
        yield Edit("condition dropped", node.condition.span, was, "", gone, happening)
        for one in negations(node.condition):
            put = one.inside(lambda new: replace(node, condition=new))
            yield replace(put, marked=happening)


def whenever_it_happens(node: syntax.RuleDecl) -> syntax.RuleDecl:
    """The rule with the end of the game in front of its body, and without its condition."""
    return replace(_loud(node), condition=None)


def _loud(node: syntax.RuleDecl) -> syntax.RuleDecl:
    """Behind the end stands what stood there: strategies may speak of its questions."""
    return replace(node, body=(end_of_game(node.span), *node.body))


def watch(node: syntax.WatchDecl) -> Edits:
    """Left out, or under the opposite condition."""
    yield _gone(node, replace(node, body=(end_of_game(node.span),)))
    for one in negations(node.condition):
        yield one.inside(lambda new: replace(node, condition=new))


def option(node: syntax.Option) -> Edits:
    """Left out, or out of one of its windows."""
    yield _gone(node)
    if len(node.windows) > 1:
        for at, window in enumerate(node.windows):
            rest = (*node.windows[:at], *node.windows[at + 1 :])
            new = replace(node, windows=rest)
            yield Edit("window left out", window.span, window.text, "", new)


def forbid(node: syntax.Forbid) -> Edits:
    """Left out, or under the opposite condition."""
    yield _gone(node)
    for one in negations(node.condition):
        yield one.inside(lambda new: replace(node, condition=new))


def define(node: syntax.Define | syntax.ExceptionDecl) -> Edits:
    """A `but` line left out, or two neighbours exchanged."""
    buts = node.buts
    for at, but in enumerate(buts):
        rest = (*buts[:at], *buts[at + 1 :])
        is_last = isinstance(node, syntax.ExceptionDecl) and not rest
        new = GONE if is_last else replace(node, buts=rest)
        yield Edit("`but` line left out", but.span, written(but), "", new)
    for at, (one, two) in enumerate(pairwise(buts)):
        new = replace(node, buts=(*buts[:at], two, one, *buts[at + 2 :]))
        before = f"{one.name.text}; {two.name.text}"
        after = f"{two.name.text}; {one.name.text}"
        yield Edit("neighbours exchanged", one.span, before, after, new)


def but(node: syntax.But) -> Edits:
    """Always, or under the opposite condition."""
    if node.condition is not None:
        new = replace(node, condition=None)
        yield Edit("condition dropped", node.condition.span, written(node.condition), "", new)
        for one in negations(node.condition):
            yield one.inside(lambda new: replace(node, condition=new))


def switch(node: syntax.SwitchDecl) -> Edits:
    """Another of the words as the default."""
    if isinstance(node.type, syntax.ChoiceType) and isinstance(node.default, syntax.NameExpr):
        words = [each.text for each in node.type.values]
        if node.default.name in words:
            other = words[(words.index(node.default.name) + 1) % len(words)]
            chosen = replace(node.default, name=other)
            found = edit("another choice", node.default, chosen)
            yield found.inside(lambda new: replace(node, default=new))


def window(node: syntax.Window) -> Edits:
    """Closed in another way."""
    closing = CLOSINGS[node.closing]
    new = replace(node, closing=closing)
    yield Edit("closing exchanged", node.span, node.closing, closing, new)


DECLARATIONS: dict[type[syntax.Node], Callable[[Any], Edits]] = {
    syntax.RuleDecl: rule,
    syntax.WatchDecl: watch,
    syntax.Option: option,
    syntax.Forbid: forbid,
    syntax.Define: define,
    syntax.ExceptionDecl: define,
    syntax.But: but,
    syntax.SwitchDecl: switch,
    syntax.Window: window,
    syntax.KindDecl: nothing,
    syntax.ThingDecl: nothing,
    syntax.AddFields: nothing,
    syntax.StateField: nothing,
    syntax.HolderField: nothing,
    syntax.SetSwitch: nothing,
    syntax.Phase: nothing,
    syntax.Routine: nothing,
    syntax.EventDecl: nothing,
}
