"""Folds what became known by putting functions into their callers: constants, flags compared with
numbers, branches that are never or always taken, loops without a round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes, rebuild, set_names

_ORDER = ("==", "!=", "<", "<=", ">", ">=")
_FLAGS = (
    flat.And,
    flat.Or,
    flat.Not,
    flat.Has,
    flat.IsEmpty,
    flat.Within,
    flat.SameSet,
    flat.RowHas,
)
_LARGE = 1 << 31
_EFFECTS = (flat.Call, flat.CallBy, flat.AskSeat, flat.Draw, flat.BotDraw)


def simplify(program: flat.Program, function: flat.Function, body: flat.Body) -> None:
    """Gives a function a body that does the same as this one."""
    body = _dropping(rebuild(body, lambda node: _simpler(_known_cell(program, node))))
    while known := _known_locals(function, body):
        body = _dropping(_with_known(body, known))
    function.body = body


def simplified(expr: flat.Expr) -> flat.Expr:
    """An expression that gives the same."""
    made: flat.Expr = rebuild(expr, _simpler)
    return made


def _known_cell(program: flat.Program, node: Any) -> Any:
    """A cell of a constant table at a constant place, as its value; of one table at a place that
    another table gives, as a cell of the two joined; with a constant more, as a cell of that.
    """
    if isinstance(node, flat.ForTable):
        return _along_joined(program, node)
    match node:
        case flat.Bin(op="+" | "-" as op, left=flat.Cell() as cell, right=flat.Num(value=added)):
            return _added(program, cell, added if op == "+" else -added) or node
        case _:
            pass
    if not isinstance(node, flat.Cell) or node.column not in program.tables:
        return node
    table = program.tables[node.column]
    match node.index:
        case flat.Num(value=index) if 0 <= index < len(table.values):
            value = table.values[index]
            return (
                flat.Bits(value, table.type.bits)
                if isinstance(table.type, flat.Set)
                else flat.Num(value)
            )
        case flat.Cell(column=column, index=index) if column in program.tables:
            return _joined(program, table, program.tables[column], index)
        case flat.Draw():
            return _drawn(table, 0, node.index, node)
        case flat.Bin(op="+", left=flat.Num(value=first), right=flat.Draw() as draw):
            return _drawn(table, first, draw, node)
        case _:
            return node


def _added(program: flat.Program, cell: flat.Cell, added: int) -> flat.Expr | None:
    """A cell of a table with so much more in every cell, if this is one of a constant table."""
    table = program.tables.get(cell.column)
    if table is None or max(map(abs, table.values), default=0) + abs(added) >= _LARGE:
        return None
    base = f"{table.name}_{'plus' if added >= 0 else 'minus'}_{abs(added)}"
    cells = tuple([value + added for value in table.values])
    name = build.table(program, base, table.type, cells)
    return flat.Cell(name, cell.index, cell.type)


def _drawn(table: flat.Table, first: int, draw: flat.Draw, cell: flat.Cell) -> flat.Expr:
    """A cell of a table from a drawn place on: of numbers in order the first one and the draw."""
    if not isinstance(draw.n, flat.Num) or isinstance(table.type, flat.Set) or first < 0:
        return cell
    values = table.values[first : first + draw.n.value]
    if not values or values != tuple(range(values[0], values[0] + draw.n.value)):
        return cell
    return build.binary("+", draw, flat.Num(values[0]))


def _joined(
    program: flat.Program, outer: flat.Table, inner: flat.Table, index: flat.Expr
) -> flat.Expr:
    size = len(outer.values)
    cells = tuple([outer.values[at] if 0 <= at < size else 0 for at in inner.values])
    name = build.table(program, f"{outer.name}_of_{inner.name}", outer.type, cells)
    return flat.Cell(name, index, outer.type)


def _along_joined(program: flat.Program, loop: flat.ForTable) -> flat.ForTable:
    """A loop along a line whose number a table gives, as a loop along a line of the two joined."""
    match loop.index:
        case flat.Cell(column=column, index=index) if column in program.tables:
            inner = program.tables[column]
        case _:
            return loop
    outer, width = program.tables[loop.table], loop.width
    nothing = (0,) * width
    lines = [outer.values[at * width : (at + 1) * width] for at in inner.values]
    cells = tuple([cell for line in lines for cell in line or nothing])
    name = build.table(program, f"{outer.name}_of_{inner.name}", outer.type, cells)
    return replace(loop, table=name, index=index)


def _known_locals(function: flat.Function, body: flat.Body) -> dict[str, flat.Expr]:
    """The locals that are set once, to a constant or to a parameter that stays as it is."""
    nodes = list(all_nodes(body))
    times = Counter(set_names(nodes))
    params = {name for name, _ in function.params}
    found: dict[str, flat.Expr] = {}
    for node in nodes:
        if not isinstance(node, flat.SetVar) or times[node.name] > 1 or node.name in params:
            continue
        value = node.value
        if isinstance(value, (flat.Num, flat.Bits)) or (
            isinstance(value, flat.Var) and value.name in params and not times[value.name]
        ):
            found[node.name] = value
    return found


def _with_known(body: flat.Body, known: dict[str, flat.Expr]) -> flat.Body:
    def change(node: Any) -> Any:
        match node:
            case flat.Var(name=name) if name in known:
                return known[name]
            case flat.SetVar(name=name) if name in known:
                return flat.Run(build.NO)
            case _:
                return _simpler(node)

    made: flat.Body = rebuild(body, change)
    return made


def is_flag(expr: flat.Expr) -> bool:
    """Whether an expression is 0 or 1."""
    if isinstance(expr, flat.Bin):
        return expr.op in _ORDER
    if isinstance(expr, flat.Num):
        return expr.value in (0, 1)
    if isinstance(expr, flat.Choose):
        return is_flag(expr.then) and is_flag(expr.other)
    return isinstance(expr, _FLAGS)


def is_pure(value: object) -> bool:
    """Whether working out an expression changes nothing."""
    return not any(isinstance(node, _EFFECTS) for node in all_nodes(value))


def _simpler(node: Any) -> Any:
    match node:
        case flat.Bin(op=op, left=left, right=right):
            return _binary(op, left, right)
        case flat.And(left=left, right=right):
            if right == build.NO and is_pure(left):
                return build.NO
            if isinstance(right, flat.And):
                return _simpler(flat.And(_simpler(flat.And(left, right.left)), right.right))
            if _is_part(right, left) and is_pure(left):
                return left
            if _excludes(left, right) and is_pure(left):
                return build.NO
            return build.both(left, right)
        case flat.Or(left=left, right=right):
            if right == build.YES and is_pure(left):
                return build.YES
            return build.either(left, right)
        case flat.Not(operand=operand):
            return build.negate(operand)
        case flat.Choose(condition=condition, then=then, other=other):
            return _choice(condition, then, other)
        case flat.SetBin(op=op, left=left, right=right):
            return {"&": build.set_and, "|": build.set_or, "-": build.set_minus}[op](left, right)
        case flat.Single(index=flat.Num(value=index), bits=bits):
            return flat.Bits(1 << index if index >= 0 else 0, bits)
        case flat.Has(set=members, index=index):
            return build.has(members, index)
        case flat.Within(left=left, right=right):
            return build.within(left, right)
        case flat.IsEmpty(set=members):
            return build.is_empty(members)
        case flat.Count(set=members):
            return build.count(members)
        case flat.If():
            return _branch(node)
        case _:
            return node


def _is_part(expr: flat.Expr, chain: flat.Expr) -> bool:
    """Whether a condition is one of those that a conjunction has already."""
    if isinstance(chain, flat.And):
        return _is_part(expr, chain.left) or _is_part(expr, chain.right)
    return expr == chain


def _excludes(left: flat.Expr, right: flat.Expr) -> bool:
    """Whether the last of some conditions and another one leave no number over: x > 3 and x < 2."""
    last = left.right if isinstance(left, flat.And) else left
    match last, right:
        case (
            flat.Bin(op=one, left=same, right=flat.Num(value=a)),
            flat.Bin(op=other, left=again, right=flat.Num(value=b)),
        ) if same == again and one in _ORDER and other in _ORDER:
            near = {n + d for n in (a, b) for d in (-1, 0, 1)}
            return not any(build.FOLDS[one](x, a) and build.FOLDS[other](x, b) for x in near)
        case _:
            return False


def _binary(op: flat.IntOp, left: flat.Expr, right: flat.Expr) -> flat.Expr:
    if (
        op in ("==", "!=")
        and isinstance(right, flat.Num)
        and right.value in (0, 1)
        and is_flag(left)
    ):
        holds = (op == "==") == (right.value == 1)
        return left if holds else build.negate(left)
    if op in ("+", "-") and isinstance(right, flat.Num):
        return _sum(left, right.value if op == "+" else -right.value) or build.binary(
            op, left, right
        )
    return build.binary(op, left, right)


def _sum(some: flat.Expr, added: int) -> flat.Expr | None:
    """A sum or difference with a constant in it, and another constant: the two are one."""
    match some:
        case flat.Bin(op="+" | "-" as op, left=flat.Num(value=value), right=right):
            total = value + added
            made = build.binary(op, flat.Num(total), right)
        case flat.Bin(op="+" | "-" as op, left=left, right=flat.Num(value=value)):
            total = (value if op == "+" else -value) + added
            made = build.binary("+" if total >= 0 else "-", left, flat.Num(abs(total)))
        case _:
            return None
    return made if abs(total) < _LARGE else None


def _choice(condition: flat.Expr, then: flat.Expr, other: flat.Expr) -> flat.Expr:
    if is_flag(condition):
        if then == build.YES and other == build.NO:
            return condition
        if then == build.NO and is_flag(other):
            return build.both(build.negate(condition), other)
        if other == build.NO and is_flag(then):
            return build.both(condition, then)
    return build.choose(condition, then, other)


def _branch(stmt: flat.If) -> flat.Stmt:
    """A branch with an empty first part, turned round."""
    if not stmt.then and stmt.other:
        return flat.If(build.negate(stmt.condition), stmt.other)
    return stmt


def _dropping(body: flat.Body) -> flat.Body:
    """Without what is never done: branches that are not taken, statements behind an exit."""
    out: list[flat.Stmt] = []
    for stmt in body:
        if isinstance(stmt, flat.If):
            if isinstance(stmt.condition, flat.Num):
                out += _dropping(stmt.then if stmt.condition.value else stmt.other)
                if out and leaves(out[-1]):
                    break
                continue
            then, other = _dropping(stmt.then), _dropping(stmt.other)
            if not then and not other:
                if not is_pure(stmt.condition):
                    out.append(flat.Run(stmt.condition))
                continue
            stmt = _branch(flat.If(stmt.condition, then, other))
        elif isinstance(
            stmt, flat.While | flat.ForRange | flat.ForSet | flat.ForRow | flat.ForTable
        ):
            if _never_runs(stmt):
                continue
            stmt = rebuilt_loop(stmt, _dropping(stmt.body))
            once = _single_round(stmt)
            if once:
                out += once
                if leaves(out[-1]):
                    break
                continue
        elif _does_nothing(stmt):
            continue
        out.append(stmt)
        if leaves(stmt):
            break
    return tuple(out)


def _does_nothing(stmt: flat.Stmt) -> bool:
    """Whether a value is worked out for nothing, or set to what it is."""
    if isinstance(stmt, flat.SetScalar):
        return stmt.value == flat.Scalar(stmt.name, stmt.type)
    return isinstance(stmt, flat.Run) and is_pure(stmt.value)


def _single_round(loop: flat.Stmt) -> flat.Body:
    """The statements of a loop over a set that has one round at most: the set has one member, or
    the first round leaves. Nothing if it is another loop, or left in the middle.
    """
    if not isinstance(loop, flat.ForSet) or not loop.body:
        return ()
    body, members = _to_its_end(loop.body), loop.set
    if _has_jump(body):
        return ()
    if isinstance(members, flat.Single) and not members.may_be_none:
        return (flat.SetVar(loop.name, members.index), *body)
    ends = not loop.descending and leaves(loop.body[-1]) and not _has_next(loop.body)
    if ends and is_pure(members):
        first = flat.SetVar(loop.name, flat.First(members))
        return (flat.If(build.negate(build.is_empty(members)), (first, *body)),)
    return ()


def _to_its_end(body: flat.Body) -> flat.Body:
    """The body of a loop without the jumps at its end: it has no other round."""
    if not body:
        return body
    last = body[-1]
    if isinstance(last, (flat.Break, flat.Continue)):
        return _to_its_end(body[:-1])
    if isinstance(last, flat.If):
        last = flat.If(last.condition, _to_its_end(last.then), _to_its_end(last.other))
    return (*body[:-1], last)


def _has_jump(body: flat.Body) -> bool:
    """Whether the loop that this is the body of is left, or a round of it, by a jump."""
    for stmt in body:
        if isinstance(stmt, (flat.Break, flat.Continue)):
            return True
        if isinstance(stmt, flat.If) and (_has_jump(stmt.then) or _has_jump(stmt.other)):
            return True
    return False


def _has_next(body: flat.Body) -> bool:
    """Whether the loop that this is the body of is gone on with by a jump."""
    for stmt in body:
        if isinstance(stmt, flat.Continue):
            return True
        if isinstance(stmt, flat.If) and (_has_next(stmt.then) or _has_next(stmt.other)):
            return True
    return False


def _never_runs(loop: flat.Stmt) -> bool:
    """Whether a loop has no round, whatever happens."""
    match loop:
        case flat.ForSet(set=flat.Bits(value=0)):
            return True
        case flat.While(condition=flat.Num(value=0)):
            return True
        case flat.ForRange(low=flat.Num(value=low), high=flat.Num(value=high)):
            return low > high
        case _:
            return False


def rebuilt_loop(stmt: Any, body: flat.Body) -> flat.Stmt:
    """A loop with another body."""
    changed: flat.Stmt = type(stmt)(
        *[body if part == "body" else getattr(stmt, part) for part in stmt.__dataclass_fields__]
    )
    return stmt if body is stmt.body else changed


def leaves(stmt: flat.Stmt) -> bool:
    """Whether nothing behind a statement is reached."""
    if isinstance(stmt, flat.If):
        return bool(stmt.then and stmt.other) and leaves(stmt.then[-1]) and leaves(stmt.other[-1])
    return isinstance(stmt, (flat.Give, flat.Exit, flat.Return, flat.Break, flat.Continue))
