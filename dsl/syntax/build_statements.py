"""Statements, from the parts of their rules."""

from __future__ import annotations

from typing import cast

from dsl.source import Span
from dsl.syntax import nodes
from dsl.syntax.build_base import Broken, Parts
from dsl.syntax.build_expressions import ExpressionBuilder
from dsl.syntax.layout import Token


class StatementBuilder(ExpressionBuilder):
    """One method per rule of the grammar's statement part, named after it."""

    def build_block(self, span: Span, parts: Parts) -> nodes.Block:
        return tuple(parts)

    def build_broken_stmt(self, span: Span, parts: Parts) -> nodes.ErrorStmt:
        self.unread.append(span)
        return nodes.ErrorStmt(span)

    def build_broken_line(self, span: Span, parts: Parts) -> Broken:
        return self.broken(span)

    # ------------------------------------------------------------ plain lines

    def build_let(self, span: Span, parts: Parts) -> nodes.Let:
        return nodes.Let(span, self.name(parts[0]), parts[1])

    def build_get(self, span: Span, parts: Parts) -> nodes.Get:
        return nodes.Get(span, self.name(parts[0]), parts[1])

    def build_assign(self, span: Span, parts: Parts) -> nodes.Assign:
        return nodes.Assign(span, parts[0], parts[1])

    def build_open_window(self, span: Span, parts: Parts) -> nodes.OpenWindow:
        return nodes.OpenWindow(span, parts[0])

    def build_command(self, span: Span, parts: Parts) -> nodes.Command:
        preps = [part for part in parts[1:] if isinstance(part, nodes.PrepArg)]
        values = [part for part in parts[1:] if part is not None]
        values = values[: len(values) - len(preps)]
        first = values[0] if values else None
        return nodes.Command(span, self.name(parts[0]), first, tuple(values[1:]), tuple(preps))

    def build_sentence(self, span: Span, parts: Parts) -> nodes.Command:
        second: Token = parts[1]
        verb = nodes.NameExpr(self.place(second), second.text)
        return self.build_command(span, [parts[0], verb, *parts[2:]])

    def build_luck_gives(self, span: Span, parts: Parts) -> nodes.Command:
        # The two words are one token, however many blanks are between them.
        start, words = span.start, self.source.text
        luck = Span(self.source, start, start + len("luck"))
        at = words.index("gives", luck.end)
        gives = nodes.NameExpr(Span(self.source, at, at + len("gives")), "gives")
        return nodes.Command(span, nodes.Name(luck, "luck"), gives, tuple(parts[1:]), ())

    def build_prep_arg(self, span: Span, parts: Parts) -> nodes.PrepArg:
        return nodes.PrepArg(span, parts[0], parts[1])

    def build_prep(self, span: Span, parts: Parts) -> str:
        return cast(str, parts[0].text)

    def build_luck(self, span: Span, parts: Parts) -> nodes.Luck:
        return nodes.Luck(span, self.name(parts[0]), parts[1], parts[2])

    def build_needs(self, span: Span, parts: Parts) -> nodes.Needs:
        return nodes.Needs(span, parts[0], self.text_or_none(parts[1]))

    def build_expect(self, span: Span, parts: Parts) -> nodes.Expect:
        return nodes.Expect(span, parts[0])

    def build_end(self, span: Span, parts: Parts) -> nodes.End:
        return nodes.End(span, self.name(parts[0]))

    def build_next_phase(self, span: Span, parts: Parts) -> nodes.NextPhase:
        return nodes.NextPhase(span, self.name(parts[0]))

    def build_return_(self, span: Span, parts: Parts) -> nodes.Return:
        return nodes.Return(span, parts[0])

    def build_as_usual(self, span: Span, parts: Parts) -> nodes.AsUsual:
        return nodes.AsUsual(span, self.args(parts))

    # ------------------------------------------------------------ what people read

    def build_says(self, span: Span, parts: Parts) -> nodes.Says:
        return nodes.Says(span, self.text(parts[1]), self.text_or_none(parts[2]))

    def build_says_nothing(self, span: Span, parts: Parts) -> nodes.Says:
        return nodes.Says(span, None, None)

    def build_label(self, span: Span, parts: Parts) -> nodes.Label:
        return nodes.Label(span, self.text(parts[0]))

    def build_shows(self, span: Span, parts: Parts) -> nodes.Shows:
        return nodes.Shows(span, tuple(parts[1:]))

    def build_pass_as(self, span: Span, parts: Parts) -> nodes.PassAs:
        return nodes.PassAs(span, self.text(parts[0]), parts[1])

    # ------------------------------------------------------------ lines with blocks

    def build_if_(self, span: Span, parts: Parts) -> nodes.If:
        branches = ((parts[0], parts[1]), *parts[2:-1])
        return nodes.If(span, branches, parts[-1])

    def build_elif(self, span: Span, parts: Parts) -> tuple[nodes.Expr, nodes.Block]:
        return parts[0], parts[1]

    def build_for_each(self, span: Span, parts: Parts) -> nodes.ForEach:
        return nodes.ForEach(span, *parts)

    def build_repeat(self, span: Span, parts: Parts) -> nodes.Repeat:
        return nodes.Repeat(span, parts[0], parts[1])

    # ------------------------------------------------------------ questions

    def build_ask_about(self, span: Span, parts: Parts) -> nodes.AskAbout:
        bullets = tuple(part for part in parts[2:] if isinstance(part, nodes.Bullet))
        label: nodes.Label | None = None
        shows: nodes.Shows | None = None
        is_begun = False
        for part in parts[2:]:
            if isinstance(part, nodes.Label) and label is None and not is_begun:
                label = part
            elif isinstance(part, nodes.Shows) and shows is None and not is_begun:
                shows = part
            elif isinstance(part, nodes.Label | nodes.Shows):
                what = "how it is put" if isinstance(part, nodes.Label) else "what it shows"
                self.remark("RW0212", part.span, f"{what} stands right below the question")
            else:
                is_begun = True
        return nodes.AskAbout(span, parts[0], self.name(parts[1]), label, shows, bullets)

    def build_bullet(self, span: Span, parts: Parts) -> nodes.Bullet:
        return nodes.Bullet(span, self.name(parts[0]), parts[1] if len(parts) > 1 else ())

    def build_ask(self, span: Span, parts: Parts) -> nodes.Ask:
        body, otherwise = parts[2:] if len(parts) > 2 else (None, None)
        return nodes.Ask(span, parts[0], parts[1], body, otherwise)

    def build_secretly(self, span: Span, parts: Parts) -> nodes.Secretly:
        return nodes.Secretly(span, *parts)

    def build_which(self, span: Span, parts: Parts) -> nodes.Question:
        count, picked, question, if_any, source, where, such_that, reason = parts
        return nodes.Question(
            span,
            "which",
            self.name(picked),
            self.name(question),
            count,
            if_any is not None,
            source,
            where,
            such_that,
            self.text_or_none(reason),
        )

    def build_how_much(self, span: Span, parts: Parts) -> nodes.Question:
        picked, question = self.names(parts[:2])
        return nodes.Question(
            span, "how much", picked, question, None, False, parts[2], None, None, None
        )

    def build_option_which(self, span: Span, parts: Parts) -> nodes.OptionWhich:
        count, picked, source, where, such_that, reason = parts
        return nodes.OptionWhich(
            span, self.name(picked), count, source, where, such_that, self.text_or_none(reason)
        )

    def build_option_how_much(self, span: Span, parts: Parts) -> nodes.OptionHowMuch:
        return nodes.OptionHowMuch(span, self.name(parts[0]), parts[1])

    def build_count(self, span: Span, parts: Parts) -> nodes.Count:
        return nodes.Count(span, parts[0], parts[1])

    # ------------------------------------------------------------ what scenarios expect

    def build_may(self, span: Span, parts: Parts) -> nodes.May:
        who, (form, answer, args) = parts
        return nodes.May(span, who, False, form, answer, args, None)

    def build_may_not(self, span: Span, parts: Parts) -> nodes.May:
        who, (form, answer, args), reason = parts
        return nodes.May(span, who, True, form, answer, args, self.text_or_none(reason))

    def build_was_asked(self, span: Span, parts: Parts) -> nodes.WasAsked:
        return nodes.WasAsked(span, parts[0], False, self.name(parts[2]))

    def build_was_not_asked(self, span: Span, parts: Parts) -> nodes.WasAsked:
        return nodes.WasAsked(span, parts[0], True, self.name(parts[2]))

    def build_game_over(self, span: Span, parts: Parts) -> nodes.GameIs:
        return nodes.GameIs(span, True)

    def build_game_on(self, span: Span, parts: Parts) -> nodes.GameIs:
        return nodes.GameIs(span, False)
