"""How often what is inside loops and searches is worked out at most, and the bound of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb

from dsl.check.depth import innermost_first, needed_values
from dsl.check.gathered import Gathered, pieces
from dsl.core import nodes as core
from dsl.core.types import IntType, SeqType, SetType
from dsl.core.walking import children, walk
from dsl.diagnostics import Bag

MOST_TRIES = 100_000_000
"""The most that one value or loop may go through; the native engine does it in a few seconds."""

Loop = core.Fold | core.ForEach


def check_tries(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """Report loops and searches that would go through more than anybody waits for: the innermost
    that does, since others only have it inside."""
    counting = Counting(program, nodes)
    for loop in loops_of(program, nodes):
        tries = counting.of(loop)
        if tries > MOST_TRIES and counting.inside(loop) <= MOST_TRIES:
            bag.error(
                "RW0720",
                loop.span,
                f"this may be gone through {tries:,} times; {MOST_TRIES:,} is the most",
                label="what is inside each other counts multiplied, with all that lists can hold",
                help="go through fewer at once, from a narrower kind or with a smaller bound, or "
                "keep what is worked out half-way in a field",
            )


def loops_of(program: core.Program, nodes: Gathered) -> Iterator[Loop]:
    """All queries and loops of what can run in a game."""
    answered = (lines for one in program.strategies.values() for lines in one.sites.values())
    parts = (
        *(define.variants for define in program.defines.values()),
        *pieces(program),
        *program.windows.values(),
        *program.always,
        *program.measures.values(),
        *program.scenarios,
        *answered,
    )
    yield from nodes.of(core.Fold, *parts)
    yield from nodes.of(core.ForEach, *parts)


class Counting:
    """Counts for one program; defines and loops are looked at once.

    The members of all lists that are gone through inside each other are multiplied: in values, also
    through those that are asked for; of statements, the loops inside each other. A list counts with
    all that it can hold.
    """

    def __init__(self, program: core.Program, nodes: Gathered) -> None:
        self._program = program
        self._loops: dict[int, tuple[object, int]] = {}  # by identity, with the loop itself
        self._defines: dict[str, int] = {}
        for name in innermost_first(needed_values(program, nodes)):
            self._defines[name] = self._most(program.defines[name].variants)

    def of(self, loop: Loop) -> int:
        """How often what is inside a loop is worked out at most."""
        known = self._loops.get(id(loop))
        if known is None:
            count = self._query(loop) if isinstance(loop, core.Fold) else self._statement(loop)
            known = self._loops[id(loop)] = (loop, count)
        return known[1]

    def inside(self, loop: Loop) -> int:
        """The most tries of what stands in a loop, or is asked for there."""
        if isinstance(loop, core.Fold):
            return self._most(children(loop))
        return self._most_loops(loop.body)

    def members(self, source: core.Expr) -> int:
        """How many a list or a search has at most."""
        if isinstance(source, core.Builtin) and source.name == "subsets":
            return self.choices(source)
        if isinstance(source, core.RangeOf):
            return _steps(source)
        if isinstance(source.type, SetType) and source.type.kind in self._program.kinds:
            return len(self._program.kinds[source.type.kind].members)
        return source.type.bound if isinstance(source.type, SeqType) else 1

    def choices(self, search: core.Builtin) -> int:
        """How many choices a search goes through at most."""
        listed, number = search.args
        of = self.members(listed)
        size = number.type.high if isinstance(number.type, IntType) else of
        return max(comb(of, each) for each in range(min(max(size, 0), of) + 1))

    def _most(self, parts: Iterable[object]) -> int:
        """The most tries of what stands in some parts; they may be nested as deep as they like."""
        most, todo = 1, list(parts)
        while todo:
            part = todo.pop()
            if isinstance(part, core.Fold):
                most = max(most, self.of(part))
                continue
            if isinstance(part, core.CallDefine):
                most = max(most, self._defines.get(part.define, 1))
            todo += children(part)
        return most

    def _query(self, fold: core.Fold) -> int:
        inner = (fold.value, fold.key)
        return max(self._nested(fold.generators, inner), self._most((fold.default,)))

    def _statement(self, loop: core.ForEach) -> int:
        return self.members(loop.generator.source) * self._most_loops(loop.body)

    def _most_loops(self, block: object) -> int:
        return max(
            (self.of(one) for one in walk(block) if isinstance(one, core.ForEach)), default=1
        )

    def _nested(self, generators: tuple[core.Generator, ...], inner: Iterable[object]) -> int:
        outer, most = 1, 1
        sizes: dict[str, int] = {}
        for generator in generators:
            source = generator.source
            most = max(most, outer * self._most((source,)))
            sizes[generator.variable] = self.members(source)
            outer = self._times(outer, source, sizes, sizes[generator.variable])
            most = max(most, outer * self._most((generator.where,)))
        return max(most, outer * self._most(inner))

    def _times(self, outer: int, source: core.Expr, sizes: dict[str, int], members: int) -> int:
        """`subsets(L, n) for each n in 0..m`: all sizes together are not more than all subsets."""
        if isinstance(source, core.Builtin) and source.name == "subsets":
            listed, number = source.args
            if isinstance(number, core.Local) and (runs := sizes.get(number.name)):
                return min(outer * members, outer // runs << self.members(listed))
        return outer * members


def _steps(source: core.RangeOf) -> int:
    low, high = source.low.type, source.high.type
    if not isinstance(low, IntType) or not isinstance(high, IntType):
        return 1
    step = source.step.value if isinstance(source.step, core.Const) else 1
    return max(0, high.high - low.low) // max(step, 1) + 1
