"""What can be changed in a statement, and in a block of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit, end_of_game
from interpreter.mutants.expressions import edit, negations, nothing
from interpreter.mutants.writing import written

Edits = Iterator[Edit]

# What brings in a name can't be left out where the name is used, and is idle where it is not.
NAMING = (syntax.Let, syntax.Get, syntax.Luck, syntax.OptionWhich, syntax.OptionHowMuch)
# What a head needs must all be so, in whatever order it is said.
PURE = (*NAMING, syntax.Needs)
GIVER, TAKER = "from", "to"
SPOKEN = "say"
SHUFFLE = "shuffle"
WORDS = (syntax.Says, syntax.Label, syntax.PassAs, syntax.Shows)


def block_edits(block: syntax.Block) -> Edits:
    """A statement left out, and two neighbours exchanged."""
    for at, stmt in enumerate(block):
        marked = (*block[:at], end_of_game(stmt.span), *block[at:])
        if not isinstance(stmt, NAMING) and not _is_said(stmt):
            rest = (*block[:at], *block[at + 1 :])
            yield Edit("statement left out", stmt.span, written(stmt), "", rest, marked)
    for at, (one, two) in enumerate(pairwise(block)):
        if _is_said(one) or _is_said(two) or _commute(one, two):
            continue
        swapped = (*block[:at], two, one, *block[at + 2 :])
        marked = (*block[:at], end_of_game(one.span), *block[at:])
        before = f"{written(one)}; {written(two)}"
        after = f"{written(two)}; {written(one)}"
        yield Edit("neighbours exchanged", one.span, before, after, swapped, marked)


def _is_said(stmt: syntax.Stmt) -> bool:
    """A line of the log, or the words of a question or an answer, changes no game."""
    if isinstance(stmt, WORDS):
        return True
    return _verb(stmt) == SPOKEN


def _verb(stmt: syntax.Stmt) -> str | None:
    return stmt.verb.text if isinstance(stmt, syntax.Command) else None


def _commute(one: syntax.Stmt, two: syntax.Stmt) -> bool:
    """Whether it makes no difference which of two statements comes first, as far as can be seen at
    once: names that are brought in, what is needed (only the reason that is told first would be
    another), piles that are shuffled one by one, and plain values that are set beside each other.
    """
    if isinstance(one, PURE) and isinstance(two, PURE):
        return True
    if _verb(one) == _verb(two) == SHUFFLE:
        return written(one) != written(two)
    pairs = ((one, two), (two, one))
    return all(_written(a) and _written(a).isdisjoint(_words(b)) for a, b in pairs)


def _written(stmt: syntax.Stmt) -> set[str]:
    """The fields and places that are written, with a plain value or one made from what was there;
    empty where that can't be seen."""
    match stmt:
        case syntax.Assign(target=syntax.Dot(name=name), value=value) if _is_plain(stmt, value):
            return {name.text}
        case syntax.Command(verb=syntax.Name(text="move"), object=moved, preps=preps):
            places = [prep.value for prep in preps if prep.preposition == TAKER]
            if not isinstance(moved, syntax.NameExpr | syntax.Dot):
                return set()
            return {each.name.text for each in (*places, moved) if isinstance(each, syntax.Dot)}
        case _:
            return set()


def _is_plain(stmt: syntax.Assign, value: syntax.Expr) -> bool:
    """Whether nothing is read but what is written: `x = 0`, `a.x = min(a.x + 1, 100)`."""
    if isinstance(value, syntax.Number | syntax.Literal_ | syntax.NameExpr):
        return True
    read = set(re.findall(r"[a-z_]\w*", value.span.text))
    return read <= {*re.findall(r"\w+", stmt.target.span.text), "min", "max", "not"}


def _words(stmt: syntax.Stmt) -> set[str]:
    return set(re.findall(r"\w+", stmt.span.text))


def command(node: syntax.Command) -> Edits:
    """Who pays and who is paid, exchanged."""
    places = {prep.preposition: at for at, prep in enumerate(node.preps)}
    if GIVER not in places or TAKER not in places:
        return
    preps = list(node.preps)
    giver, taker = preps[places[GIVER]], preps[places[TAKER]]
    preps[places[GIVER]] = replace(giver, value=taker.value)
    preps[places[TAKER]] = replace(taker, value=giver.value)
    yield edit("payer and payee exchanged", node, replace(node, preps=tuple(preps)))


