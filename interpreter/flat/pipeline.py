"""The passes from flat core to flat core, in their order: what each needs, gives and breaks.

What a program holds between them is said in facts, which the verifier can look at (`verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, get_args

from interpreter.flat.ir import nodes as flat
from interpreter.flat.passes.copy_propagation import forward_values
from interpreter.flat.passes.exits import settle_exits
from interpreter.flat.passes.hoist import hoist_cells, share_cells, tabulate_loops
from interpreter.flat.passes.inline import drop_unused, inline_functions
from interpreter.flat.passes.recursion_guard import guard_recursion

Fact = Literal["exits", "guarded", "codes"]
"""`exits`: leaving early is a statement (`Do`, `Give`, `Exit`). `codes`: it is a code that is
returned. `guarded`: calls that close a circle count their depth."""

FACTS: tuple[Fact, ...] = get_args(Fact)
LOWERING = "lowering"
"""What comes before all passes."""
LOWERED: frozenset[Fact] = frozenset({"exits"})
"""What holds when lowering is done."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A step from one flat program to another that plays the same games. `run` changes it in place.
    `optional`: it only makes programs faster, and can be left out."""

    name: str
    run: Callable[[flat.Program], None]
    needs: frozenset[Fact]
    gives: frozenset[Fact] = frozenset()
    breaks: frozenset[Fact] = frozenset()
    optional: bool = True


def _facts(*names: Fact) -> frozenset[Fact]:
    return frozenset(names)


PASSES = (
    Pass("guard", guard_recursion, _facts("exits"), _facts("guarded"), optional=False),
    Pass("hoist", hoist_cells, _facts("exits")),
    Pass("tabulate", tabulate_loops, _facts()),
    Pass("share", share_cells, _facts("exits")),
    Pass("inline", inline_functions, _facts("exits", "guarded")),
    Pass("drop", drop_unused, _facts()),
    Pass(
        "exits", settle_exits, _facts("exits", "guarded"), _facts("codes"), _facts("exits"),
        optional=False,
    ),
    Pass("propagate", forward_values, _facts("codes")),
)  # fmt: skip

OPTIONAL = frozenset(one.name for one in PASSES if one.optional)
"""The passes that can be left out."""

Between = Callable[[str, flat.Program, frozenset[Fact]], None]


def run_passes(
    program: flat.Program,
    without: Collection[str] = (),
    *,
    after: str | None = None,
    between: Between | None = None,
) -> None:
    """Carries out the passes on a program, but those that are left out.

    `after`: the pass behind which it stops. `between` is called behind lowering and behind each
    pass, with its name and what holds. Raises ValueError where a pass lacks what it needs.
    """
    holds = LOWERED
    if between is not None:
        between(LOWERING, program, holds)
    for one in PASSES:
        if one.optional and one.name in without:
            continue
        if not one.needs <= holds:
            raise ValueError(f"The pass {one.name} needs {sorted(one.needs - holds)}.")
        one.run(program)
        holds = (holds - one.breaks) | one.gives
        if between is not None:
            between(one.name, program, holds)
        if one.name == after:
            return
