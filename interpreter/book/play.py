"""The chapters of what happens: the turn, what players may do, what is worked out, and when."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from dsl.core.types import FlagType
from interpreter.book.grammar import a, capital, listed, plain, sentence
from interpreter.book.record import Block, Bullets, Item, Paragraph
from interpreter.book.teller import Teller
from interpreter.session.facts import walk

Timed = core.Routine | core.Phase


class Play:
    """Tells of all that happens in one program. `placed`: kinds that have a chapter in which rules
    about them stand."""

    def __init__(self, teller: Teller, placed: frozenset[str]) -> None:
        self.teller = teller
        self.program = teller.program
        self.placed = placed
        self.order = _order(self.program)

    def turn(self) -> Iterator[Block]:
        """The phases, and the events in the order in which play comes to them."""
        for phase in self.program.phases.values():
            yield from self._timed(phase, f"phase-{phase.name}")
        for routine in self.order:
            if routine.is_event:
                yield from self._timed(routine, _anchor(routine))

    def acts(self) -> Iterator[Block]:
        """What is done in the course of others."""
        for routine in self.order:
            if not routine.is_event:
                yield from self._timed(routine, _anchor(routine))

    def of_kind(self, kind: str) -> Iterator[Block]:
        """The rules about things of a kind."""
        for routine in self.order:
            for timing, hook in _hooks(routine):
                if any(pattern.kind == kind for pattern in hook.patterns):
                    yield from self._hook(routine, timing, hook, but=kind)

    def at_any_time(self) -> Iterator[Block]:
        """The rules that watch for something."""
        for watch in self.program.watches:
            when = f"As soon as {self.teller.nouns.clause(watch.condition)}:"
            body = self.teller.sentences.block(watch.body)
            says = self.teller.sentences.headline(watch.body)
            yield from self.teller.entry(
                watch.rule, f"rule-{watch.rule}", watch.doc, [Item(when, body)], says=says
            )

    def values(self) -> Iterator[Block]:
        """What is worked out, such as what a visit costs."""
        used = _used(self.program)
        for define in self.program.defines.values():
            if define.name not in used:
                continue
            lines = [line for variant in define.variants for line in self.variant(define, variant)]
            label = plain(define.name.rpartition(".")[2])
            of = define.name.rpartition(".")[0]
            note = f"({self.teller.nouns.kind(of)})" if of in self.program.kinds else ""
            yield from self.teller.entry(
                label, f"value-{define.name}", define.doc, lines, note=note
            )

    # ------------------------------------------------------------ what players may do

    def options(self) -> Iterator[Block]:
        """The windows, each with what may be done there."""
        told: set[str] = set()
        for window in self.program.windows.values():
            yield from self._window(window)
            for name in window.options:
                if name not in told:
                    told.add(name)
                    yield from self._option(self.program.options[name])

    def _window(self, window: core.Window) -> Iterator[Block]:
        teller, nouns = self.teller, self.teller.nouns
        title = capital(plain(window.name))
        yield teller.titled(title, f"window-{window.name}", 3)
        yield from teller.prose(window.doc)
        if window.label is not None:
            yield Paragraph(f"“{nouns.text(window.label)}”")
        who = self._asked(window.asked)
        names = [f"“{plain(name)}”" for name in window.options]
        closing = _CLOSINGS[window.closing]
        yield Bullets(
            (
                Item(f"Asked: {who}."),
                Item(f"They may: {listed(names) or 'nothing'}."),
                Item(closing),
            ),
            is_english=True,
        )

    def _asked(self, generator: core.Generator) -> str:
        nouns, source = self.teller.nouns, generator.source
        if isinstance(source, core.SetOf | core.SeqOf) and len(source.items) == 1:
            who = nouns.noun(source.items[0])
            if generator.where is None:
                return who
            with nouns.bound([generator]):
                return f"{who}, if {nouns.clause(generator.where)}"
        return nouns.some(generator, many=False)

    def _label(self, option: core.Option) -> str:
        if option.label is None:
            return plain(option.name)
        return self.teller.nouns.text(option.label)

    def _option(self, option: core.Option) -> Iterator[Block]:
        teller, sentences = self.teller, self.teller.sentences
        windows = listed([f"“{plain(name)}”" for name in option.windows])
        yield teller.titled(capital(plain(option.name)), f"option-{option.name}", 4, f"({windows})")
        yield from teller.prose(option.doc)
        yield Paragraph(f"{teller.word('put_so')} “{self._label(option)}”", is_aside=True)
        refused = tuple(sentences.reasons(option.head))
        if refused:
            yield Bullets(refused, lead=teller.word("refused"), is_english=True)
        lines = [*sentences.picks(option.head), *sentences.block(option.body)]
        if lines:
            yield Bullets(tuple(lines), is_detail=bool(option.doc), is_english=True)

    # ------------------------------------------------------------ rules

    def _timed(self, timed: Timed, anchor: str) -> Iterator[Block]:
        sentences = self.teller.sentences
        lines = list(sentences.block(timed.body))
        says = ""
        if isinstance(timed, core.Routine) and timed.says is not None:
            says = sentences.headline((timed.says,))
        if isinstance(timed, core.Phase):
            lines += [Item("At its end:", sentences.block(timed.then))]
            name = timed.name
        else:
            name = timed.verb
        hooks = [
            (timing, hook)
            for timing, hook in _hooks(timed)
            if not any(pattern.kind in self.placed for pattern in hook.patterns)
        ]
        if not (timed.doc or says or lines or hooks):
            return
        yield from self.teller.entry(name, anchor, timed.doc, lines, says=says, level=3)
        for timing, hook in hooks:
            yield from self._hook(timed, timing, hook)

    def _hook(
        self, timed: Timed, timing: str, hook: core.Hook, but: str | None = None
    ) -> Iterator[Block]:
        teller = self.teller
        name = timed.name if isinstance(timed, core.Phase) else timed.verb
        note = f"({timing} “{plain(name)}”)"
        when = self._when(hook, but)
        body = teller.sentences.block(hook.body)
        lines = [Item(f"{when}:", body)] if when else list(body)
        says = teller.sentences.headline(hook.body)
        yield from teller.entry(
            hook.rule, f"rule-{hook.rule}", hook.doc, lines, says=says, note=note
        )

    def _when(self, hook: core.Hook, but: str | None) -> str:
        """When a rule applies, but that it is about things of the kind of which is told."""
        nouns = self.teller.nouns
        parts = [
            f"{nouns.local(*hook.params[each.position])} is {a(nouns.kind(each.kind))}"
            for each in hook.patterns
            if each.kind != but and plain(hook.params[each.position][0]) != nouns.kind(each.kind)
        ]
        parts += [] if hook.condition is None else [nouns.clause(hook.condition)]
        return f"If {listed(parts)}" if parts else ""

    def variant(self, define: core.Define, variant: core.DefineVariant) -> Iterator[Item]:
        nouns = self.teller.nouns
        lets = tuple(self.teller.sentences.picks(variant.lets))
        buts = [self._but(define, but) for but in reversed(variant.buts)]
        base = self._value(define, variant.base)
        word = "Otherwise, " if buts else ""
        lines = (*lets, *buts, Item(sentence(word + (base if word else capital(base)))))
        if len(define.variants) > 1 and variant.kind is not None:
            yield Item(f"{capital(nouns.kind(variant.kind))}:", lines)
        else:
            yield from lines

    def _but(self, define: core.Define, but: core.But) -> Item:
        nouns = self.teller.nouns
        value = self._value(define, but.value)
        if isinstance(but.condition, core.Const):
            return Item(sentence(value))
        return Item(sentence(f"if {nouns.clause(but.condition)}: {value}"))

    def _value(self, define: core.Define, value: core.Expr) -> str:
        nouns = self.teller.nouns
        if not isinstance(define.type, FlagType):
            return nouns.noun(value)
        if isinstance(value, core.Const):
            return nouns.noun(value)
        return f"yes if {nouns.clause(value)}"


_CLOSINGS = {
    "until all pass": "After each act all are asked again, until everybody passes.",
    "until one acts": "The first act ends it.",
    "until nobody can": "It ends when nobody can do anything any more; passing is not possible.",
    "once each": "Everybody is asked once.",
    "exactly one": "One of these must be done.",
}


def _anchor(routine: core.Routine) -> str:
    return f"act-{routine.name.replace(' ', '-')}"


def _hooks(timed: Timed) -> Iterator[tuple[str, core.Hook]]:
    """The rules of something, in the order in which they run."""
    insteads = timed.insteads if isinstance(timed, core.Routine) else ()
    groups = (("instead of", insteads), ("before", timed.befores), ("after", timed.afters))
    for timing, hooks in groups:
        for hook in hooks:
            yield timing, hook


def _order(program: core.Program) -> list[core.Routine]:
    """The routines, each after what first leads to it; then those to which nothing does."""
    found: dict[str, core.Routine] = {}
    opened: set[str] = set()
    waiting: list[object] = [tuple(program.phases.values())]
    while waiting:
        for node in walk(waiting.pop(0)):
            if isinstance(node, core.Call) and node.routine not in found:
                found[node.routine] = program.routines[node.routine]
                waiting.append(program.routines[node.routine])
            elif isinstance(node, core.OpenWindow) and node.window not in opened:
                opened.add(node.window)
                options = program.windows[node.window].options
                waiting.append(tuple(program.options[name] for name in options))
    for routine in program.routines.values():
        found.setdefault(routine.name, routine)
    return list(found.values())


def _used(program: core.Program) -> set[str]:
    """The values on which play depends; others only help strategies."""
    waiting: list[object] = [
        (
            tuple(program.phases.values()),
            tuple(program.routines.values()),
            tuple(program.windows.values()),
            tuple(program.options.values()),
            program.watches,
            program.winners,
            program.scores,
        )
    ]
    found: set[str] = set()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, core.CallDefine) and node.define not in found:
                found.add(node.define)
                waiting.append(program.defines[node.define])
    return found
