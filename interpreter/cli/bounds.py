"""What `rulewright check --bounds` shows: the most that a game can take, known before play."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check.gathered import Gathered
from dsl.check.tries import MOST_TRIES, Counting, Loop, loops_of
from dsl.core import nodes as core
from interpreter.cli.checking import Checked
from interpreter.emit.layout import Layout
from interpreter.playtest.lowering import playtest_program


def bounds_of(checked: Checked) -> str:
    """The bounds of each number of players that was checked, as text."""
    lines = [f"\nBounds of {checked.title}:"]
    for players, program in checked.programs.items():
        layout = Layout(playtest_program(program))
        state = layout.scratch - layout.state
        lines.append(f"  {players} players")
        lines.append(
            f"    state of a game      {state:>9,} bytes, and {layout.live_size - state:,} more "
            "while it is played"
        )
        lines.append(
            f"    native engine        {layout.memory_bytes:>9,} bytes for each worker, which "
            "cannot grow"
        )
        lines.append(
            f"    turns (phases)       {program.phase_limit:>9,}, then the game is stopped"
        )
        lines.append(f"    acts in a phase      {program.act_limit:>9,}, then the game is stopped")
        lines += [
            f"    {family.name + ' at once':<20} {family.size:>9,}"
            for family in program.families.values()
            if family.pool
        ]
        lines += _tries(program)
    return "\n".join(lines) + "\n"


def _tries(program: core.Program) -> Iterator[str]:
    """How often searches, and what is inside the longest loop, are gone through at most."""
    nodes = Gathered()
    counting = Counting(program, nodes)
    found: dict[str, int] = {}
    most, longest = 1, ""
    for loop in loops_of(program, nodes):
        tries = counting.of(loop)
        if tries > most:
            most, longest = tries, f", at {_place(loop)}"
        if isinstance(loop, core.Fold) and any(_is_search(one.source) for one in loop.generators):
            found[_place(loop)] = max(found.get(_place(loop), 0), tries)
    yield f"    in one value or loop {most:>9,} tries{longest}; {MOST_TRIES:,} is the most"
    for place, tries in sorted(found.items()):
        yield f"    search at {place}: at most {tries:,} tries"
    if not found:
        yield "    no rule searches"


def _is_search(source: core.Expr) -> bool:
    return isinstance(source, core.Builtin) and source.name == "subsets"


def _place(loop: Loop) -> str:
    line, _ = loop.span.source.position(loop.span.start)
    return f"{loop.span.source.name}:{line}"
