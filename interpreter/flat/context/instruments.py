"""What can be built into a program beside its rules: marks of what it does, counts of what ran.

What is here does nothing. It is what programs get where nobody asked for more (see `tracing`,
`coverage`), and says what an instrument is told; none of it can change a game.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.ir import nodes as flat


class Tracer:
    """Is told what happens, and gives the statements that say it."""

    def statement(self, _env: Env, _stmt: core.Stmt) -> list[flat.Stmt]:
        """What a statement did."""
        return []

    def step(self, _frame: Frame, _stmt: core.Stmt) -> list[flat.Stmt]:
        """That a statement of a rule is about to run."""
        return []

    def fault(self, _words: str) -> list[flat.Stmt]:
        """That the game is about to be stopped."""
        return []

    def event(self, _env: Env, _routine: core.Routine) -> list[flat.Stmt]:
        """That a routine or event happens."""
        return []

    def rule(self, _env: Env, _hook: core.Hook) -> list[flat.Stmt]:
        """That a rule fired."""
        return []

    def watch(self, _watch: core.Watch) -> list[flat.Stmt]:
        """That a watch fired."""
        return []

    def option(self, _env: Env, _option: core.Option) -> list[flat.Stmt]:
        """That an option was taken."""
        return []

    def answer(self, _env: Env, _stmt: core.AskAbout, _answer: core.Answer) -> list[flat.Stmt]:
        """That an answer was given."""
        return []

    def pick(self, _env: Env, _stmt: core.Ask) -> list[flat.Stmt]:
        """What was picked."""
        return []

    def within(self, _what: str, stmts: Sequence[flat.Stmt]) -> list[flat.Stmt]:
        """Statements, between marks that say of what they are a part."""
        return list(stmts)


class Counter:
    """Is told what can run, and gives the statements that count it."""

    def count(self, _what: str) -> list[flat.Stmt]:
        """The counting of one thing that can run."""
        return []

    def declare(self, out: flat.Program) -> None:
        """Declares where it is counted, once everything that can run is known."""
