"""Expressions and types, from the parts of their rules."""

from __future__ import annotations

from typing import Any, Literal, cast

from dsl.diagnostics.record import Edit, Fix
from dsl.source import Span
from dsl.syntax import nodes
from dsl.syntax.build_base import BuilderBase, Parts
from dsl.syntax.foreign import VALUES
from dsl.syntax.layout import Token


class ExpressionBuilder(BuilderBase):
    """One method per rule of the grammar's expression and type parts, named after it."""

    # ------------------------------------------------------------ leaves

    def build_number(self, span: Span, parts: Parts) -> nodes.Number:
        return nodes.Number(span, self.whole(span, parts[0].text))

    def build_percent(self, span: Span, parts: Parts) -> nodes.Percent:
        return nodes.Percent(span, self.whole(span, parts[0].text[:-1]))

    def build_string(self, span: Span, parts: Parts) -> nodes.Text:
        return self.text(parts[0])

    def build_name(self, span: Span, parts: Parts) -> nodes.NameExpr | nodes.Literal_:
        return self._foreign(span, parts[0].text) or nodes.NameExpr(span, parts[0].text)

    def build_kind_name(self, span: Span, parts: Parts) -> nodes.KindExpr | nodes.Literal_:
        return self._foreign(span, parts[0].text) or nodes.KindExpr(span, parts[0].text)

    def _foreign(self, span: Span, word: str) -> nodes.Literal_ | None:
        """A value of another language: reported, and read as what it means."""
        meant = VALUES.get(word)
        if meant is None:
            return None
        fix = Fix(f"write `{meant}`", (Edit(span, meant),))
        self.remark("RW0204", span, f"`{word}` is not used here", f"write `{meant}`", fix)
        return nodes.Literal_(span, meant)

    def build_yes(self, span: Span, parts: Parts) -> nodes.Literal_:
        return nodes.Literal_(span, "yes")

    def build_no(self, span: Span, parts: Parts) -> nodes.Literal_:
        return nodes.Literal_(span, "no")

    def build_none(self, span: Span, parts: Parts) -> nodes.Literal_:
        return nodes.Literal_(span, "none")

    def build_usual(self, span: Span, parts: Parts) -> nodes.Literal_:
        return nodes.Literal_(span, "usual")

    # ------------------------------------------------------------ operators

    def build_conditional(self, span: Span, parts: Parts) -> nodes.Conditional:
        return nodes.Conditional(span, *parts)

    def build_otherwise(self, span: Span, parts: Parts) -> nodes.Binary:
        return nodes.Binary(span, "otherwise", parts[0], parts[1])

    def build_either(self, span: Span, parts: Parts) -> nodes.Expr:
        return self._chain("or", parts)

    def build_both(self, span: Span, parts: Parts) -> nodes.Expr:
        return self._chain("and", parts)

    def _chain(self, op: Literal["and", "or"], parts: Parts) -> nodes.Expr:
        left: nodes.Expr = parts[0]
        for right in parts[1:]:
            left = nodes.Binary(left.span.to(right.span), op, left, right)
        return left

    def build_not_(self, span: Span, parts: Parts) -> nodes.Unary:
        return nodes.Unary(span, "not", parts[0])

    def build_negative(self, span: Span, parts: Parts) -> nodes.Unary:
        return nodes.Unary(span, "-", parts[0])

    def build_comparison(self, span: Span, parts: Parts) -> nodes.Binary:
        return nodes.Binary(span, parts[1], parts[0], parts[2])

    def build_binary(self, span: Span, parts: Parts) -> nodes.Binary:
        return nodes.Binary(span, parts[1], parts[0], parts[2])

    def build_cmp(self, span: Span, parts: Parts) -> str:
        return " ".join(token.text for token in parts)

    def build_add_op(self, span: Span, parts: Parts) -> str:
        return cast(str, parts[0].text)

    def build_mul_op(self, span: Span, parts: Parts) -> str:
        return cast(str, parts[0].text)

    def build_range(self, span: Span, parts: Parts) -> nodes.Range:
        return nodes.Range(span, *parts)

    def build_parenthesis(self, span: Span, parts: Parts) -> nodes.Expr:
        return cast(nodes.Expr, parts[0])

    # ------------------------------------------------------------ paths, calls, lists

    def build_dot(self, span: Span, parts: Parts) -> nodes.Dot:
        return nodes.Dot(span, parts[0], self.name(parts[1]), None)

    def build_dot_call(self, span: Span, parts: Parts) -> nodes.Dot:
        return nodes.Dot(span, parts[0], self.name(parts[1]), self.args(parts[2:]))

    def build_index(self, span: Span, parts: Parts) -> nodes.Index:
        return nodes.Index(span, parts[0], parts[1])

    def build_call(self, span: Span, parts: Parts) -> nodes.Call:
        return nodes.Call(span, self.name(parts[0]), self.args(parts[1:]))

    def build_new(self, span: Span, parts: Parts) -> nodes.New:
        return nodes.New(span, self.name(parts[0]), self.args(parts[1:]))

    def build_list(self, span: Span, parts: Parts) -> nodes.ListExpr:
        return nodes.ListExpr(span, tuple(part for part in parts if part is not None))

    def build_path(self, span: Span, parts: Parts) -> nodes.Expr:
        first: Token = parts[0]
        path: nodes.Expr = nodes.NameExpr(self.place(first), first.text)
        for token in parts[1:]:
            name = self.name(token)
            path = nodes.Dot(path.span.to(name.span), path, name, None)
        return path

    def build_entry(self, span: Span, parts: Parts) -> nodes.Index:
        *names, key = parts
        return nodes.Index(span, self.build_path(span, names), key)

    def build_named(self, span: Span, parts: Parts) -> nodes.Arg:
        return nodes.Arg(span, self.name(parts[0]), parts[1])

    def build_known_to(self, span: Span, parts: Parts) -> nodes.Arg:
        word = self.first_word(span)
        to = Span(self.source, word.start, word.start + len("to"))
        return nodes.Arg(span, nodes.Name(to, "to"), parts[0])

    def args(self, parts: Parts) -> tuple[nodes.Arg, ...]:
        """Arguments, where plain values are not wrapped yet and an absent list is a None."""
        return tuple(
            part if isinstance(part, nodes.Arg) else nodes.Arg(part.span, None, part)
            for part in parts
            if part is not None
        )

    def build_query(self, span: Span, parts: Parts) -> nodes.Query:
        return nodes.Query(span, parts[0], tuple(parts[1:-1]), parts[-1])

    def build_clause(self, span: Span, parts: Parts) -> nodes.Clause:
        return nodes.Clause(span, self.name(parts[0]), parts[1], parts[2])

    # ------------------------------------------------------------ types

    def build_word_type(self, span: Span, parts: Parts) -> nodes.WordType:
        return nodes.WordType(span, parts[0].text)

    def build_kind_type(self, span: Span, parts: Parts) -> nodes.KindType:
        return nodes.KindType(span, parts[0].text)

    def build_range_type(self, span: Span, parts: Parts) -> nodes.RangeType:
        return nodes.RangeType(span, *parts)

    def build_optional_type(self, span: Span, parts: Parts) -> nodes.OptionalType:
        return nodes.OptionalType(span, parts[0])

    def build_list_type(self, span: Span, parts: Parts) -> nodes.ListType:
        return nodes.ListType(span, ordered=False, element=parts[0], bound=parts[1])

    def build_row_type(self, span: Span, parts: Parts) -> nodes.ListType:
        return nodes.ListType(span, ordered=True, element=parts[0], bound=parts[1])

    def build_map_type(self, span: Span, parts: Parts) -> nodes.MapType:
        return nodes.MapType(span, *parts)

    def build_choice_type(self, span: Span, parts: Parts) -> nodes.ChoiceType:
        values: list[nodes.Name] = []
        for part in parts:
            if isinstance(part, nodes.WordType):
                values.append(nodes.Name(part.span, part.name))
            else:
                self.remark(
                    "RW0216",
                    part.span,
                    f"`{part.span.text}` can't be one of several words to choose from",
                    "a choice is made of words in lower case: `now | later`",
                )
        return nodes.ChoiceType(span, tuple(values))


Value = Any