def if_(node: syntax.If) -> Edits:
    """Conditions negated and dropped, branches left out."""
    for at, (condition, block) in enumerate(node.branches):

        def put(new: syntax.Expr, at: int = at, block: syntax.Block = block) -> syntax.If:
            branches = (*node.branches[:at], (new, block), *node.branches[at + 1 :])
            return replace(node, branches=branches)

        for one in negations(condition):
            yield one.inside(put)
        always = syntax.Literal_(condition.span, "yes")
        yield edit("condition dropped", condition, always).inside(put)
        if len(node.branches) > 1:
            rest = (*node.branches[:at], *node.branches[at + 1 :])
            new = replace(node, branches=rest)
            yield Edit("branch left out", condition.span, written(condition), "", new)
    if node.otherwise is not None:
        span = node.otherwise[0].span if node.otherwise else node.span
        yield Edit("branch left out", span, "else", "", replace(node, otherwise=None))


def repeat(node: syntax.Repeat) -> Edits:
    """Until the opposite holds."""
    for one in negations(node.until):
        yield one.inside(lambda new: replace(node, until=new))


def for_each(node: syntax.ForEach) -> Edits:
    """Without its order."""
    if node.by is not None:
        yield Edit("order dropped", node.by.span, written(node.by), "", replace(node, by=None))


def picked(node: syntax.OptionWhich | syntax.Question) -> Edits:
    """What may be picked, without its conditions or under the opposite ones."""
    if node.where is not None:
        yield from _on_condition(node.where, lambda new: replace(node, where=new))
    if node.such_that is not None:
        yield from _on_condition(node.such_that, lambda new: replace(node, such_that=new))


def _on_condition(condition: syntax.Expr, put: Callable[[Any], Any]) -> Edits:
    yield Edit("condition dropped", condition.span, written(condition), "", put(None))
    for one in negations(condition):
        yield one.inside(put)


def question(node: syntax.Question) -> Edits:
    """Whether nothing may be picked, and from what."""
    if node.form == "which" and node.count is None:
        without = replace(node, if_any=not node.if_any)
        said = "may decline" if without.if_any else "must pick"
        yield Edit("declining turned round", node.span, written(node), said, without)
    yield from picked(node)


def luck(node: syntax.Luck) -> Edits:
    """All equally likely."""
    if node.weight is not None:
        new = replace(node, weight=None)
        yield Edit("weight dropped", node.weight.span, written(node.weight), "", new)


def needs(node: syntax.Needs) -> Edits:
    """The opposite is needed."""
    for one in negations(node.condition):
        yield one.inside(lambda new: replace(node, condition=new))


def ask_about(node: syntax.AskAbout) -> Edits:
    """One answer fewer."""
    if len(node.bullets) > 1:
        for at, bullet in enumerate(node.bullets):
            rest = (*node.bullets[:at], *node.bullets[at + 1 :])
            new = replace(node, bullets=rest)
            yield Edit("answer left out", bullet.span, f"* {bullet.name.text}", "", new)


STATEMENTS: dict[type[syntax.Node], Callable[[Any], Edits]] = {
    syntax.Command: command,
    syntax.If: if_,
    syntax.Repeat: repeat,
    syntax.ForEach: for_each,
    syntax.OptionWhich: picked,
    syntax.Question: question,
    syntax.Luck: luck,
    syntax.Needs: needs,
    syntax.AskAbout: ask_about,
    syntax.Let: nothing,
    syntax.PrepArg: nothing,
    syntax.Get: nothing,
    syntax.Assign: nothing,
    syntax.OpenWindow: nothing,
    syntax.Bullet: nothing,
    syntax.Ask: nothing,
    syntax.Count: nothing,
    syntax.Secretly: nothing,
    syntax.OptionHowMuch: nothing,
    syntax.End: nothing,
    syntax.NextPhase: nothing,
    syntax.Return: nothing,
    syntax.AsUsual: nothing,
}
