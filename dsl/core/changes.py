"""What a block may change, with all that it sets off, and which changes a value notices.

By fields and families, whoever's they are; of flags also which way. Too much, never too little. So
it is known which rules of one happening may make the head of a later one true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.core import nodes as core
from dsl.core.types import FlagType, RefType, SetType, Type
from dsl.core.walking import walk

Names = frozenset[str]
_ASKS = (core.AskAbout, core.Ask, core.Gather, core.OpenWindow)


class Changes:
    """Answers for one program; routines and defines are looked at once."""

    def __init__(self, program: core.Program) -> None:
        self._program = program
        self._inside: dict[str, tuple[Names, Names]] = {}
        self._closed: dict[str, Names] = {}
        self._read: dict[str, Names] = {}

    def changed_heads(self, hooks: Sequence[core.Hook]) -> Mapping[int, tuple[int, ...]]:
        """Of rules that run one after the other: those whose condition an earlier one may make
        true, by their places, and the places of the earlier ones."""
        found: dict[int, tuple[int, ...]] = {}
        for at, hook in enumerate(hooks):
            if hook.condition is None or not at:
                continue
            noticed = self.made_true_by(hook.condition)
            earlier = [
                before
                for before, other in enumerate(hooks[:at])
                if noticed and self._meet(hook, other) and noticed & self.made_by(other.body)
            ]
            if earlier:
                found[at] = tuple(earlier)
        return found

    def _meet(self, one: core.Hook, other: core.Hook) -> bool:
        """Whether some entities fit the kinds that both ask for."""
        kinds = self._program.kinds
        return all(
            set(kinds[a.kind].members) & set(kinds[b.kind].members)
            for a in one.patterns
            for b in other.patterns
            if a.position == b.position
        )

    def made_by(self, block: core.Block) -> Names:
        """What the block may change."""
        names, called = self._direct(block)
        return names.union(*(self._closure(name) for name in called))

    def made_true_by(self, condition: core.Expr, wanted: bool = True) -> Names:
        """The changes after which a condition may be `wanted` that was not."""
        match condition:
            case core.Not(operand=operand):
                return self.made_true_by(operand, not wanted)
            case core.Logic(left=left, right=right):
                return self.made_true_by(left, wanted) | self.made_true_by(right, wanted)
            case core.Field(column=column, subject=subject) if self._is_flag(column):
                return self._reads(subject) | {f"{column} {wanted}"}
            case _:
                return self._reads(condition)

    # -- changing

    def _closure(self, name: str) -> Names:
        """What something that runs by a name may change, with all that runs inside it."""
        if name not in self._closed:
            found: set[str] = set()
            seen: set[str] = set()
            todo = {name}
            while todo:
                now = todo.pop()
                if now not in seen:
                    seen.add(now)
                    names, called = self._of_name(now)
                    found |= names
                    todo |= called
            self._closed[name] = frozenset(found)
        return self._closed[name]

    def _of_name(self, name: str) -> tuple[Names, Names]:
        if name not in self._inside:
            self._inside[name] = self._direct(self._bodies(name))
        return self._inside[name]

    def _bodies(self, name: str) -> tuple[object, ...]:
        program = self._program
        what, _, word = name.partition(" ")
        if what == "question":
            return tuple(watch.body for watch in program.watches if not watch.ends)
        if what == "window":
            return tuple(program.options[one].body for one in program.windows[word].options)
        routine = program.routines[word]
        hooks = (*routine.befores, *routine.insteads, *routine.afters)
        return (routine.body, *(hook.body for hook in hooks))

    def _direct(self, body: object) -> tuple[Names, Names]:
        """What a body changes itself, and the names of what it runs."""
        names: set[str] = set()
        called: set[str] = set()
        for node in walk(body):
            if isinstance(node, _ASKS):
                called.add("question ")
            if isinstance(node, core.OpenWindow):
                called.add(f"window {node.window}")
            elif isinstance(node, core.Call):
                called.add(f"routine {node.routine}")
            elif core.is_stmt(node):
                names |= self._changed_by(node)
        return frozenset(names), frozenset(called)

    def _changed_by(self, stmt: core.Stmt) -> set[str]:
        match stmt:
            case core.SetField(column=column, value=core.Const(value=value)) if self._is_flag(
                column
            ):
                return {f"{column} {bool(value)}"}
            case core.SetField(column=column) | core.Reveal(column=column):
                return self._any_of(column)
            case core.MoveUnits(from_column=source, to_column=target):
                return {source, target}
            case core.MoveThings(zone=zone) | core.Shuffle(zone=zone):
                return {self._lying(self._program.zones[zone].holds)}
            case core.Exchange(left=left, right=right):
                return {name for side in (left, right) for name in self._exchanged(side)}
            case core.Make(kind=kind):
                return self._of_pool(kind)
            case core.Drop(thing=thing):
                assert isinstance(thing.type, RefType)
                return self._of_pool(thing.type.kind)
            case _:
                return set()

    def _exchanged(self, side: core.Expr) -> set[str]:
        if isinstance(side, core.Field):
            return {side.column}
        assert isinstance(side.type, RefType)
        return {self._lying(side.type.kind)}

    def _of_pool(self, kind: str) -> set[str]:
        family = self._program.kinds[kind].family
        columns = self._program.columns.values()
        fields = (self._any_of(one.name) for one in columns if one.family == family)
        return set().union(*fields) | {self._lying(kind), f"in use {family}"}

    def _is_flag(self, column: str) -> bool:
        known = self._program.columns[column]
        return known.role == "state" and isinstance(known.type, FlagType)

    def _any_of(self, column: str) -> set[str]:
        """All changes of a field."""
        return {f"{column} True", f"{column} False"} if self._is_flag(column) else {column}

    def _lying(self, kind: str) -> str:
        return f"places of {self._program.kinds[kind].family}"

    # -- noticing

    def _reads(self, value: object) -> Names:
        found: set[str] = set()
        for node in walk(value):
            match node:
                case core.Field(column=column) if self._program.columns[column].role != "data":
                    found |= self._any_of(column)
                case core.ZoneItems(zone=zone) | core.HolderOf(zone=zone):
                    found.add(self._lying(self._program.zones[zone].holds))
                case core.AllOf(kind=kind) if self._is_pool(kind):
                    found.add(f"in use {self._program.kinds[kind].family}")
                case core.Builtin(name="known", args=args):
                    found |= {self._lying(kind) for kind in _kinds_of(args)}
                case core.CallDefine(define=define):
                    found |= self._define(define)
                case _:
                    pass
        return frozenset(found)

    def _define(self, name: str) -> Names:
        if name not in self._read:
            self._read[name] = self._reads(self._program.defines[name].variants)
        return self._read[name]

    def _is_pool(self, kind: str) -> bool:
        return self._program.families[self._program.kinds[kind].family].pool


def _kinds_of(args: tuple[core.Expr, ...]) -> set[str]:
    """The kinds of the things whose fields are asked for: what is known of them ends when they are
    moved."""
    subjects: list[Type] = [arg.subject.type for arg in args if isinstance(arg, core.Field)]
    return {type_.kind for type_ in subjects if isinstance(type_, (RefType, SetType))}
