"""The function of the rules in which a statement stands, while it is lowered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from interpreter.flat.ir import nodes as flat

UsualCall = Callable[[tuple[flat.Expr, ...]], flat.Expr]
FrameKind = Literal["rule", "option", "phase", "event"]


@dataclass(frozen=True, slots=True)
class Frame:
    """The function a statement stands in: what it gives, what `as usual` calls, the rule it belongs
    to, or what has a body like it (`kind`). `is_watch`: it may come at any time, so that the phase
    that it ends may not be running.
    """

    rule: str
    gives: flat.FlatType | None = None
    usual: UsualCall | None = None
    is_watch: bool = False
    kind: FrameKind = "rule"
