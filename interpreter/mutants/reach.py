"""Where a change can be noticed: by the names that it goes through until something runs."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check.contents import walk_syntax
from dsl.check.merged import Merged
from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit
from interpreter.scenario.touching import names_of

Words = frozenset[str]


class Reach:
    """Who speaks of whom in a variant; nothing is said of its scenarios."""

    def __init__(self, merged: Merged) -> None:
        self._declared = [
            each
            for ranked in merged.declarations
            if not isinstance(ranked.decl, syntax.Scenario)
            for each in _speeches(ranked.decl)
        ]

    def of(self, decl: syntax.Decl, edit: Edit) -> Words:
        """The names of all that may go otherwise after a change: of a rule or option in whose body
        it is; else of what is declared, and of what speaks of that, however far away."""
        name = _whole(decl, edit)
        return frozenset((name,)) if name is not None else self._speaking_of(_own(decl))

    def _speaking_of(self, words: Iterator[str]) -> Words:
        found = set(words)
        left = self._declared
        while True:
            reached = [names for names, said in left if not found.isdisjoint(said)]
            left = [each for each in left if found.isdisjoint(each[1])]
            if not reached:
                return frozenset(found)
            found.update(*reached)


def _speeches(decl: syntax.Decl) -> Iterator[tuple[Words, Words]]:
    """The names of what goes otherwise where something does, and the names that it speaks of: where
    the head of a rule does, all that it hooks."""
    yield frozenset(names_of(decl)), mentioned(decl)
    if isinstance(decl, syntax.RuleDecl) and decl.condition is not None:
        yield frozenset(_own(decl)), mentioned(decl.condition)


def mentioned(node: syntax.Node) -> Words:
    """All names that are written there."""
    found: set[str] = set()
    for part in walk_syntax(node):
        if isinstance(part, syntax.Name):
            found.add(part.text)
        elif isinstance(part, syntax.NameExpr | syntax.KindExpr):
            found.add(part.name)
    return frozenset(found)


def _whole(decl: syntax.Decl, edit: Edit) -> str | None:
    """The rule in whose body a change is, or the option in whose effects: what comes of it is seen
    where it runs, and nowhere else."""
    match decl:
        case syntax.RuleDecl(body=body) | syntax.WatchDecl(body=body):
            effects = body
        case syntax.Option(body=body):
            heads = (syntax.OptionWhich, syntax.OptionHowMuch, syntax.Needs)
            last = max((at for at, each in enumerate(body) if isinstance(each, heads)), default=-1)
            effects = body[last + 1 :]
        case _:
            return None
    if not effects:
        return None
    inside = edit.span.start >= effects[0].span.start and edit.span.end <= effects[-1].span.end
    return decl.name.text if inside else None


def _own(decl: syntax.Decl) -> Iterator[str]:
    """What it is called, and what it changes: all that is come by where its head says no."""
    yield from names_of(decl)
    match decl:
        case syntax.RuleDecl(signature=signature):
            yield signature.verb.text
        case syntax.Option(windows=windows):
            yield from (window.text for window in windows)
        case syntax.Forbid(place=place):
            yield place.text
