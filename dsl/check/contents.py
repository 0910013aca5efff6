"""What is written in a piece of syntax, whatever its names mean.

Worked out once for each statement and declaration, however many programs are made of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.walking import GETTERS, look_up, walk
from dsl.records import record
from dsl.syntax import nodes as syntax

Names = frozenset[str]
_NONE: Names = frozenset()
_QUESTIONS = (syntax.AskAbout, syntax.Ask, syntax.Secretly, syntax.OpenWindow)


def walk_syntax(node: object) -> Iterator[syntax.Node]:
    """The node and all nodes in it, in order."""
    return (part for part in walk(node) if isinstance(part, syntax.Node))


@record
class Doings:
    """What a statement or block does by itself: the fields and the locals that it sets, its
    commands, the kinds of which it makes something, and whether it asks anybody anything."""

    fields: Names = _NONE
    locals: Names = _NONE
    commands: tuple[syntax.Command, ...] = ()
    made: Names = _NONE
    asks: bool = False


@record
class Words:
    """The words of a declaration: verbs of commands, names that are read, and those among them
    that stand alone (not as a part of something)."""

    verbs: Names
    read: Names
    alone: Names


_NOTHING = Doings()


class Contents:
    """Looks at syntax and remembers what it saw."""

    def __init__(self) -> None:
        # By the identity of what was looked at, which is kept so that the number stays its own.
        self._doings: dict[int, tuple[object, Doings]] = {}
        self._words: dict[int, tuple[object, Words]] = {}

    def doings(self, node: object) -> Doings:
        """What a statement or block does."""
        known = self._doings.get(id(node))
        if known is None:
            known = self._doings[id(node)] = (node, self._look(node))
        return known[1]

    def _look(self, node: object) -> Doings:
        fields: set[str] = set()
        names: set[str] = set()
        commands: list[syntax.Command] = []
        made: set[str] = set()
        asks = False
        inner: list[Doings] = []
        todo = [node]
        while todo:
            now = todo.pop()
            kind = type(now)
            if kind is tuple:
                todo += now[::-1]  # type: ignore[index]
                continue
            parts = GETTERS[kind] if kind in GETTERS else look_up(kind)
            if parts is None:
                continue
            if isinstance(now, syntax.StmtBase) and now is not node:
                found = self.doings(now)
                if found is not _NOTHING:
                    inner.append(found)
                    commands += found.commands
                continue
            if isinstance(now, syntax.Command):
                commands.append(now)
            elif isinstance(now, syntax.Assign):
                _note_target(now.target, fields, names)
            elif isinstance(now, syntax.New):
                made.add(now.kind.text)
            elif isinstance(now, _QUESTIONS):
                asks = True
            todo += parts(now)
        fields.update(*(one.fields for one in inner))
        names.update(*(one.locals for one in inner))
        made.update(*(one.made for one in inner))
        asks = asks or any(one.asks for one in inner)
        if not (fields or names or commands or made or asks):
            return _NOTHING
        return Doings(frozenset(fields), frozenset(names), tuple(commands), frozenset(made), asks)

    def words(self, decl: syntax.Decl) -> Words:
        """The words of a declaration."""
        known = self._words.get(id(decl))
        if known is None:
            known = self._words[id(decl)] = (decl, _words_of(decl))
        return known[1]


def _note_target(target: syntax.Expr, fields: set[str], names: set[str]) -> None:
    if isinstance(target, syntax.NameExpr):
        names.add(target.name)
    if isinstance(target, syntax.Index):
        target = target.subject
    if isinstance(target, syntax.Dot):
        fields.add(target.name.text)


def _words_of(decl: syntax.Decl) -> Words:
    verbs: set[str] = set()
    alone: set[str] = set()
    parts: set[str] = set()
    for node in walk_syntax(decl):
        if isinstance(node, syntax.NameExpr):
            alone.add(node.name)
        elif isinstance(node, syntax.Dot):
            parts.add(node.name.text)
        elif isinstance(node, syntax.Call):
            alone.add(node.name.text)
        elif isinstance(node, syntax.Command):
            verbs.add(node.verb.text)
        elif isinstance(node, syntax.KindExpr):
            parts.add("pool:" + node.name)
    return Words(frozenset(verbs), frozenset(alone | parts), frozenset(alone))
