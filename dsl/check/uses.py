"""Which declaration every word of the rules and the data means: for editors, after a check that has
taken notes. Nothing else asks for it.

A meaning is its sort and its name: `kind Street`, `field Player.cash`, `routine pay from to`,
`entity Space.go`, `local rules/a.rules:120.claim`. The places of one meaning are its uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from dsl.check import signatures
from dsl.check.contents import walk_syntax
from dsl.check.merged import Row
from dsl.check.notes import Meaning, Notes, entity_key
from dsl.check.world import BackInfo, ColumnInfo, World, ZoneInfo
from dsl.core.types import RefType, SeqType, SetType
from dsl.data.node import DataNode, Mapping, Sequence
from dsl.records import mutable, record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@record
class Use:
    """A place at which a word means something; `is_declared`: it is declared there."""

    span: Span
    meaning: Meaning
    is_declared: bool = False


@mutable
class Uses:
    """All uses, by the name of the source in order, and by meaning."""

    by_source: dict[str, list[Use]] = field(default_factory=dict)
    by_meaning: dict[tuple[str, str], list[Use]] = field(default_factory=dict)

    def at(self, source: str, offset: int) -> Use | None:
        """The use that an offset is in, or right behind."""
        inside = [
            use
            for use in self.by_source.get(source, ())
            if use.span.start <= offset <= use.span.end
        ]
        return min(inside, key=lambda use: use.span.end - use.span.start, default=None)

    def of(self, meaning: Meaning) -> list[Use]:
        """All places of a meaning."""
        return self.by_meaning.get((meaning.sort, meaning.name), [])

    def declaration(self, meaning: Meaning) -> Use | None:
        """Where it is declared."""
        return next((use for use in self.of(meaning) if use.is_declared), None)

    def add(self, span: Span, meaning: Meaning, *, is_declared: bool = False) -> None:
        """Notes a use, once for each place."""
        if not span.source.text:
            return
        known = self.by_meaning.setdefault((meaning.sort, meaning.name), [])
        for each in known:
            if each.span.start == span.start and each.span.source.name == span.source.name:
                return
        use = Use(span, meaning, is_declared)
        known.append(use)
        self.by_source.setdefault(span.source.name, []).append(use)


def find_uses(notes: Notes) -> Uses:
    """All uses in the rules and the data of what was checked with notes."""
    uses = Uses()
    world = notes.world
    if world is None:
        return uses
    for rows in world.merged.sections.values():
        for row in rows:
            _row(world, row, uses)
    for switching in world.merged.switchings:
        _word_of(uses, switching.span, switching.name, Meaning("switch", switching.name))
    for ranked in world.merged.declarations:
        _Walk(world, notes, uses, ranked.decl).run()
    for listed in uses.by_source.values():
        listed.sort(key=lambda use: (use.span.start, use.span.end))
    return uses


# ---------------------------------------------------------------- data


def _row(world: World, row: Row, uses: Uses) -> None:
    """An entry of the data: its id, its kind, its fields, and what they name."""
    kind = row.kind or next((k for k, _ in world.entities.get(row.id, ())), None)
    if kind is None or kind not in world.kinds:
        return
    uses.add(row.id_span, Meaning("entity", entity_key(world, kind, row.id)), is_declared=True)
    for name, span in row.keys.items():
        if name == "kind":
            uses.add(span, Meaning("kind", kind))
            continue
        member = world.member(kind, name)
        if isinstance(member, ColumnInfo):
            uses.add(span, Meaning("field", f"{member.kind}.{member.field}"))
            node = row.fields.get(name)
            element = _entity_kind(member)
            if node is not None and element is not None:
                _values(world, node, element, uses)


def _entity_kind(member: ColumnInfo) -> str | None:
    type_ = member.type
    while isinstance(type_, SeqType):
        type_ = type_.element
    return type_.kind if isinstance(type_, RefType | SetType) else None


def _values(world: World, node: DataNode, kind: str, uses: Uses) -> None:
    if isinstance(node, Sequence):
        for item in node.items:
            _values(world, item, kind, uses)
    elif isinstance(node, Mapping):
        for entry in node.entries:
            _values(world, entry.value, kind, uses)
    elif isinstance(node.value, str):
        found = world.entities.get(node.value, ())
        if any(world.are_related(other, kind) for other, _ in found):
            uses.add(node.span, Meaning("entity", entity_key(world, kind, node.value)))


def _word_of(uses: Uses, span: Span, word: str, meaning: Meaning) -> None:
    """The word at the beginning of a longer place."""
    if span.text.startswith(word):
        uses.add(Span(span.source, span.start, span.start + len(word)), meaning)


# ---------------------------------------------------------------- rules


class _Walk:
    """Goes through one declaration."""

    def __init__(self, world: World, notes: Notes, uses: Uses, decl: syntax.Decl) -> None:
        self.world = world
        self.notes = notes
        self.uses = uses
        self.decl = decl
        self.home = f"{decl.span.source.name}:{decl.span.start}"
        self.locals: dict[str, Span] = {}

    def run(self) -> None:
        """Notes all uses in it."""
        nodes = list(walk_with_types(self.decl))
        for node in nodes:
            for name in _brought_in(node):
                if name.text not in self.locals:
                    self.locals[name.text] = name.span
                    self.uses.add(name.span, self._local(name.text), is_declared=True)
        for node in nodes:
            look = _LOOKS.get(type(node))
            if look is not None:
                look(self, node)

    def _local(self, word: str) -> Meaning:
        return Meaning("local", f"{self.home}.{word}")

    def name(self, name: syntax.Name | None, sort: str, *, is_declared: bool = False) -> None:
        """A word that can only mean one thing where it stands."""
        if name is not None:
            self.uses.add(name.span, Meaning(sort, name.text), is_declared=is_declared)

    # -- words in values

    def bare(self, node: syntax.NameExpr) -> None:
        """A word in a value: as it was noted, or by its name."""
        found = self.notes.meanings.get((node.span.source.name, node.span.start))
        meaning = found if found is not None else self._by_name(node.name)
        if meaning is None:
            return
        if meaning.sort == "local":
            meaning = self._local(node.name)
            if node.name not in self.locals:
                return  # it comes from the head of what is answered, or is a word such as `me`
        self.uses.add(node.span, meaning)

    def _by_name(self, word: str) -> Meaning | None:
        world = self.world
        if word in self.locals:
            return Meaning("local", word)
        if word in world.kinds:
            return Meaning("kind", word)
        if any(info.subject == "none" for info in world.defines_by_word.get(word, ())):
            return Meaning("define", word)
        if word in world.switches:
            return Meaning("switch", word)
        entities = world.entities.get(word, ())
        if entities:
            return Meaning("entity", entity_key(world, entities[0][0], word))
        return None

    def dot(self, node: syntax.Dot) -> None:
        """`subject.name`, by the type of its subject."""
        type_ = self.notes.type_at(node.subject.span)
        kind = type_.kind if isinstance(type_, RefType) else None
        meaning = member_meaning(self.world, kind, node.name.text)
        if meaning is not None:
            self.uses.add(node.name.span, meaning)

    def kind(self, node: syntax.KindExpr | syntax.KindType | syntax.WordType) -> None:
        """A kind or a choice, or a unit."""
        world = self.world
        if node.name in world.kinds:
            self.uses.add(node.span, Meaning("kind", node.name))
        elif node.name in world.choices:
            self.uses.add(node.span, Meaning("choice", node.name))
        elif node.name in world.units:
            self.uses.add(node.span, Meaning("unit", node.name))

    def call(self, node: syntax.Call) -> None:
        """`name(..)`: a define, or what is built in; in strategies and scenarios an answer."""
        if node.name.text in self.world.defines_by_word:
            self.name(node.name, "define")
        elif node.name.text in self.world.options:
            self.name(node.name, "option")

    def new(self, node: syntax.New) -> None:
        """`new Claim(payer: p)`."""
        self.name(node.kind, "kind")
        for arg in node.args:
            if arg.name is not None:
                meaning = member_meaning(self.world, node.kind.text, arg.name.text)
                if meaning is not None:
                    self.uses.add(arg.name.span, meaning)

    # -- sentences

    def command(self, node: syntax.Command) -> None:
        """The routine or event that is called, or the saying that is said."""
        infos = self.world.verbs.get(node.verb.text, [])
        given = {prep.preposition for prep in node.preps}
        info = signatures.matching(infos, node.object is not None, given)
        if info is not None or infos:
            self.uses.add(node.verb.span, Meaning("routine", (info or infos[0]).name))
        elif isinstance(node.object, syntax.NameExpr) and node.object.name in self.world.sayings:
            self.bare(syntax.NameExpr(node.verb.span, node.verb.text))
            self.uses.add(node.object.span, Meaning("saying", node.object.name))
        elif node.verb.text == "play" and isinstance(node.object, syntax.NameExpr):
            self.uses.add(node.object.span, Meaning("phase", node.object.name))

    def opened(self, node: syntax.OpenWindow) -> None:
        """`open WINDOW`."""
        self.name(node.command.verb, "window")

    def happening(self, signature: syntax.Signature) -> None:
        """What a rule or measure is hooked to."""
        verb = signature.verb
        given = {prep.preposition for prep in signature.preps}
        infos = self.world.verbs.get(verb.text, [])
        info = signatures.matching(infos, signature.param is not None, given)
        if info is not None or infos:
            self.uses.add(verb.span, Meaning("routine", (info or infos[0]).name))
        elif verb.text in self.world.phases:
            self.name(verb, "phase")
        elif verb.text in self.world.windows:
            self.name(verb, "window")

    def place(self, name: syntax.Name | None) -> None:
        """A window or a question."""
        if name is not None:
            is_window = name.text in self.world.windows
            self.name(name, "window" if is_window else "question")

    def answer(self, name: syntax.Name | None) -> None:
        """An option or a named answer."""
        if name is not None:
            is_option = name.text in self.world.options
            self.name(name, "option" if is_option else "answer")

    def left(self, node: syntax.End | syntax.NextPhase) -> None:
        """`end NAME`, `next NAME`."""
        infos = self.world.verbs.get(node.name.text)
        if node.name.text in self.world.phases:
            self.name(node.name, "phase")
        elif infos:
            self.uses.add(node.name.span, Meaning("routine", infos[0].name))

    def said(self, node: syntax.Said) -> None:
        """A queued answer."""
        self.place(node.question)
        value = node.value
        if isinstance(value, syntax.NameExpr) and value.name not in self.world.entities:
            self.answer(syntax.Name(value.span, value.name))
        elif isinstance(value, syntax.Call):
            self.answer(value.name)

    # -- declarations

    def signature(self, node: syntax.Routine | syntax.EventDecl) -> None:
        """The head of a routine or event."""
        verb = node.signature.verb
        for info in self.world.verbs.get(verb.text, ()):
            if info.decl is node:
                self.uses.add(verb.span, Meaning("routine", info.name), is_declared=True)

    def fields(self, owner: syntax.Name, fields: tuple[syntax.Field, ...]) -> None:
        """The fields of a kind or thing."""
        for each in fields:
            meaning = member_meaning(self.world, owner.text, each.name.text)
            if meaning is not None:
                self.uses.add(each.name.span, meaning, is_declared=True)
            if isinstance(each, syntax.HolderField):
                is_kind = each.what.text in self.world.kinds
                self.name(each.what, "kind" if is_kind else "unit")
                if each.back is not None:
                    back = Meaning("field", f"{owner.text}.{each.name.text}.{each.back.text}")
                    self.uses.add(each.back.span, back, is_declared=True)

    def define(self, head: syntax.Head, *, is_declared: bool) -> None:
        """The head of a define or an exception."""
        subject = None
        if head.subject is not None:
            word = head.subject.name.text
            type_ = head.subject.type
            named = type_.name if isinstance(type_, syntax.KindType) else None
            subject = named or self.world.words.get(word)
        meaning = member_meaning(self.world, subject, head.name.text)
        if meaning is not None:
            self.uses.add(head.name.span, meaning, is_declared=is_declared)


def member_meaning(world: World, kind: str | None, word: str) -> Meaning | None:
    """What is read of something of a kind, or of a list."""
    if kind is not None and kind in world.kinds:
        info = world.define(kind, word)
        if info is not None:
            return Meaning("define", info.name)
        member = world.member(kind, word)
        if isinstance(member, ColumnInfo | ZoneInfo):
            return Meaning("field", f"{member.kind}.{member.field}")
        if isinstance(member, BackInfo):
            return Meaning("field", f"{member.zone.kind}.{member.zone.field}.{word}")
        return None
    found = [each for each in world.defines_by_word.get(word, ()) if each.subject != "kind"]
    return Meaning("define", found[0].name) if found else None


def walk_with_types(node: object) -> Iterator[syntax.Node]:
    """The node and all nodes in it, with the types that are written there."""
    for part in walk_syntax(node):
        yield part
        written = getattr(part, "type", None)
        if isinstance(written, syntax.TypeNodeBase):
            yield from walk_syntax(written)


def _brought_in(node: syntax.Node) -> Iterator[syntax.Name]:
    """The locals that a node brings in."""
    match node:
        case syntax.Param() | syntax.Let() | syntax.Get() | syntax.Luck():
            yield node.name
        case syntax.Clause():
            yield node.variable
        case syntax.Question() | syntax.OptionWhich() | syntax.OptionHowMuch():
            yield node.picked


def _kind_decl(walk: _Walk, node: syntax.KindDecl | syntax.ThingDecl) -> None:
    walk.name(node.name, "kind", is_declared=True)
    walk.name(node.base, "kind")
    walk.fields(node.name, node.fields)


def _add_fields(walk: _Walk, node: syntax.AddFields) -> None:
    walk.name(node.owner, "kind")
    walk.fields(node.owner, node.fields)


def _choice_decl(walk: _Walk, node: syntax.ChoiceDecl) -> None:
    walk.name(node.name, "choice", is_declared=True)
    for value in node.values:
        meaning = Meaning("word", f"{node.name.text}.{value.text}")
        walk.uses.add(value.span, meaning, is_declared=True)


def _rule_decl(walk: _Walk, node: syntax.RuleDecl) -> None:
    walk.name(node.name, "rule", is_declared=True)
    walk.name(node.ahead_of, "rule")
    walk.happening(node.signature)


def _option_decl(walk: _Walk, node: syntax.Option) -> None:
    walk.name(node.name, "option", is_declared=True)
    for window in node.windows:
        walk.name(window, "window")


def _forbid(walk: _Walk, node: syntax.Forbid) -> None:
    walk.answer(node.option)
    walk.place(node.place)


def _strategy(walk: _Walk, node: syntax.Strategy) -> None:
    walk.name(node.name, "strategy", is_declared=True)
    walk.name(node.base, "strategy")


def _strategy_for(walk: _Walk, node: syntax.StrategyFor) -> None:
    for question in node.questions:
        walk.place(question)


def _spot(walk: _Walk, node: syntax.ChoiceType) -> None:
    for value in node.values:
        walk.uses.add(value.span, Meaning("word", f".{value.text}"), is_declared=True)


def _scenario(walk: _Walk, node: syntax.Scenario) -> None:
    for seat in node.seats:
        walk.bare(syntax.NameExpr(seat.span, seat.text))


# What is looked at, by its class.
_LOOKS: dict[type[syntax.Node], Callable[..., None]] = {
    syntax.NameExpr: _Walk.bare,
    syntax.Dot: _Walk.dot,
    syntax.KindExpr: _Walk.kind,
    syntax.KindType: _Walk.kind,
    syntax.WordType: _Walk.kind,
    syntax.Call: _Walk.call,
    syntax.New: _Walk.new,
    syntax.Command: _Walk.command,
    syntax.OpenWindow: _Walk.opened,
    syntax.End: _Walk.left,
    syntax.NextPhase: _Walk.left,
    syntax.Said: _Walk.said,
    syntax.Routine: _Walk.signature,
    syntax.EventDecl: _Walk.signature,
    syntax.AskAbout: lambda walk, node: walk.name(node.question, "question", is_declared=True),
    syntax.Question: lambda walk, node: walk.name(node.question, "question", is_declared=True),
    syntax.Bullet: lambda walk, node: walk.name(node.name, "answer", is_declared=True),
    syntax.KindDecl: _kind_decl,
    syntax.ThingDecl: _kind_decl,
    syntax.AddFields: _add_fields,
    syntax.ChoiceDecl: _choice_decl,
    syntax.ChoiceType: _spot,
    syntax.UnitDecl: lambda walk, node: walk.name(node.name, "unit", is_declared=True),
    syntax.SwitchDecl: lambda walk, node: walk.name(node.name, "switch", is_declared=True),
    syntax.Define: lambda walk, node: walk.define(node.head, is_declared=True),
    syntax.ExceptionDecl: lambda walk, node: walk.define(node.head, is_declared=False),
    syntax.RuleDecl: _rule_decl,
    syntax.WatchDecl: lambda walk, node: walk.name(node.name, "rule", is_declared=True),
    syntax.Measure: lambda walk, node: walk.happening(node.signature),
    syntax.Phase: lambda walk, node: walk.name(node.name, "phase", is_declared=True),
    syntax.Window: lambda walk, node: walk.name(node.signature.verb, "window", is_declared=True),
    syntax.Option: _option_decl,
    syntax.Forbid: _forbid,
    syntax.Remove: lambda walk, node: walk.name(node.name, node.what),
    syntax.SetSwitch: lambda walk, node: walk.name(node.name, "switch"),
    syntax.Strategy: _strategy,
    syntax.StrategyFor: _strategy_for,
    syntax.Preference: lambda walk, node: walk.answer(node.answer),
    syntax.Saying: lambda walk, node: walk.name(node.verb, "saying", is_declared=True),
    syntax.SaidLine: lambda walk, node: walk.bare(syntax.NameExpr(node.who.span, node.who.text)),
    syntax.May: lambda walk, node: walk.answer(node.answer),
    syntax.WasAsked: lambda walk, node: walk.place(node.question),
    syntax.When: lambda walk, node: walk.place(node.stop),
    syntax.Scenario: _scenario,
}
