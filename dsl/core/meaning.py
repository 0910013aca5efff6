"""What a core program means for a game, as a hash: for whoever has to know whether two are alike.

Left out is all that no course of a game depends on: places in the text, comments, names and texts
for people, measures, scenarios, and what the strategies would answer.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any

from dsl.core import nodes as core
from dsl.records import Getter, getter
from dsl.source import Span

_LEFT_OUT: dict[type[Any], frozenset[str]] = {
    core.Program: frozenset(
        (
            "title",
            "mods",
            "switches",
            "digest",
            "measures",
            "strategies",
            "texts",
            "said",
            "names",
            "printed",
            "scenarios",
            "board",
            "language",
            "forms",
        )
    ),
    core.TextOf: frozenset(("key", "parts", "type")),
    core.Routine: frozenset(("says",)),
    core.Option: frozenset(("label",)),
    core.Answer: frozenset(("label",)),
    core.Ask: frozenset(("label", "shows")),
    core.AskAbout: frozenset(("label", "shows")),
    core.Gather: frozenset(("label", "shows")),
    core.Window: frozenset(("label", "passes", "shows")),
    core.Column: frozenset(("is_shown",)),
    core.Zone: frozenset(("is_shown",)),
}
_ALWAYS_LEFT_OUT = frozenset(("span", "doc"))


def meaning_of(program: core.Program) -> str:
    """A hash of all that decides how games of a program go: what its switches have set is in the
    rules and data themselves."""
    said: list[str] = []
    getters: dict[type[Any], Getter | None] = {}
    todo: list[object] = [program]
    while todo:
        now = todo.pop()
        kind = type(now)
        if kind is tuple:
            parts_ = [each for each in now if type(each) is not core.Say]  # type: ignore[attr-defined]
            said.append(f"({len(parts_)}")
            todo += parts_[::-1]
        elif kind is dict:
            said.append(f"{{{len(now)}")  # type: ignore[arg-type]
            todo += [each for pair in reversed(now.items()) for each in pair]  # type: ignore[attr-defined]
        else:
            if kind not in getters:
                getters[kind] = _getter(kind)
            parts = getters[kind]
            if parts is None:
                said.append(repr(now))
            else:
                said.append(kind.__name__)
                todo += parts(now)
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _getter(kind: type[Any]) -> Getter | None:
    """What gives the parts of a record that matter, the last one first; None: it is no record."""
    if not is_dataclass(kind):
        if kind in (int, str, bool, type(None)):
            return None
        raise TypeError(f"{kind.__name__} does not belong into a core program.")
    assert kind is not Span
    left_out = _ALWAYS_LEFT_OUT | _LEFT_OUT.get(kind, frozenset())
    return getter([part.name for part in fields(kind) if part.name not in left_out][::-1])
