"""Expressions of the core in the language's own words, every name resolved."""

from __future__ import annotations

from dsl.check import fit
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, RefType, Type

_TIGHTNESS = {
    "or": 1, "and": 2, "is": 4, "is not": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 6, "-": 6, "&": 6, "*": 7, "/": 7,
}  # fmt: skip
_CONDITIONAL, _NOT, _ATOM = 0, 3, 9


class Values:
    """Writes the expressions of one program."""

    def __init__(self, program: core.Program) -> None:
        self.program = program

    def value(self, expr: core.Expr, outer: int = 0) -> str:
        """An expression, in brackets where it stands in something that binds tighter."""
        text, own = self._written(expr)
        return f"({text})" if own < outer else text

    def _written(self, expr: core.Expr) -> tuple[str, int]:
        match expr:
            case core.Arith(op=("min" | "max") as op, left=left, right=right):
                return f"{op}({self.value(left)}, {self.value(right)})", _ATOM
            case (
                core.Logic(op=op, left=left, right=right)
                | core.Arith(op=op, left=left, right=right)
                | core.Compare(op=op, left=left, right=right)
                | core.SetOp(op=op, left=left, right=right)
            ):
                own = _TIGHTNESS[op]
                return f"{self.value(left, own)} {op} {self.value(right, own + 1)}", own
            case core.Not(operand=operand):
                return f"not {self.value(operand, _NOT)}", _NOT
            case core.IsKind(subject=subject, kind=kind):
                return f"{self.value(subject, 5)} is {kind}", 4
            case core.Contains(item=item, collection=collection):
                return f"{self.value(item, 5)} in {self.value(collection, 5)}", 4
            case core.Conditional(condition=condition, then_value=then, else_value=other):
                parts = self.value(then, 1), self.value(condition, 1), self.value(other)
                return "{} if {} else {}".format(*parts), _CONDITIONAL
            case core.RangeOf(low=low, high=high, step=step):
                by = "" if isinstance(step, core.Const) and step.value == 1 else self.value(step, 6)
                text = f"{self.value(low, 6)}..{self.value(high, 6)}"
                return text + (f" step {by}" if by else ""), 5
            case _:
                return self._atom(expr), _ATOM

    def _atom(self, expr: core.Expr) -> str:
        match expr:
            case core.Const(value=value, type=type_):
                return self.constant(value, type_)
            case core.Local(name=name):
                return name
            case core.Usual():
                return "usual"
            case core.Field(column=name, subject=subject):
                return f"{self.value(subject, _ATOM)}.{name.rpartition('.')[2]}"
            case (
                core.ZoneItems(zone=name, holder=subject) | core.HolderOf(zone=name, thing=subject)
            ):
                zone = self.program.zones[name]
                word = zone.field if isinstance(expr, core.ZoneItems) else zone.back
                return f"{self.value(subject, _ATOM)}.{word}"
            case core.Lookup(table=table, key=key):
                return f"{self.value(table, _ATOM)}[{self.value(key)}]"
            case core.CallDefine(define=define, args=args):
                return self._call(define, args)
            case core.MulDiv(value=value, times=times, by=by, rounding=rounding, unit=unit):
                part = f"{self.value(value, 7)} * {self.value(times, 8)} / {self.value(by, 8)}"
                return f"round_{rounding}({part}" + (f", {unit})" if unit > 1 else ")")
            case core.AllOf(kind=kind):
                return kind
            case core.SetOf(items=items) | core.SeqOf(items=items):
                return f"[{', '.join(self.value(item) for item in items)}]"
            case core.Fold():
                return self._query(expr)
            case core.Builtin(name=word, args=args):
                return f"{word}({', '.join(self.value(arg) for arg in args)})"
            case core.PrintedOn(thing=thing):
                return f"{self.value(thing, 9)}.text"
            case core.TextOf(parts=parts):
                return f'"{"".join(self._part(part) for part in parts)}"'
            case _:
                return type(expr).__name__

    def _part(self, part: str | core.Expr) -> str:
        return part if isinstance(part, str) else f"{{{self.value(part)}}}"

    def _call(self, define: str, args: tuple[core.Expr, ...]) -> str:
        has_subject = self.program.defines[define].variants[0].kind is not None or "." in define
        word = define.rpartition(".")[2]
        values = [self.value(arg, _ATOM if not number else 0) for number, arg in enumerate(args)]
        if has_subject and values:
            word, values = f"{values[0]}.{word}", values[1:]
        return f"{word}({', '.join(values)})" if values else word

    def _query(self, fold: core.Fold) -> str:
        each = " for ".join(self.generator(one) for one in fold.generators)
        by = f" by {self.value(fold.key)}" if fold.key is not None else ""
        last = fold.generators[-1].variable
        is_plain = isinstance(fold.value, core.Local) and fold.value.name == last
        is_plain = is_plain or fold.kind == "count"
        what = "" if is_plain and len(fold.generators) == 1 else f"{self.value(fold.value, 1)} for "
        if fold.kind in ("set", "row"):
            return f"[{what}{each}{by}]"
        default = "" if fold.default is None else f", default: {self.value(fold.default)}"
        return f"{fold.kind}({what}{each}{by}{default})"

    def generator(self, one: core.Generator) -> str:
        """`each x in LIST where CONDITION`."""
        where = f" where {self.value(one.where)}" if one.where is not None else ""
        return f"each {one.variable} in {self.value(one.source, 1)}{where}"

    def constant(self, value: int, type_: Type) -> str:
        """A constant by its name."""
        if isinstance(type_, FlagType):
            return "yes" if value else "no"
        if isinstance(type_, RefType | ChoiceType) and value < 0:
            return "none"
        if isinstance(type_, ChoiceType):
            return type_.values[value]
        if isinstance(type_, RefType) and type_.kind in self.program.kinds:
            return self.program.families[self.program.kinds[type_.kind].family].ids[value]
        return str(value)

    def type(self, type_: Type) -> str:
        """A type as it is written."""
        return fit.plain(type_)
