"""Puts functions into their callers: those that are called from one place, and small ones.

A call costs Python as much as five lines. Recursive functions, and those that keep rows or leave
from inside a loop, stay what they are. What nobody calls any more is dropped by a pass of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from interpreter.flat.analysis.components import called, callees, callees_first
from interpreter.flat.analysis.effects import Effects
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import LOOPS, all_nodes, map_body, rebuild, renamed, set_names
from interpreter.flat.passes.simplify import is_pure, leaves, rebuilt_loop, simplify

SMALL = 90  # nodes of a function that is put into several callers
MORE = 180  # nodes that putting a function into all its callers may add
FEW = 20  # nodes of a function that is looked for again where it was not ready at first
LARGEST = 6000  # nodes of a function that still takes others in
DEEPEST = 8  # loops within each other
BLOCKS = 20  # blocks within each other of a function that is put into others; Python reads 100
_CALLED_BY_HOST = ("run_phase", "winners", "score", "check_always", flat.REFRESH)


def inline_functions(program: flat.Program) -> None:
    """Inlines in place, callees first."""
    kept = _named_elsewhere(program)
    graph = {name: callees(program, function) for name, function in program.functions.items()}
    order = callees_first(graph, [name for name in _CALLED_BY_HOST if name in graph])
    uses = Counter(
        node.function
        for function in program.functions.values()
        for node in all_nodes(function.body)
        if isinstance(node, flat.Call)
    )
    inlining = _Inlining(program, uses, kept)
    for name in order:
        inlining.function(name)
    for name in [name for name in order if inlining.missed(name)]:
        inlining.function(name)


def _named_elsewhere(program: flat.Program) -> set[str]:
    """The functions that something else than a call names."""
    found = {name for name in _CALLED_BY_HOST if name in program.functions}
    names = set(program.functions)
    rest = (
        program.dispatch, program.strategies, program.sites, program.remembered,
        program.scenarios, program.expectations, program.measures, program.marks,
    )  # fmt: skip
    for text in _texts(rest):
        if text in names:
            found.add(text)
    return found


def _texts(value: object) -> Iterator[str]:
    """Every string inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _texts(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from _texts(getattr(value, part.name))


def drop_unused(program: flat.Program) -> None:
    """Drops the functions that nobody calls any more."""
    reached: set[str] = set()
    waiting = list(_named_elsewhere(program))
    while waiting:
        name = waiting.pop()
        if name not in reached and name in program.functions:
            reached.add(name)
            waiting += callees(program, program.functions[name])
    for name in [name for name in program.functions if name not in reached]:
        del program.functions[name]


@dataclass(slots=True)
class _Ready:
    """A function as it can be put into others."""

    function: flat.Function
    size: int
    value: flat.Expr | None  # of a function that only gives an expression
    changed: set[str]  # its parameters that it sets


class _Inlining:
    def __init__(self, program: flat.Program, uses: Counter[str], kept: set[str]) -> None:
        self.program = program
        self.uses = uses
        self.kept = kept
        self.ready: dict[str, _Ready] = {}
        self.effects = Effects(program)

    def function(self, name: str) -> None:
        """Takes other functions into this one, and makes it ready for its callers."""
        function = self.program.functions[name]
        taking = _Taking(self, function, only=self.uses[name] == 1 or name in self.kept)
        body = rebuild(function.body, taking.expression)
        simplify(self.program, function, map_body(body, taking.statement))
        self._make_ready(function)

    def missed(self, name: str) -> bool:
        """Whether a function calls one that became ready only after it: in a circle."""
        return any(
            isinstance(node, flat.Do)
            and isinstance(node.call, flat.Call)
            and not node.catch
            and node.call.function in self.ready
            and self.ready[node.call.function].size <= FEW
            for node in all_nodes(self.program.functions[name].body)
        )

    def only_once(self, name: str) -> bool:
        """Whether a function is called from one place and nothing else names it."""
        return self.uses[name] == 1 and name not in self.kept

    def _make_ready(self, function: flat.Function) -> None:
        nodes = list(all_nodes(function.body))
        if any(isinstance(node, (flat.NewRow, flat.Return)) for node in nodes):
            return
        if any(isinstance(type_, flat.Row) for _, type_ in function.params):
            return
        if isinstance(function.gives, flat.Row):
            return
        if function.name in called(self.program, nodes):
            return
        others = self.uses[function.name] - 1
        if len(nodes) > SMALL and len(nodes) * others > MORE and not self.only_once(function.name):
            return
        if len(nodes) > LARGEST or _loops(function.body) > DEEPEST // 2:
            return
        if _blocks(function.body) > BLOCKS:
            return
        value: flat.Expr | None = None
        match function.body:
            case (flat.Give(value=given),):
                value = given
            case _:
                wanted = "it" if function.gives is not None else ""
                if through(function.body, wanted, flat.INT) is None:
                    return
        params = {name for name, _ in function.params}
        changed = {name for name in set_names(nodes) if name in params}
        self.ready[function.name] = _Ready(function, len(nodes), value, changed)


def _loops(body: flat.Body) -> int:
    """How deep loops lie within each other."""
    deepest = 0
    for stmt in body:
        if isinstance(stmt, LOOPS):
            deepest = max(deepest, 1 + _loops(stmt.body))
        elif isinstance(stmt, flat.If):
            deepest = max(deepest, _loops(stmt.then), _loops(stmt.other))
    return deepest


def _blocks(body: flat.Body) -> int:
    """How deep blocks lie within each other; `else if` is no deeper than its `if`."""
    deepest = 0
    for stmt in body:
        if isinstance(stmt, LOOPS):
            deepest = max(deepest, 1 + _blocks(stmt.body))
        while isinstance(stmt, flat.If):
            deepest = max(deepest, 1 + _blocks(stmt.then))
            match stmt.other:
                case (flat.If() as inner,):
                    stmt = inner
                case other:
                    deepest = max(deepest, 1 + _blocks(other))
                    break
    return deepest


# ---------------------------------------------------------------- one caller


class _Taking:
    """Puts ready functions into one caller."""

    def __init__(self, inlining: _Inlining, caller: flat.Function, *, only: bool) -> None:
        self.inlining = inlining
        self.ready = inlining.ready
        self.only = only
        self.caller = caller
        nodes = list(all_nodes(caller.body))
        self.size = len(nodes)
        self.names = {name for name, _ in caller.params} | set(set_names(nodes))

    def expression(self, node: Any) -> Any:
        """A call of a function that only gives an expression, as that expression."""
        if not isinstance(node, flat.Call):
            return node
        found = self.ready.get(node.function)
        if found is None or found.value is None or not self._has_room(found):
            return node
        values: dict[str, flat.Expr] = {}
        uses = Counter(part.name for part in all_nodes(found.value) if isinstance(part, flat.Var))
        for (name, _), arg in zip(found.function.params, node.args, strict=True):
            if not (uses[name] == 1 and is_pure(arg)) and not _is_short(arg):
                return node
            values[name] = arg
        self.size += found.size
        return rebuild(found.value, lambda part: _replaced(part, values))

    def statement(self, stmt: flat.Stmt) -> flat.Body:
        """A call that is a whole statement, as the statements of the function."""
        result: str | None
        match stmt:
            case flat.Do(call=flat.Call() as call, result=result, result_type=type_, catch=0):
                pass
            case flat.SetVar(name=result, value=flat.Call() as call, type=type_):
                pass
            case flat.Run(value=flat.Call() as call):
                result, type_ = None, flat.INT
            case flat.If(condition=flat.And(left=left, right=right), then=then, other=()) if (
                self._is_ready(_called(right))
            ):
                return self.statement(flat.If(left, self.statement(flat.If(right, then))))
            case flat.If() | flat.SetVar() | flat.SetScalar() | flat.SetCell() | flat.AddCell():
                return self._lifted(stmt)
            case flat.Give():
                return self._lifted(stmt)
            case _:
                return (stmt,)
        found = self.ready.get(call.function)
        if found is None or not self._has_room(found):
            return (stmt,)
        self.size += found.size
        return self._taken_in(found, call.args, result, type_)

    def _is_ready(self, call: flat.Call | None) -> bool:
        found = self.ready.get(call.function) if call is not None else None
        return found is not None and found.value is None and self._has_room(found)

    def _lifted(self, stmt: Any) -> flat.Body:
        """The function first, then the statement that takes what it gives."""
        part = "condition" if isinstance(stmt, flat.If) else "value"
        value = getattr(stmt, part)
        call = _first_called(value, self._may_be_first)
        if call is None or not self._is_ready(call):
            return (stmt,)
        found = self.ready[call.function]
        type_ = found.function.gives
        if type_ is None or not all(is_pure(arg) for arg in call.args):
            return (stmt,)
        if isinstance(stmt, (flat.SetCell, flat.AddCell)) and not is_pure(stmt.index):
            return (stmt,)
        self.size += found.size
        name = self._fresh("got")
        got = flat.Var(name, type_)
        left = replace(stmt, **{part: rebuild(value, lambda node: got if node is call else node)})
        return (*self._taken_in(found, call.args, name, type_), *self.statement(left))

    def _may_be_first(self, call: flat.Call, before: list[flat.Expr]) -> bool:
        """Whether a call can be worked out before what is worked out before it."""
        if not self.inlining.effects.of_node(call):
            return all(is_pure(expr) for expr in before)
        return all(isinstance(expr, (flat.Var, flat.Num, flat.Bits)) for expr in before)

    def _has_room(self, found: _Ready) -> bool:
        """A small caller with several callers of its own stays small."""
        size = self.size + found.size
        return size <= LARGEST and (self.only or self.size > SMALL or size <= SMALL)

    def _taken_in(
        self,
        found: _Ready,
        args: tuple[flat.Expr, ...],
        result: str | None,
        type_: flat.FlatType,
    ) -> flat.Body:
        function = found.function
        names: dict[str, str] = {}
        values: dict[str, flat.Expr] = {}
        start: list[flat.Stmt] = []
        nodes = list(all_nodes(function.body))
        params = dict(function.params)
        for name in {**params, **dict.fromkeys(set_names(nodes))}:
            names[name] = self._fresh(name)
        for (name, param_type), arg in zip(function.params, args, strict=True):
            if name not in found.changed and isinstance(arg, (flat.Num, flat.Bits, flat.Var)):
                values[name] = arg
            else:
                start.append(flat.SetVar(names[name], arg, param_type))
        body = rebuild(function.body, lambda part: renamed(part, names, values))
        into = result if result is not None else ""
        if not into and function.gives is not None:
            into, type_ = self._fresh("unused"), function.gives
        inner = through(body, into, type_)
        assert inner is not None
        return (*start, *inner)

    def _fresh(self, name: str) -> str:
        number, fresh = 1, name
        while fresh in self.names:
            number += 1
            fresh = f"{name}__{number}"
        self.names.add(fresh)
        return fresh


def _called(value: flat.Expr) -> flat.Call | None:
    """The call that a value is, or is the opposite of."""
    if isinstance(value, flat.Not):
        value = value.operand
    return value if isinstance(value, flat.Call) else None


def _first_called(
    value: flat.Expr, may_be_first: Callable[[flat.Call, list[flat.Expr]], bool]
) -> flat.Call | None:
    """The first call that is worked out in a value whatever happens, if it may be worked out before
    all else.
    """
    before: list[flat.Expr] = []

    def search(expr: flat.Expr) -> flat.Call | bool:
        """A call, or whether the search goes on."""
        match expr:
            case flat.Call():
                return expr if may_be_first(expr, before) else False
            case flat.And(left=first) | flat.Or(left=first) | flat.Choose(condition=first):
                return search(first) or False
            case flat.Bin() | flat.SetBin() | flat.Within() | flat.SameSet():
                found = search(expr.left)
                return search(expr.right) if found is True else found
            case flat.Not(operand=inner) | flat.Count(set=inner) | flat.IsEmpty(set=inner):
                return search(inner)
            case flat.Has(set=one, index=other):
                found = search(one)
                return search(other) if found is True else found
            case _:
                before.append(expr)
                return is_pure(expr)

    found = search(value)
    return found if isinstance(found, flat.Call) else None


def _is_short(arg: flat.Expr) -> bool:
    """Whether working an argument out twice costs next to nothing."""
    if isinstance(arg, flat.Cell):
        return isinstance(arg.index, (flat.Num, flat.Var))
    return build.is_atom(arg)


def _replaced(node: Any, values: dict[str, flat.Expr]) -> Any:
    return values.get(node.name, node) if isinstance(node, flat.Var) else node


# ---------------------------------------------------------------- bodies without a way out


def through(body: flat.Body, result: str, type_: flat.FlatType) -> flat.Body | None:
    """A body that runs to its end instead of giving a value or leaving with code 0; None where it
    cannot be had. `result`: the local for what it gives, if that is wanted."""
    out: list[flat.Stmt] = []
    for position, stmt in enumerate(body):
        rest = body[position + 1 :]
        match stmt:
            case flat.Give(value=value):
                if result:
                    out.append(flat.SetVar(result, value, type_))
                elif not is_pure(value):
                    out.append(flat.Run(value))
                return tuple(out)
            case flat.Exit(code=flat.Num(value=0)):
                return tuple(out)
            case flat.Exit(code=flat.Num()):
                out.append(stmt)
                return tuple(out)
            case flat.Exit():
                return None
            case flat.If() if _goes_out(stmt):
                both = _both_ways(stmt, rest, lambda part: through(part, result, type_))
                return None if both is None else (*out, both)
            case flat.While() | flat.ForRange() | flat.ForSet() | flat.ForRow() | flat.ForTable():
                if not _goes_out(stmt):
                    out.append(stmt)
                    continue
                return _search(out, stmt, rest, result, type_)
            case _:
                out.append(stmt)
    return tuple(out)


def _search(
    before: list[flat.Stmt], loop: Any, rest: flat.Body, result: str, type_: flat.FlatType
) -> flat.Body | None:
    """A loop that gives a value when it has found something, before another constant is given."""
    match rest:
        case (flat.Give(value=flat.Num() | flat.Bits() as otherwise),) if result:
            pass
        case _:
            return None
    body = _found_inside(loop.body, result, type_)
    if body is None:
        return None
    return (*before, flat.SetVar(result, otherwise, type_), rebuilt_loop(loop, body))


def _found_inside(body: flat.Body, result: str, type_: flat.FlatType) -> flat.Body | None:
    out: list[flat.Stmt] = []
    for stmt in body:
        match stmt:
            case flat.Give(value=value):
                return (*out, flat.SetVar(result, value, type_), flat.Break())
            case flat.If(condition=condition, then=then, other=other) if _goes_out(stmt):
                one = _found_inside(then, result, type_)
                two = _found_inside(other, result, type_)
                if one is None or two is None:
                    return None
                out.append(flat.If(condition, one, two))
            case _ if _goes_out(stmt):
                return None
            case _:
                out.append(stmt)
    return tuple(out)


def _both_ways(
    stmt: flat.If, rest: flat.Body, onward: Callable[[flat.Body], flat.Body | None]
) -> flat.Stmt | None:
    """A branch that leaves in one of its parts: what follows goes into the other one."""
    if not rest:
        then, other = onward(stmt.then), onward(stmt.other)
    elif stmt.then and leaves(stmt.then[-1]):
        then, other = onward(stmt.then), onward((*stmt.other, *rest))
    elif stmt.other and leaves(stmt.other[-1]):
        then, other = onward((*stmt.then, *rest)), onward(stmt.other)
    else:
        return None
    if then is None or other is None:
        return None
    return flat.If(stmt.condition, then, other)


def _goes_out(stmt: flat.Stmt) -> bool:
    """Whether a statement gives a value or leaves with code 0 somewhere."""
    for node in all_nodes(stmt):
        if isinstance(node, flat.Give):
            return True
        if isinstance(node, flat.Exit) and (
            not isinstance(node.code, flat.Num) or node.code.value == 0
        ):
            return True
    return False
