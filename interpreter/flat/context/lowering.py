"""What the parts of lowering share: the flat program being made, names, helper functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar, cast

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.core.changes import Changes
from interpreter.flat.context.env import Env, Params
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.instruments import Counter, Tracer
from interpreter.flat.context.layout import Layout
from interpreter.flat.context.options import Options
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.choices import Choice
from interpreter.flat.plan.core_tree import free_locals, uses_usual
from interpreter.flat.plan.keeping import NOTHING_KEPT, Keeping
from interpreter.flat.plan.naming import Names, plain
from interpreter.flat.plan.numbering import FAULT, GAME_OVER, number_program

T = TypeVar("T")


class Lowering(ABC):
    """A program being lowered: what is known of it, and the flat program that is made.

    Expressions, statements, questions and events contain each other; modules don't. Where one needs
    what is above it, it asks the lowering (`expr`, `question`, `happen`, ...; see `lower`). What a
    module alone remembers of a program is a class of its own (`own`).
    """

    def __init__(
        self, program: core.Program, options: Options, keeping: Keeping = NOTHING_KEPT
    ) -> None:
        self.program = program
        self.options = options
        self.keeping = keeping
        self.tracer = Tracer()
        self.counter = Counter()
        self.out = flat.Program(program.variant, program.players)
        self.names = Names()
        self.numbers = number_program(program)
        self.changes = Changes(program)
        self.layout = Layout(program, self.out, self.names)
        self.expanding = 0
        self.has_waiting_watches = any(not watch.ends for watch in program.watches)
        self._temps = 0
        self._outlined: dict[int, tuple[object, str]] = {}
        self._own: dict[object, object] = {}

    def own(self, kind: Callable[[], T]) -> T:
        """What a module remembers while this program is lowered, made when it is asked for first.
        `kind`: a class of that module."""
        if kind not in self._own:
            self._own[kind] = kind()
        return cast(T, self._own[kind])

    # ------------------------------------------------------------ what is above

    @abstractmethod
    def expr(self, env: Env, expr: core.Expr) -> flat.Expr:
        """An expression."""

    @abstractmethod
    def set_(self, env: Env, expr: core.Expr) -> flat.Expr:
        """A list of things as a set of bits."""

    @abstractmethod
    def let(self, env: Env, name: str, value: core.Expr) -> tuple[list[flat.Stmt], Env]:
        """A local, and the environment after it."""

    @abstractmethod
    def iterate(
        self, env: Env, generator: core.Generator, visit: Callable[[Env], list[flat.Stmt]]
    ) -> list[flat.Stmt]:
        """A loop over what a generator gives."""

    @abstractmethod
    def happen(self, routine: str, args: tuple[flat.Expr, ...]) -> flat.Expr:
        """A call of a routine with all its rules."""

    @abstractmethod
    def active_at(self, routine: str, position: int) -> frozenset[int] | None:
        """The entities at a parameter of a routine for which anything happens at all; None where
        that does not depend on it."""

    @abstractmethod
    def question(self, frame: Frame, env: Env, stmt: core.Stmt) -> tuple[list[flat.Stmt], Env]:
        """A question statement, and the environment after it."""

    @abstractmethod
    def open_window(self, env: Env, stmt: core.OpenWindow) -> list[flat.Stmt]:
        """A window that is opened."""

    @abstractmethod
    def scenario_statement(self, frame: Frame, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
        """A statement that only scenarios have."""

    def does(self, choice: Choice) -> bool:
        """Whether something is done that is there for speed alone."""
        return choice not in self.options.without

    # ------------------------------------------------------------ names

    def temp(self, base: str = "t") -> str:
        """A fresh local name."""
        self._temps += 1
        return f"{base}_{self._temps}"

    def function_name(self, base: str) -> str:
        """A fresh function name."""
        return self.names.fresh(base)

    def label(self, name: str) -> int:
        """The exit code of a phase or routine."""
        return self.numbers.labels[name]

    def stream(self, name: str) -> int:
        """The number of a random stream."""
        return self.numbers.streams[name]

    def game_over(self, by: str) -> list[flat.Stmt]:
        """Statements that end the game, by a rule, option or phase."""
        return [
            flat.SetScalar("over", build.YES),
            flat.SetScalar("ending", build.num(self.numbers.endings[by])),
            flat.Exit(build.num(GAME_OVER)),
        ]

    def fault(self, words: str) -> flat.Body:
        """Statements that end the game because something that must not happen did."""
        number = self.numbers.faults[words]
        traced = self.tracer.fault(words)
        return (*traced, flat.SetScalar("fault", build.num(number)), flat.Exit(build.num(FAULT)))

    def remember(self, env: Env, value: core.Expr) -> flat.Expr:
        """`was(value)`: a scratch scalar that the host fills before a `when`, from a function of
        its own.
        """
        scalar = f"was_{len(self.out.remembered) + 1}"
        self.out.scalars[scalar] = flat.ScalarDecl(scalar, flat.INT, 0, "scratch")
        self.out.remembered[scalar] = f"now_{scalar}"
        self.add(f"now_{scalar}", (), (flat.Give(self.expr(Env(), value)),), flat.INT)
        del env
        return flat.Scalar(scalar)

    def safe(self, name: str) -> str:
        """A script's word as part of a generated name."""
        return plain(name)

    def site_tag(self, site: str, window: str | None = None) -> str:
        """The generated name of a site; all places that open a window share one."""
        return self.numbers.sites[site] if window is None else self.numbers.windows[window]

    def is_label(self, name: str) -> bool:
        """Whether some `end NAME` names this routine."""
        return name in self.numbers.labels and name not in self.program.phases

    def answer_row(self, _: t.Type) -> None:
        """Declares the row that candidates which are no entities are listed in."""
        self.out.rows.setdefault("answer_row", flat.RowsDecl("answer_row", 1, 64, ((),)))

    # ------------------------------------------------------------ functions

    def add(
        self,
        name: str,
        params: Params,
        body: flat.Body,
        gives: flat.FlatType | None,
        comment: str = "",
    ) -> None:
        """Adds a function; its body may come later."""
        assert name not in self.out.functions, f"two functions are called {name}"
        self.out.functions[name] = flat.Function(name, params, body, gives, comment=comment)

    @contextmanager
    def on_its_own(self) -> Iterator[None]:
        """Lowers the body of a function that many may call: it does not matter how deep inside
        expansions the first of them is."""
        before, self.expanding = self.expanding, 0
        yield
        self.expanding = before

    def table(self, base: str, type_: flat.FlatType, cells: tuple[int, ...]) -> str:
        """The name of a table with these cells, made once."""
        return build.table(self.out, base, type_, cells)

    def param(self, name: str, type_: t.Type) -> tuple[str, flat.FlatType]:
        """A flat parameter for a core local."""
        return f"v_{name}", self.layout.flat_type(type_)

    def env_of(self, params: tuple[tuple[str, t.Type], ...]) -> tuple[Params, Env]:
        """Flat parameters for core ones, and the environment inside."""
        flat_params = tuple(self.param(name, type_) for name, type_ in params)
        names = {
            name: flat.Var(flat_name, flat_type)
            for (name, _), (flat_name, flat_type) in zip(params, flat_params, strict=True)
        }
        return flat_params, Env(dict(names))

    def outline(
        self,
        base: str,
        node: core.Expr,
        env: Env,
        gives: flat.FlatType,
        make: Callable[[Env], list[flat.Stmt]],
    ) -> flat.Expr:
        """A call of a function made once for a core node, with the node's free locals as
        parameters.
        """
        free = free_locals(node)
        args: list[flat.Expr] = []
        params: list[tuple[str, flat.FlatType]] = []
        inner = Env(tables={name: env.tables[name] for name in env.tables})
        for name, type_ in free.items():
            if name in env.tables:
                continue
            param = self.param(name, type_)
            params.append(param)
            args.append(env.names[name])
            inner = inner.bind(name, flat.Var(*param))
        usual_key = id(node)
        if env.usual is not None and uses_usual(node):
            params.append(("usual", flat.INT))
            args.append(env.usual)
            inner = replace(inner, usual=flat.Var("usual"))
        known = self._outlined.get(usual_key)
        if known is None:
            name = self.function_name(base)
            self._outlined[usual_key] = (node, name)
            self.add(name, tuple(params), (), gives)
            with self.on_its_own():
                self.out.functions[name].body = tuple(make(inner))
        else:
            name = known[1]
        return flat.Call(name, tuple(args))
