"""The pass that turns exits into return codes: after it a program has no `Do`, `Give` or `Exit`.

A function that can leave early returns a code (0: go on) and puts what it gives into a register;
all others stay plain functions. Functions of one dispatch table share one way of calling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from interpreter.flat.ir.nodes import (
    AskSeat,
    Bin,
    Bits,
    Body,
    Call,
    CallBy,
    Do,
    Exit,
    Expr,
    FlatType,
    ForRange,
    ForRow,
    ForSet,
    ForTable,
    Function,
    Give,
    If,
    Int,
    Num,
    Program,
    Return,
    Run,
    Scalar,
    ScalarDecl,
    Set,
    SetScalar,
    SetVar,
    Stmt,
    Var,
    While,
)

ANY_CODE = 1
"""Bit 0 of a set of codes: a code that is only known when the program runs."""

_LOOPS = (While, ForRange, ForSet, ForRow, ForTable)
_NEVER_EXIT = ("winners", "score", "check_always")
_Targets = tuple[str, ...]
_Codes = dict[str, int]


def settle_exits(program: Program) -> None:
    """Rewrites all functions in place and declares the registers they need.

    Raises ValueError if a function that the host calls as a value could leave early.
    """
    facts = {name: _gather(function, program) for name, function in program.functions.items()}
    codes = _exit_codes(program, facts)
    exiting = _exiting(program, codes)
    _refuse_exiting(program, exiting)
    for name, fact in facts.items():
        if fact.rewrite or name in exiting:
            _Rewriter(program, codes, exiting, program.functions[name], fact).run()


def result_register(gives: FlatType) -> str:
    """The scratch scalar in which an exiting function leaves what it gives."""
    if isinstance(gives, Int):
        return "result"
    if isinstance(gives, Set):
        return f"result_set_{gives.bits}"
    raise ValueError("A function that can leave early cannot give a row.")


# ---------------------------------------------------------------- what each function does


@dataclass(slots=True)
class _Facts:
    own: int = 0  # codes of its own Exit statements, bit per code
    calls: list[tuple[_Targets, int]] = field(default_factory=list)  # targets, caught code
    names: set[str] = field(default_factory=set)
    rewrite: bool = False


def _gather(function: Function, program: Program) -> _Facts:
    facts = _Facts(names={name for name, _ in function.params})
    stack: list[Body] = [function.body]
    while stack:
        for statement in stack.pop():
            if isinstance(statement, If):
                stack += (statement.then, statement.other)
            elif isinstance(statement, SetVar):
                facts.names.add(statement.name)
            elif isinstance(statement, Do):
                facts.calls.append((_targets(statement.call, program), statement.catch))
                facts.rewrite = True
            elif isinstance(statement, Exit):
                facts.own |= _code_bits(statement.code)
                facts.rewrite = True
            elif isinstance(statement, Give):
                facts.rewrite = True
            elif isinstance(statement, _LOOPS):
                stack.append(statement.body)
                if not isinstance(statement, While):
                    facts.names.add(statement.name)
    return facts


def _targets(call: Expr, program: Program) -> _Targets:
    if isinstance(call, Call):
        return (call.function,)
    if isinstance(call, CallBy):
        return program.dispatch[call.table]
    if isinstance(call, AskSeat):
        return tuple(sites[call.site] for sites in program.strategies.values())
    raise ValueError(f"A Do runs a call, not {type(call).__name__}.")


def _code_bits(code: Expr) -> int:
    if not isinstance(code, Num):
        return ANY_CODE
    if code.value < 0:
        raise ValueError("An exit code is not negative.")
    return 1 << code.value if code.value else 0


# ---------------------------------------------------------------- who can leave, and with what


def _exit_codes(program: Program, facts: dict[str, _Facts]) -> _Codes:
    """For each function the set of codes it can return, bit per code: the least fixpoint."""
    codes = {name: fact.own for name, fact in facts.items()}
    callers: dict[str, list[tuple[str, int]]] = {name: [] for name in facts}
    for name, fact in facts.items():
        for targets, catch in fact.calls:
            for target in targets:
                if target not in callers:
                    raise ValueError(f"{name} calls {target}, which is no function.")
                callers[target].append((name, catch))
    waiting = [name for name, found in codes.items() if found]
    while waiting:
        name = waiting.pop()
        for caller, catch in callers[name]:
            through = _without(codes[name], catch)
            if through & ~codes[caller]:
                codes[caller] |= through
                waiting.append(caller)
    return codes


def _without(codes: int, catch: int) -> int:
    return codes & ~(1 << catch) if catch else codes


def _exiting(program: Program, codes: _Codes) -> set[str]:
    exiting = {name for name, found in codes.items() if found}
    if "run_phase" in codes:
        exiting.add("run_phase")
    tables = [set(functions) for functions in program.dispatch.values()]
    while True:
        mixed = [table for table in tables if not table.isdisjoint(exiting) and table - exiting]
        if not mixed:
            return exiting
        exiting.update(*mixed)


def _refuse_exiting(program: Program, exiting: set[str]) -> None:
    for name in _host_functions(program):
        if name in exiting:
            raise ValueError(f"{name} is called for its value and cannot leave early.")


def _host_functions(program: Program) -> Iterator[str]:
    yield from _NEVER_EXIT
    for functions in program.strategies.values():
        yield from functions.values()
    for site in program.sites.values():
        for answer in site.answers:
            yield answer.refuse
            for pick in answer.picks:
                for name in (pick.candidates, pick.low, pick.high, pick.step):
                    if name is not None:
                        yield name


# ---------------------------------------------------------------- rewriting


class _Rewriter:
    """Rewrites one function; a body without exits comes back as the same object."""

    def __init__(
        self,
        program: Program,
        codes: _Codes,
        exiting: set[str],
        function: Function,
        facts: _Facts,
    ) -> None:
        self.program = program
        self.codes = codes
        self.exiting = exiting
        self.function = function
        self.exits = function.name in exiting
        self.code_name = "code"
        while self.code_name in facts.names:
            self.code_name += "_"

    def run(self) -> None:
        function = self.function
        body = self.body(function.body, tail=True)
        function.exits = self.exits
        if self.exits and not _always_returns(body):
            body = (*body, Return(Num(0)))
        function.body = body

    def body(self, body: Body, *, tail: bool) -> Body:
        out: list[Stmt] = []
        last = len(body) - 1
        changed = False
        for position, statement in enumerate(body):
            ends = tail if position == last else self.ends(body[position + 1])
            new = self.statement(statement, tail=ends)
            changed = changed or new is not statement
            if isinstance(new, tuple):
                out.extend(new)
            else:
                out.append(new)
            if isinstance(new, Return):
                break
        return tuple(out) if changed else body

    def ends(self, statement: Stmt) -> bool:
        """Whether a statement only ends the function, as its end would."""
        return self.exits and statement == Exit(Num(0))

    def statement(self, statement: Stmt, *, tail: bool) -> Stmt | Body:
        if isinstance(statement, If):
            then = self.body(statement.then, tail=tail)
            other = self.body(statement.other, tail=tail)
            if then is statement.then and other is statement.other:
                return statement
            return If(statement.condition, then, other)
        if isinstance(statement, _LOOPS):
            body = self.body(statement.body, tail=False)
            return statement if body is statement.body else replace(statement, body=body)
        if isinstance(statement, Do):
            return self.do(statement, tail=tail)
        if isinstance(statement, Give):
            return self.give(statement.value)
        if isinstance(statement, Exit):
            return Return(statement.code) if self.exits else Return()
        if isinstance(statement, Return) and self.exits:
            return Return(Num(0)) if statement.value is None else self.give(statement.value)
        return statement

    def give(self, value: Expr) -> Stmt | Body:
        if not self.exits:
            return Return(value)
        gives = self.function.gives
        if gives is None:
            raise ValueError(f"{self.function.name} gives a value but declares none.")
        return SetScalar(self.register(gives), value, gives), Return(Num(0))

    def do(self, do: Do, *, tail: bool) -> Stmt | Body:
        targets = _targets(do.call, self.program)
        if not any(target in self.exiting for target in targets):
            if do.result is None:
                return Run(do.call)
            return SetVar(do.result, do.call, do.result_type)
        codes = 0
        for target in targets:
            codes |= self.codes[target]
        through = _without(codes, do.catch)
        caught = bool(do.catch) and bool(codes & (1 << do.catch | ANY_CODE))
        if not through and not caught:
            return (Run(do.call), *self.take(do))
        if not through and do.result is None:
            return Run(do.call)
        if tail and through and not caught and do.result is None:
            return Return(do.call)
        code = Var(self.code_name)
        leave: Body = (Return(code),) if through else ()
        if not caught:
            return SetVar(code.name, do.call), If(code, leave), *self.take(do)
        if leave:
            leave = (If(Bin("!=", code, Num(do.catch)), leave),)
        nothing: Body = ()
        if do.result is not None:
            nothing = (SetVar(do.result, _zero(do.result_type), do.result_type),)
        return SetVar(code.name, do.call), If(code, leave + nothing, self.take(do))

    def take(self, do: Do) -> Body:
        """The statement that reads the result register, if the result is wanted."""
        if do.result is None:
            return ()
        register = Scalar(self.register(do.result_type), do.result_type)
        return (SetVar(do.result, register, do.result_type),)

    def register(self, gives: FlatType) -> str:
        name = result_register(gives)
        if name not in self.program.scalars:
            self.program.scalars[name] = ScalarDecl(name, gives, 0, "scratch")
        return name


def _zero(kind: FlatType) -> Expr:
    return Bits(0, kind.bits) if isinstance(kind, Set) else Num(0)


def _always_returns(body: Body) -> bool:
    if not body:
        return False
    last = body[-1]
    if isinstance(last, If):
        return _always_returns(last.then) and _always_returns(last.other)
    return isinstance(last, Return)
