"""Tree to nodes: the parts of each rule of the grammar become a node of `nodes`.

The driver calls `Builder.build_RULE(span, parts)` as soon as it has read a RULE; `parts` are what
the rule keeps (words and signs that only mark something are left out, absent optional parts are
None). So no tree of another kind is made in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from dsl.source import Span
from dsl.syntax import nodes
from dsl.syntax.build_base import Broken, Parts
from dsl.syntax.build_scenarios import ScenarioBuilder
from dsl.syntax.layout import Token

BuildOf = Callable[["Builder", Span, Parts], Any]


class Builder(ScenarioBuilder):
    """One method per rule of the grammar's declarations and strategies."""

    def build_start(self, span: Span, parts: Parts) -> nodes.Script:
        kept = tuple(part for part in parts if not isinstance(part, Broken))
        whole = Span(self.source, 0, len(self.source.text))
        return nodes.Script(whole, kept, tuple(self.unread))

    def build_broken_decl(self, span: Span, parts: Parts) -> Broken:
        return self.broken(span)

    # ------------------------------------------------------------ overlays

    def build_replace(self, span: Span, parts: Parts) -> nodes.Replace:
        inner: nodes.Decl = parts[0]
        return nodes.Replace(span, inner.doc, inner)

    def build_remove(self, span: Span, parts: Parts) -> nodes.Remove:
        return nodes.Remove(span, self.doc(span.start), parts[0], self.name(parts[1]), parts[2])

    def build_what(self, span: Span, parts: Parts) -> str:
        return cast(str, parts[0].text)

    def build_set_switch(self, span: Span, parts: Parts) -> nodes.SetSwitch:
        return nodes.SetSwitch(span, self.doc(span.start), self.name(parts[0]), parts[1])

    def build_add_fields(self, span: Span, parts: Parts) -> nodes.AddFields:
        return nodes.AddFields(span, self.doc(span.start), self.name(parts[0]), parts[1])

    def build_exception(self, span: Span, parts: Parts) -> nodes.ExceptionDecl:
        lets, base, buts = self._define_lines(parts[1:])
        if base is not None:
            self.remark(
                "RW0212",
                base.span,
                "an exception has no value of its own, only `but` lines",
                "give the line a name and say when it applies: `but NAME: VALUE if CONDITION`",
            )
        return nodes.ExceptionDecl(span, self.doc(span.start), parts[0], lets, buts)

    def build_forbid(self, span: Span, parts: Parts) -> nodes.Forbid:
        option, place = self.names(parts[:2])
        reason = self.text(parts[3])
        return nodes.Forbid(span, self.doc(span.start), option, place, parts[2], reason)

    # ------------------------------------------------------------ what exists

    def build_kind(self, span: Span, parts: Parts) -> nodes.KindDecl:
        name, base, plural, _made, pool = parts[:5]
        return nodes.KindDecl(
            span,
            self.doc(span.start),
            self.name(name),
            self.name_or_none(base),
            self.name_or_none(plural),
            pool,
            parts[5] if len(parts) > 5 else (),
        )

    def build_thing(self, span: Span, parts: Parts) -> nodes.ThingDecl:
        base = self.name_or_none(parts[1])
        fields = parts[2] if len(parts) > 2 else ()
        return nodes.ThingDecl(span, self.doc(span.start), self.name(parts[0]), base, fields)

    def build_unit(self, span: Span, parts: Parts) -> nodes.UnitDecl:
        plural = self.name_or_none(parts[1])
        return nodes.UnitDecl(span, self.doc(span.start), self.name(parts[0]), plural)

    def build_choice_decl(self, span: Span, parts: Parts) -> nodes.ChoiceDecl:
        name, *values = self.names(parts)
        return nodes.ChoiceDecl(span, self.doc(span.start), name, tuple(values))

    def build_switch(self, span: Span, parts: Parts) -> nodes.SwitchDecl:
        name, type_, default, question = parts
        return nodes.SwitchDecl(
            span,
            self.doc(span.start),
            self.name(name),
            type_,
            default,
            self.text_or_none(question),
        )

    def build_fields(self, span: Span, parts: Parts) -> tuple[nodes.Field, ...]:
        return tuple(part for part in parts if not isinstance(part, Broken))

    def build_state_field(self, span: Span, parts: Parts) -> nodes.StateField:
        name, type_, starts, *traits = parts
        doc = self.field_doc(span.start, span.end)
        return nodes.StateField(span, self.name(name), type_, starts, tuple(traits), doc)

    def build_holder_field(self, span: Span, parts: Parts) -> nodes.HolderField:
        name, what, back, bound, starts, *traits = parts
        return nodes.HolderField(
            span,
            self.name(name),
            self.name(what),
            self.name_or_none(back),
            bound,
            starts,
            tuple(traits),
            self.field_doc(span.start, span.end),
        )

    def build_ordered(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "ordered", None, None)

    def build_endless(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "endless", None, None)

    def build_fanned(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "fanned", None, None)

    def build_shown(self, span: Span, parts: Parts) -> nodes.Trait:
        is_not = str(parts[0].text).startswith("not")
        return nodes.Trait(span, "not shown" if is_not else "shown", None, None)

    def build_count_hidden(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "count hidden", None, parts[1])

    def build_seen(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "seen", parts[0].text, parts[1])

    def build_set_by(self, span: Span, parts: Parts) -> nodes.Trait:
        return nodes.Trait(span, "set", " or ".join(part.text for part in parts), None)

    # ------------------------------------------------------------ derived values

    def build_define(self, span: Span, parts: Parts) -> nodes.Define:
        head, type_, told, *lines = parts
        seen_by = self.name_or_none(told)
        if len(lines) == 1 and nodes.is_expr(lines[0]):
            return nodes.Define(span, self.doc(span.start), head, type_, seen_by, (), lines[0], ())
        lets, base, buts = self._define_lines(lines)
        if base is None:
            if not any(isinstance(line, Broken) for line in lines):
                self.remark(
                    "RW0212",
                    head.span,
                    f"`{head.name.text}` has no value of its own",
                    "put the value that holds when no `but` line applies on a line before them",
                )
            base = nodes.ErrorExpr(head.span)
        return nodes.Define(span, self.doc(span.start), head, type_, seen_by, lets, base, buts)

    def _define_lines(
        self, lines: Parts
    ) -> tuple[tuple[nodes.Let, ...], nodes.Expr | None, tuple[nodes.But, ...]]:
        """The `let` lines, the value and the `but` lines, which come in this order."""
        lets: list[nodes.Let] = []
        base: nodes.Expr | None = None
        buts: list[nodes.But] = []
        for line in lines:
            if isinstance(line, nodes.Let):
                if base is not None or buts:
                    self._misplaced(line.span, "`let` lines come first, before any value")
                lets.append(line)
            elif isinstance(line, nodes.But):
                buts.append(line)
            elif nodes.is_expr(line):
                if base is not None:
                    self._misplaced(line.span, "there is a value already: this is a second one")
                elif buts:
                    self._misplaced(line.span, "the value comes before the `but` lines")
                base = base or line
        return tuple(lets), base, tuple(buts)

    def _misplaced(self, span: Span, message: str) -> None:
        self.remark("RW0212", span, message, "the order is: `let` lines, the value, `but` lines")

    def build_base(self, span: Span, parts: Parts) -> nodes.Expr:
        return cast(nodes.Expr, parts[0])

    def build_head(self, span: Span, parts: Parts) -> nodes.Head:
        subject, name, *params = parts
        kept = tuple(param for param in params if param is not None)
        return nodes.Head(span, subject, self.name(name), kept)

    def build_subject(self, span: Span, parts: Parts) -> nodes.Param:
        part: Token | nodes.Param = parts[0]
        if isinstance(part, nodes.Param):
            return part
        return nodes.Param(span, self.name(part), None)

    def build_param(self, span: Span, parts: Parts) -> nodes.Param:
        return nodes.Param(span, self.name(parts[0]), parts[1])

    def build_but(self, span: Span, parts: Parts) -> nodes.But:
        return nodes.But(span, self.name(parts[0]), parts[1], parts[2])

    # ------------------------------------------------------------ what happens

    def build_signature(self, span: Span, parts: Parts) -> nodes.Signature:
        return nodes.Signature(span, self.name(parts[0]), parts[1], tuple(parts[2:]))

    def build_prep_param(self, span: Span, parts: Parts) -> nodes.PrepParam:
        return nodes.PrepParam(span, parts[0], parts[1])

    def build_routine(self, span: Span, parts: Parts) -> nodes.Routine:
        return nodes.Routine(span, self.doc(span.start), *parts)

    def build_event(self, span: Span, parts: Parts) -> nodes.EventDecl:
        body = parts[1] if len(parts) > 1 else ()
        return nodes.EventDecl(span, self.doc(span.start), parts[0], body)

    def build_rule(self, span: Span, parts: Parts) -> nodes.RuleDecl:
        name, timing, signature, condition, ahead_of, body = parts
        return nodes.RuleDecl(
            span,
            self.doc(span.start),
            self.name(name),
            _words(timing),
            signature,
            condition,
            self.name_or_none(ahead_of),
            body,
        )

    def build_watch(self, span: Span, parts: Parts) -> nodes.WatchDecl:
        return nodes.WatchDecl(span, self.doc(span.start), self.name(parts[0]), parts[1], parts[2])

    def build_always(self, span: Span, parts: Parts) -> nodes.Always:
        name, *clauses, condition, reason = parts
        return nodes.Always(
            span,
            self.doc(span.start),
            self.name(name),
            tuple(clauses),
            condition,
            self.text_or_none(reason),
        )

    def build_phase(self, span: Span, parts: Parts) -> nodes.Phase:
        return nodes.Phase(span, self.doc(span.start), self.name(parts[0]), parts[1], parts[2])

    def build_measure(self, span: Span, parts: Parts) -> nodes.Measure:
        name, title, timing, signature, condition, value, *per = parts
        return nodes.Measure(
            span,
            self.doc(span.start),
            self.name(name),
            self.text_or_none(title),
            _words(timing),
            signature,
            condition,
            value,
            tuple(part for part in per if part is not None),
        )

    # ------------------------------------------------------------ windows and options

    def build_window(self, span: Span, parts: Parts) -> nodes.Window:
        signature, *lines = parts
        asked: nodes.Clause | None = None
        closing: str | None = None
        label: nodes.Label | None = None
        shows: nodes.Shows | None = None
        passes = tuple(line for line in lines if isinstance(line, nodes.PassAs))
        for line in lines:
            if isinstance(line, nodes.Label):
                if label is not None:
                    self._window_line(line.span, "a window asks with one sentence only")
                label = line
            elif isinstance(line, nodes.Shows):
                if shows is not None:
                    self._window_line(line.span, "a window says in one line what it shows")
                shows = line
            elif isinstance(line, nodes.Clause):
                if asked is not None:
                    self._window_line(line.span, "a window asks only once")
                elif closing is not None:
                    self._window_line(line.span, "the `ask` line comes before the closing line")
                asked = line
            elif isinstance(line, nodes.Name):
                if closing is not None:
                    self._window_line(line.span, "a window closes in one way only")
                closing = line.text
        is_broken = any(isinstance(line, Broken) for line in lines)
        verb: nodes.Name = signature.verb
        if asked is None and not is_broken:
            self._window_line(verb.span, f"the window `{verb.text}` does not say who is asked")
        elif closing is None and not is_broken:
            self._window_line(verb.span, f"the window `{verb.text}` does not say when it closes")
        if asked is None:
            nobody = nodes.Name(verb.span, "")
            asked = nodes.Clause(verb.span, nobody, nodes.ErrorExpr(verb.span), None)
        way = cast(nodes.Closing, closing or "until all pass")
        return nodes.Window(span, self.doc(span.start), signature, asked, way, label, shows, passes)

    def _window_line(self, span: Span, message: str) -> None:
        self.remark(
            "RW0213",
            span,
            message,
            "a window has two lines: `ask each NAME in LIST`, then `until all pass`, "
            "`until one acts`, `until nobody can`, `once each` or `exactly one`; perhaps how it is "
            'put: `as "text"`, `pass as "text"`',
        )

    def build_asked(self, span: Span, parts: Parts) -> nodes.Clause:
        return cast(nodes.Clause, parts[0])

    def build_closing(self, span: Span, parts: Parts) -> nodes.Name:
        return nodes.Name(span, _words(parts[0]))

    def build_option(self, span: Span, parts: Parts) -> nodes.Option:
        name, *rest = parts
        windows = [part for part in rest if isinstance(part, Token)]
        by, *given = rest[len(windows) : -1]
        return nodes.Option(
            span,
            self.doc(span.start),
            self.name(name),
            self.names(windows),
            by,
            tuple(given),
            rest[-1],
        )

    # ------------------------------------------------------------ strategies

    def build_strategy(self, span: Span, parts: Parts) -> nodes.Strategy:
        name, base, *lines = parts
        kept = tuple(line for line in lines if not isinstance(line, Broken))
        return nodes.Strategy(
            span, self.doc(span.start), self.name(name), self.name_or_none(base), kept
        )

    def build_strategy_for(self, span: Span, parts: Parts) -> nodes.StrategyFor:
        questions = [part for part in parts if isinstance(part, Token)]
        lets: list[nodes.Let] = []
        preferences: list[nodes.Preference] = []
        is_broken = False
        for line in parts[len(questions) :]:
            if isinstance(line, nodes.Preference):
                preferences.append(line)
            elif isinstance(line, nodes.Let):
                if preferences or is_broken:
                    self.remark("RW0212", line.span, "`let` lines come before all answers")
                lets.append(line)
            else:
                is_broken = True
        if not preferences and not is_broken:
            self.remark(
                "RW0212",
                self.place(questions[0]),
                "the strategy gives no answer here",
                "add a line with an answer, such as `pass`",
            )
        return nodes.StrategyFor(span, self.names(questions), tuple(lets), tuple(preferences))

    def build_preference(self, span: Span, parts: Parts) -> nodes.Preference:
        (form, answer, args), *clauses = parts[:-2]
        condition, ranking = parts[-2:]
        return nodes.Preference(span, form, answer, args, tuple(clauses), condition, ranking or ())

    def build_pick(self, span: Span, parts: Parts) -> tuple[object, ...]:
        return "pick", None, self.args(parts)

    def build_pass_(self, span: Span, parts: Parts) -> tuple[object, ...]:
        return "pass", None, ()

    def build_named_answer(self, span: Span, parts: Parts) -> tuple[object, ...]:
        return "named", self.name(parts[0]), self.args(parts[1:])

    def build_for_clause(self, span: Span, parts: Parts) -> nodes.Clause:
        return cast(nodes.Clause, parts[0])

    def build_with_the(self, span: Span, parts: Parts) -> tuple[nodes.WithThe, ...]:
        return tuple(
            nodes.WithThe(extreme.span.to(value.span), extreme.text, value)
            for extreme, value in zip(parts[::2], parts[1::2], strict=True)
        )

    def build_most(self, span: Span, parts: Parts) -> nodes.Name:
        return nodes.Name(span, "most")

    def build_least(self, span: Span, parts: Parts) -> nodes.Name:
        return nodes.Name(span, "least")


def _words(token: Token) -> Any:
    """A word of several, with one blank between each."""
    return " ".join(token.text.split())


def building(rule: str) -> BuildOf:
    """The method that makes the value of a rule."""
    return cast(BuildOf, getattr(Builder, f"build_{rule}"))
