"""What `rulewright check --bounds` shows: the most that a game can take, known before play."""

from __future__ import annotations

from math import comb

from dsl.core import nodes as core
from dsl.core.types import IntType, SetType
from interpreter.cli.checking import Checked
from interpreter.emit.layout import Layout
from interpreter.playtest.lowering import playtest_program
from interpreter.session.facts import walk


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
        searches = list(_searches(program))
        for place, bound in searches:
            lines.append(f"    search at {place}: at most {bound:,} tries")
        if not searches:
            lines.append("    no rule searches")
    return "\n".join(lines) + "\n"


def _searches(program: core.Program) -> list[tuple[str, int]]:
    """Where rules search, and the product of the declared bounds there."""
    found: dict[str, int] = {}
    for node in walk((program.defines, program.routines, program.phases, program.options)):
        if isinstance(node, core.Builtin) and node.name == "subsets":
            line, _ = node.span.source.position(node.span.start)
            place = f"{node.span.source.name}:{line}"
            found[place] = max(found.get(place, 0), _bound(program, node))
    return sorted(found.items())


def _bound(program: core.Program, node: core.Builtin) -> int:
    listed, number = node.args
    members = 0
    if isinstance(listed.type, SetType):
        members = len(program.kinds[listed.type.kind].members)
    size = number.type.high if isinstance(number.type, IntType) else members
    return _choose(members, min(size, members))


def _choose(of: int, size: int) -> int:
    return max(comb(of, each) for each in range(size + 1))
