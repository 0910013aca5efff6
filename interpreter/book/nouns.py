"""What values and conditions of the checked program are called in English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from dsl.core import nodes as core
from dsl.core.types import FlagType, IntType, RefType, SetType, none_value
from interpreter.book.grammar import (
    a,
    are,
    clause_of,
    is_adjective,
    listed,
    plain,
    plural,
    predicate,
    whose,
)  # fmt: skip
from interpreter.session.values import Values, element_kind, filled

_COMPARED = {
    "is": ("is", "is not"),
    "is not": ("is not", "is"),
    "<": ("is less than", "is at least"),
    "<=": ("is at most", "is more than"),
    ">": ("is more than", "is at most"),
    ">=": ("is at least", "is less than"),
}
_ROUNDED = {"down": "rounded down", "up": "rounded up", "near": "rounded to the nearest"}


class Nouns:
    """Says expressions of one program: values as nouns, flags as clauses."""

    def __init__(
        self,
        program: core.Program,
        holes: dict[str, tuple[str, ...]],
        plurals: Mapping[str, str] | None = None,
    ) -> None:
        self.program = program
        self._plurals = plurals or {}
        self.values = Values(program)
        self.is_english = program.language == "en"
        self._holes = holes
        self._called: dict[str, str] = {}
        self._player_family = program.kinds[program.player_kind].family

    # ------------------------------------------------------------ words

    def kind(self, kind: str) -> str:
        """What a thing of a kind is called."""
        return self.values.kind_word(kind)

    def kinds(self, kind: str) -> str:
        """What things of a kind are called."""
        word = plain("".join(f"_{c.lower()}" if c.isupper() else c for c in kind).lstrip("_"))
        key = word.replace(" ", "_")
        known = self.program.texts.get(f"term.{key}.other") or self._plurals.get(kind)
        word = self.kind(kind)
        return known or (plural(word) if self.is_english else word)

    def label(self, name: str) -> str:
        """What a field, a zone or a value is called: `price` of `Street.price`."""
        return self.program.texts.get(f"field.{name}") or plain(name.rpartition(".")[2])

    def text(self, text: core.TextOf) -> str:
        """A text for people with its holes filled by what stands there in general."""
        values = [part for part in text.parts if isinstance(part, core.Expr)]
        template, names = self.program.texts.get(text.key), self._holes.get(text.key, ())
        if template is not None and len(names) == len(values):
            holes = dict(zip(names, (self._hole(each) for each in values), strict=True))
            return filled(template, self.values.terms | holes, self.values.forms)
        return "".join(part if isinstance(part, str) else self._hole(part) for part in text.parts)

    def _hole(self, expr: core.Expr) -> str:
        if self.is_english or isinstance(expr, core.Const):
            return self.noun(expr)
        kind = element_kind(expr.type)
        if kind is not None:
            return self.kind(kind)
        return f"({self.label(expr.column)})" if isinstance(expr, core.Field) else "…"

    # ------------------------------------------------------------ locals

    @contextmanager
    def bound(self, generators: Sequence[core.Generator]) -> Iterator[None]:
        """While the variables of these are spoken of: `it`, `that player`."""
        before = dict(self._called)
        try:
            for each in generators:
                self._called[each.variable] = self._pronoun(each.variable, each.variable_type)
            yield
        finally:
            self._called = before

    def _pronoun(self, variable: str, type_: object) -> str:
        kind = element_kind(type_)
        taken = set(self._called.values())
        if kind is None:
            return f"the {plain(variable)}" if len(plain(variable)) > 1 else "that number"
        word = self.kind(kind)
        wanted = [*(() if self._is_player(kind) else ("it",)), f"that {word}", f"the other {word}"]
        return next((each for each in wanted if each not in taken), f"the third {word}")

    def _is_player(self, kind: str) -> bool:
        return self.program.kinds[kind].family == self._player_family

    def local(self, name: str, type_: object) -> str:
        """A local of the rules: what it is called, or its kind where that is but a letter."""
        if name in self._called:
            return self._called[name]
        words, kind = plain(name), element_kind(type_)
        if len(words) == 1 and kind is not None:
            words = self.kind(kind)
        return f"the {self.full(words, type_)}"

    def full(self, label: str, type_: object) -> str:
        """A word for things; with that of their kind where it stands before a noun."""
        kind = element_kind(type_)
        if kind is None or not is_adjective(label) or label == self.kind(kind):
            return label
        return f"{label} {self.kind(kind) if isinstance(type_, RefType) else self.kinds(kind)}"

    # ------------------------------------------------------------ values

    def noun(self, expr: core.Expr) -> str:
        """A value as a noun; a flag as what it says."""
        match expr:
            case core.Const(type=type_, value=value):
                return self._constant(type_, value)
            case core.Local(name=name, type=type_):
                return self.local(name, type_)
            case core.Field(column=column, subject=subject):
                return self._part(subject, column, expr)
            case core.ZoneItems(zone=zone, holder=holder):
                return self._part(holder, zone, expr)
            case core.HolderOf(zone=zone, thing=thing):
                found = self.program.zones[zone]
                return whose(self.noun(thing), plain(found.back or "holder"))
            case core.CallDefine():
                return self._derived(expr)
            case core.Lookup(table=table, key=key):
                if isinstance(key.type, IntType):
                    return f"{self._numbered(key)} of {self.noun(table)}"
                return f"{self.noun(table)} for {self.noun(key)}"
            case core.Usual():
                return "what it would be otherwise"
            case core.TextOf():
                return self.text(expr)
            case core.Together(items=items):
                return listed([self.noun(each) for each in items])
            case core.PrintedOn(thing=thing):
                return f"what is printed on {self.noun(thing)}"
            case core.Fold(kind=kind) if kind not in ("any", "all"):
                return self._fold(expr)
            case core.Builtin():
                return self._builtin(expr)
            case _:
                return self._worked_out(expr)

    def _worked_out(self, expr: core.Expr) -> str:
        """Values that are made of others."""
        match expr:
            case core.Arith():
                return self._sum(expr)
            case core.MulDiv(value=value, times=times, by=by):
                rounding = _ROUNDED[expr.rounding]
                unit = f" to {self.values.amount(expr.unit, _unit(expr.type))}"
                if isinstance(by, core.Const) and by.value == 100:
                    rate = f"{self._number(times)} % of {self.noun(value)}"
                else:
                    rate = f"{self.noun(value)} times {self.noun(times)} by {self.noun(by)}"
                return f"{rate}, {rounding}{unit if expr.unit > 1 else ''}"
            case core.Conditional(condition=condition, then_value=then, else_value=other):
                otherwise = f"otherwise {self.noun(other)}"
                return f"{self.noun(then)} if {self.clause(condition)}, {otherwise}"
            case core.AllOf(kind=kind):
                return f"all {self.kinds(kind)}"
            case core.SetOf(items=items) | core.SeqOf(items=items):
                return listed([self.noun(each) for each in items]) or "nothing"
            case core.SetOp(op=op, left=left, right=right):
                word = {"+": "and", "-": "without", "&": "that are also among"}[op]
                return f"{self.noun(left)} {word} {self.noun(right)}"
            case core.RangeOf(low=low, high=high, step=step):
                every = self._number(step)
                steps = "" if every == "1" else f" in steps of {every}"
                return f"{self.noun(low)} to {self.noun(high)}{steps}"
            case _:
                return f"whether {self.clause(expr)}"

    def _constant(self, type_: object, value: int) -> str:
        if isinstance(type_, RefType) and value >= 0:
            return self.values.name_of(type_.kind, value)
        if isinstance(type_, SetType) and value == 0:
            return "nothing"
        return self.values.shown(type_, value)

    def _numbered(self, key: core.Expr) -> str:
        """Which of a row is meant; the rules count from 0."""
        if isinstance(key, core.Const) and 0 <= key.value < len(_ORDINALS):
            return f"the {_ORDINALS[key.value]}"
        return f"number {self.noun(key)}, counted from 0,"

    def _number(self, expr: core.Expr) -> str:
        return str(expr.value) if isinstance(expr, core.Const) else self.noun(expr)

    def _part(self, subject: core.Expr, name: str, expr: core.Expr) -> str:
        """Something of a thing: `the player's cash`, `the active player of the game`."""
        if isinstance(expr.type, FlagType):
            return f"whether {self.clause(expr)}"
        label = self.full(self.label(name), expr.type)
        owner = self.noun(subject)
        return f"the {label} of {owner}" if self._is_single(subject) else whose(owner, label)

    def _is_single(self, subject: core.Expr) -> bool:
        return isinstance(subject, core.Const) and isinstance(subject.type, RefType)

    def _derived(self, expr: core.CallDefine) -> str:
        if isinstance(expr.type, FlagType):
            return f"whether {self.clause(expr)}"
        label, subject, args = self._call(expr)
        doc = self.program.defines[expr.define].doc
        if subject is None and not args and _ASKS.fullmatch(doc):
            return doc[:1].lower() + doc[1:-1]
        label = self.full(label, expr.type)
        said = f"the {label}" if subject is None else whose(subject, label)
        if not args:
            return said
        ends = label.rpartition(" ")[2] in _PREPOSITIONS
        return f"{said} {listed(args)}" if ends else f"{said} for {listed(args)}"

    def _call(self, expr: core.CallDefine) -> tuple[str, str | None, list[str]]:
        """What a derived value is called, whose it is, and of what else it depends."""
        of, _, name = expr.define.rpartition(".")
        label = self.program.texts.get(f"define.{expr.define}") or plain(name)
        args = [self.noun(each) for each in expr.args]
        return (label, args[0], args[1:]) if of and args else (label, None, args)

    def _sum(self, expr: core.Arith) -> str:
        left, right = self._operand(expr.left), self._operand(expr.right)
        if expr.op in ("min", "max"):
            return f"the {'smaller' if expr.op == 'min' else 'larger'} of {left} and {right}"
        if expr.op == "/" and isinstance(expr.right, core.Const) and expr.right.value == 2:
            return f"half of {left}"
        if expr.op == "*":
            return _times(left, right, expr)
        if expr.op == "/":
            return f"{left} divided by {right}, rounded down"
        return f"{left} {'plus' if expr.op == '+' else 'minus'} {right}"

    def _operand(self, expr: core.Expr) -> str:
        """A part of a sum, in brackets where it would not be seen where it ends."""
        said = self.noun(expr)
        is_long = isinstance(expr, core.Conditional) or (
            isinstance(expr, core.Arith) and expr.op not in ("min", "max")
        )
        return f"({said})" if is_long else said

    # ------------------------------------------------------------ queries

    def some(self, generator: core.Generator, *, many: bool) -> str:
        """What a query goes through: `each player for which ..`, `players for whom ..`."""
        kind = element_kind(generator.variable_type)
        word = plain(generator.variable) if kind is None else self.kind(kind)
        source = generator.source
        with self.bound([generator]):
            which = "whom" if kind is not None and self._is_player(kind) else "which"
            is_any = isinstance(generator.where, core.Const) and bool(generator.where.value)
            where = (
                ""
                if is_any or generator.where is None
                else f" for {which} {self.clause(generator.where)}"
            )
        if kind is not None and isinstance(source, core.AllOf):
            return (self.kinds(kind) if many else f"every {word}") + where
        within = self.noun(source)
        if kind is not None and within == f"the {self.kinds(kind)}":
            return (self.kinds(kind) if many else f"every {word}") + where
        return (f"{plural(word)} among {within}" if many else f"every {word} of {within}") + where

    def each(self, generators: Sequence[core.Generator], *, many: bool = False) -> str:
        """What a query with several variables goes through."""
        if not generators:
            return ""
        first, rest = generators[0], generators[1:]
        said = self.some(first, many=many)
        if not rest:
            return said
        with self.bound([first]):
            return f"{said} and {self.each(rest)}"

    def _fold(self, expr: core.Fold) -> str:
        things = self.each(expr.generators, many=True)
        generator = expr.generators[0] if expr.generators else None
        is_itself = isinstance(expr.value, core.Local) and any(
            expr.value.name == each.variable for each in expr.generators
        )
        if expr.kind == "count":
            is_plain = generator is not None and generator.where is None
            if is_plain and generator is not None and not isinstance(generator.source, core.AllOf):
                return f"the number of {_without_the(self.noun(generator.source))}"
            return f"the number of {things}"
        with self.bound(expr.generators):
            value, key = self.noun(expr.value), "" if expr.key is None else self.noun(expr.key)
            if expr.kind == "first":
                return self._first(things, expr.key)
        if expr.kind in ("set", "row"):
            by = f", by {key}" if key else ""
            if is_itself:
                return f"the {things}{by}" if generator is None or generator.where else things + by
            return f"{value} for {self.each(expr.generators)}{by}"
        word = {
            "sum": "the sum, over {things}, of {value}",
            "min": "the least, among {things}, of {value}",
            "max": "the most, among {things}, of {value}",
            "distinct": "the number of different values, among {things}, of {value}",
        }[expr.kind]
        return word.replace("{things}", things).replace("{value}", value)

    def _first(self, things: str, key: core.Expr | None) -> str:
        """The first of some things, or the one with the least, or most, of something."""
        things = things.removeprefix("all ")
        if key is None:
            return f"the first of the {things}"
        is_least = not (
            isinstance(key, core.Arith)
            and key.op == "-"
            and isinstance(key.left, core.Const)
            and key.left.value == 0
        )
        said = self.noun(key if is_least or not isinstance(key, core.Arith) else key.right)
        word = "least" if is_least else "most"
        return f"the one of the {things} with the {word} {_without_the(said)}"

    def _builtin(self, expr: core.Builtin) -> str:
        said = _BUILTINS.get(expr.name)
        args = [self.noun(each) for each in expr.args]
        if said is None or said.count("{") > len(args):
            return f"{plain(expr.name)} of {listed(args)}"
        return said.format(*args)

    # ------------------------------------------------------------ conditions

    def clause(self, expr: core.Expr, *, holds: bool = True) -> str:
        """A condition as a clause: `the player can pay $50`; or that it does not hold."""
        match expr:
            case core.Const(value=value):
                return "this is always so" if bool(value) == holds else "this is never so"
            case core.Not(operand=operand):
                return self.clause(operand, holds=not holds)
            case core.Logic(op=op, left=left, right=right):
                word = op if holds else {"and": "or", "or": "and"}[op]
                return f"{self.clause(left, holds=holds)} {word} {self.clause(right, holds=holds)}"
            case core.Compare():
                return self._compared(expr, holds=holds)
            case core.Field(column=column, subject=subject):
                return self._flag(self.noun(subject), column, holds=holds)
            case core.CallDefine():
                return self._said_of(expr, holds=holds)
            case core.IsKind(subject=subject, kind=kind):
                return f"{self.noun(subject)} is{'' if holds else ' not'} {a(self.kind(kind))}"
            case core.Contains(item=item, collection=collection):
                no = "" if holds else " not"
                return f"{self.noun(item)} is{no} among {self.noun(collection)}"
            case core.Fold(kind="any" | "all"):
                return self._any_or_all(expr, holds=holds)
            case core.Local(name=name, type=FlagType()):
                words = plain(name)
                return f"“{words}” {'holds' if holds else 'does not hold'}"
            case core.Builtin(name="known", args=args):
                seat = self.noun(args[-1])
                return f"{seat} {'knows' if holds else 'does not know'} {self.noun(args[0])}"
            case core.Conditional(condition=condition, then_value=then, else_value=other):
                first = f"where {self.clause(condition)}, {self.clause(then, holds=holds)}"
                return f"{first}, and otherwise {self.clause(other, holds=holds)}"
            case _:
                whether = self.noun(expr).removeprefix("whether ")
                return f"{whether} {'holds' if holds else 'does not hold'}"

    def _compared(self, expr: core.Compare, *, holds: bool) -> str:
        left, right = expr.left, expr.right
        words = _COMPARED[expr.op][0 if holds else 1]
        is_none = isinstance(right, core.Const) and right.value == none_value(right.type)
        if is_none and not isinstance(right.type, FlagType | SetType):
            return self._is_none(left, holds=(words == "is"))
        if isinstance(left.type, FlagType):
            if isinstance(right, core.Const):
                return self.clause(left, holds=(bool(right.value) == (words == "is")))
            same = "just when" if words == "is" else "just when it is not so that"
            return f"{self.clause(left)} {same} {self.clause(right)}"
        said = self.noun(left)
        return f"{said} {are(said)}{words.removeprefix('is')} {self.noun(right)}"

    def _is_none(self, expr: core.Expr, *, holds: bool) -> str:
        has = "has no" if holds else "has"
        match expr:
            case core.HolderOf(zone=zone, thing=thing):
                label = plain(self.program.zones[zone].back or "holder")
                return f"{self.noun(thing)} {has} {label if holds else a(label)}"
            case core.Field(column=column, subject=subject):
                label = self.full(self.label(column), expr.type)
                return f"{self.noun(subject)} {has} {label if holds else a(label)}"
            case core.CallDefine() if expr.args and "." in expr.define:
                label, owner, _ = self._call(expr)
                return f"{owner} {has} {label if holds else a(label)}"
            case core.Fold(kind="first"):
                things = self.each(expr.generators, many=True)
                return f"there are {'no ' if holds else ''}{things}"
            case _:
                said = _without_the(self.noun(expr))
                return f"there is {'no' if holds else 'some'} {said}"

    def _said_of(self, expr: core.CallDefine, *, holds: bool) -> str:
        _, subject, args = self._call(expr)
        name = expr.define.rpartition(".")[2]
        more = f" {listed(args)}" if args else ""
        if subject is not None:
            return self._flag(subject, name, holds=holds) + more
        said = clause_of(name, holds=holds)
        if said is not None:
            return said + more
        if name.split("_")[0] in ("is", "has", "can"):
            return f"it {predicate(name, holds=holds)}{more}"
        return f"“{plain(name)}{more}” {'holds' if holds else 'does not hold'}"

    def _flag(self, subject: str, name: str, *, holds: bool) -> str:
        """What a flag says of whom it belongs to."""
        name = name.rpartition(".")[2]
        said = clause_of(name, holds=holds)
        return f"{said} for {subject}" if said else f"{subject} {predicate(name, holds=holds)}"

    def _any_or_all(self, expr: core.Fold, *, holds: bool) -> str:
        generators = expr.generators
        is_every = (expr.kind == "all") == holds
        is_negated = not holds
        with self.bound(generators):
            value = self.clause(expr.value, holds=not is_negated)
        is_plain = isinstance(expr.value, core.Const)
        things = self.each(generators, many=True)
        if is_plain:
            return f"there are {'no ' if is_negated else ''}{things}"
        every = self.each(generators)
        return f"for {every}, {value}" if is_every else f"for at least one of {things}, {value}"


_ASKS = re.compile(r"(?:Who|What|How) [^;:,.]{4,60}\.")
"""A comment that says what a value is, such as `What the dice show together.`"""

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip

_PREPOSITIONS = {"in", "on", "of", "for", "from", "to", "with", "by", "at", "against"}

_BUILTINS = {
    "cycle": "what lies {2} further on from {1}, going around {0}",
    "rotated": "{0} in order, from {1} on",
    "reversed": "{0} in reverse order",
    "path": "all that is passed from {1} to {2}, going around {0}",
    "next_of": "the next of {0} after {1}",
    "position": "the position of {1} in {0}",
    "top": "the top {0} of {1}",
    "subsets": "all choices of {1} out of {0}",
    "abs": "the size of {0}",
    "power": "{0} to the power of ({1})",
    "was": "what {0} was before",
}


def _unit(type_: object) -> str | None:
    return type_.unit if isinstance(type_, IntType) else None


def _without_the(text: str) -> str:
    return text.removeprefix("the ").removeprefix("all ").removeprefix("its ")


def _times(left: str, right: str, expr: core.Arith) -> str:
    for side, other in ((expr.right, left), (expr.left, right)):
        if isinstance(side, core.Const) and side.value == 2:
            return f"twice {other}"
    return f"{left} times {right}"
