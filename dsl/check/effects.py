"""Which fields a statement may write, with all it sets off, and which an expression reads.

By name alone, on the syntax: coarse, but never too little. What is known about a value (narrowing)
ends where something that may set it runs.
"""

from __future__ import annotations

from dsl.check.contents import Contents, Doings
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.walking import walk
from dsl.syntax import nodes as syntax

Names = frozenset[str]
_NOTHING: Names = frozenset()


class Effects:
    """Answers for one world; bodies are looked at once."""

    def __init__(self, world: World, contents: Contents) -> None:
        self.contents = contents
        self._world = world
        self._bodies: dict[str, list[syntax.Block]] = {}
        self._watches: list[syntax.Block] = []
        self._closed: dict[str, Names] = {}
        self._reads: dict[str, Names] = {}
        self._purses = _NOTHING
        self._zones_for: dict[str | None, Names] = {}
        self._define_parts: dict[str, list[syntax.Decl]] = {}

    def prepare(self) -> None:
        """Look at the declarations once all of them are known."""
        for ranked in self._world.merged.declarations:
            self._index(ranked.decl)
        self._purses = frozenset(c.field for c in self._world.columns.values() if c.role == "purse")

    def _index(self, decl: syntax.Decl) -> None:
        if isinstance(decl, syntax.Replace):
            decl = decl.declaration
        if isinstance(decl, syntax.Routine | syntax.EventDecl | syntax.RuleDecl):
            self._bodies.setdefault(decl.signature.verb.text, []).append(decl.body)
        elif isinstance(decl, syntax.Option):
            for window in decl.windows:
                self._bodies.setdefault(window.text, []).append(decl.body)
        elif isinstance(decl, syntax.WatchDecl):
            self._watches.append(decl.body)
        elif isinstance(decl, syntax.Saying):
            self._bodies.setdefault(decl.verb.text, []).append(decl.body)
        elif isinstance(decl, syntax.Define | syntax.ExceptionDecl):
            self._define_parts.setdefault(decl.head.name.text, []).append(decl)

    # -- writing

    def of(self, node: object) -> Names:
        """The fields that a statement or block may write."""
        doings = self.contents.doings(node)
        called: set[str] = set()
        found = self._direct(doings, called)
        if called:
            found = found.union(*(self._closure(verb) for verb in called))
        return found

    def sets(self, node: object) -> Names:
        """The locals that a statement or block sets after they came in."""
        return self.contents.doings(node).locals

    def of_question(self) -> Names:
        """What the watches that run before a question may write."""
        return self._closure("ask")

    def _closure(self, verb: str) -> Names:
        if verb in self._closed:
            return self._closed[verb]
        found: set[str] = set()
        seen: set[str] = set()
        todo = {verb}
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            bodies = self._bodies.get(name, [])
            for body in (*bodies, *self._watches) if name == "ask" else bodies:
                found |= self._direct(self.contents.doings(body), todo)
        self._closed[verb] = frozenset(found)
        return self._closed[verb]

    def _direct(self, doings: Doings, called: set[str]) -> Names:
        """What is written without the routines that are called; those are put into `called`."""
        if doings.asks:
            called.add("ask")
        if not (doings.commands or doings.made):
            return doings.fields
        found = set(doings.fields)
        found.update("pool:" + kind for kind in doings.made)
        for command in doings.commands:
            self._command(command, found, called)
        return frozenset(found)

    def _command(self, command: syntax.Command, found: set[str], called: set[str]) -> None:
        verb = command.verb.text
        if verb in self._bodies:
            called.add(verb)
            return
        if isinstance(command.object, syntax.NameExpr) and command.object.name in self._bodies:
            called.add(command.object.name)  # a sentence of a scenario
        if verb == "move":
            self._move(command, found)
        elif verb == "exchange":
            found |= self._purses | self._zones(None)
        elif verb == "drop":
            found |= self._zones(None)
            found |= {"pool:" + name for name in self._world.kinds if self._world.is_pool(name)}

    def _move(self, command: syntax.Command, found: set[str]) -> None:
        targets = [prep.value for prep in command.preps]
        if any(prep.preposition == "from" for prep in command.preps):
            found |= self._purses
            return
        for target in targets:
            found |= self._zones(target.name.text if isinstance(target, syntax.Dot) else None)

    def _zones(self, name: str | None) -> Names:
        """The zones, and their back names, that a move into a zone of this name may change."""
        known = self._zones_for.get(name)
        if known is None:
            known = self._zones_for[name] = self._find_zones(name)
        return known

    def _find_zones(self, name: str | None) -> Names:
        world = self._world
        held = {
            world.kinds[zone.holds].family
            for zone in world.zones.values()
            if (name is None or zone.field == name) and zone.holds in world.kinds
        }
        found: set[str] = set()
        for zone in world.zones.values():
            if zone.holds in world.kinds and world.kinds[zone.holds].family in held:
                found.add(zone.field)
                if zone.back is not None:
                    found.add(zone.back)
        return frozenset(found)

    # -- reading

    def read_by(self, expr: core.Expr) -> Names:
        """The fields that an expression reads, through defines as well."""
        found: set[str] = set()
        for part in walk(expr):
            if isinstance(part, core.Field):
                found.add(part.column.rpartition(".")[2])
            elif isinstance(part, core.ZoneItems):
                found.add(part.zone.rpartition(".")[2])
            elif isinstance(part, core.HolderOf):
                zone = self._world.zones.get(part.zone)
                found.add(zone.back if zone and zone.back else part.zone)
            elif isinstance(part, core.CallDefine):
                found |= self.read_by_define(part.define.rpartition(".")[2])
            elif isinstance(part, core.AllOf) and self._world.is_pool(part.kind):
                found.add("pool:" + part.kind)
        return frozenset(found)

    def read_by_define(self, word: str) -> Names:
        """All names that the defines of a name may read, directly or through others."""
        if word in self._reads:
            return self._reads[word]
        seen: set[str] = set()
        todo = {word}
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for decl in self._define_parts.get(name, ()):
                todo |= self.contents.words(decl).read - seen
        self._reads[word] = frozenset(seen)
        return self._reads[word]
