"""What the locals of the core mean at one place of the flat program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter.flat.ir import nodes as flat

Params = tuple[tuple[str, flat.FlatType], ...]
"""The parameters of a function: names and types."""


@dataclass(frozen=True, slots=True)
class Env:
    """An environment. `tables`: locals that are answers of a gather, as columns. `usual`: the value
    of `usual`, inside a but-line.
    """

    names: dict[str, flat.Expr] = field(default_factory=dict)
    tables: dict[str, tuple[str, flat.FlatType]] = field(default_factory=dict)
    usual: flat.Expr | None = None

    def bind(self, name: str, value: flat.Expr) -> Env:
        """This environment with one more local."""
        return replace(self, names={**self.names, name: value})

    def bind_table(self, name: str, column: str, type_: flat.FlatType) -> Env:
        """This environment with one more table of answers."""
        return replace(self, tables={**self.tables, name: (column, type_)})
