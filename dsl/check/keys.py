"""The structure of core expressions as text, and what they read: for narrowing and for proofs."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core.walking import parts_of, walk


def key_of(expr: object, bound: dict[str, str] | None = None) -> str:
    """A text that is equal for expressions of equal structure, whatever their variables are."""
    bound = bound or {}
    if isinstance(expr, core.Local):
        return "$" + bound.get(expr.name, expr.name)
    if isinstance(expr, core.Const):
        return f"#{expr.value}"
    if isinstance(expr, core.Fold):
        inner = dict(bound)
        parts = []
        for generator in expr.generators:
            source = key_of(generator.source, inner)
            inner[generator.variable] = f"~{len(inner)}"
            where = "" if generator.where is None else key_of(generator.where, inner)
            parts.append(f"{source}?{where}")
        rest = ",".join(key_of(part, inner) for part in (expr.value, expr.key))
        return f"{expr.kind}[{';'.join(parts)}|{rest}|{key_of(expr.default, bound)}]"
    if isinstance(expr, core.ExprBase):
        parts = [key_of(getattr(expr, name), bound) for name in parts_of(type(expr))]
        return f"{type(expr).__name__}({','.join(parts)})"
    if isinstance(expr, tuple):
        return "(" + ",".join(key_of(part, bound) for part in expr) + ")"
    return str(expr)


def is_path(expr: core.Expr) -> bool:
    """Whether it is a local, or a field of a path: what can be narrowed."""
    if isinstance(expr, core.Local):
        return True
    if isinstance(expr, core.Field):
        return is_path(expr.subject) or isinstance(expr.subject, core.Const)
    if isinstance(expr, core.HolderOf):
        return is_path(expr.thing) or isinstance(expr.thing, core.Const)
    if isinstance(expr, core.CallDefine):
        return all(is_path(arg) or isinstance(arg, core.Const) for arg in expr.args)
    if isinstance(expr, core.Lookup):
        return is_path(expr.table) and (is_path(expr.key) or isinstance(expr.key, core.Const))
    if isinstance(expr, core.Builtin):
        return expr.name == "position"
    return isinstance(expr, core.Fold) and expr.kind == "first"


def locals_in(expr: core.Expr) -> frozenset[str]:
    """The names of all locals in it."""
    return frozenset(part.name for part in walk(expr) if isinstance(part, core.Local))
