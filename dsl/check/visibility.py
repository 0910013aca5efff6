"""Nobody's answers may depend on what he can't see: to be refused would tell him.

Looks at the heads of options and answers, at the candidates of picks, at strategies, and at texts.
`everyone` may be read; `owner` only of the seat that is asked; `nobody` never. Under `known(x.f)`
the seat may read `x.f`, for it was told. How many things lie in a zone is public, unless the zone
says `count hidden`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from dsl.check import keys
from dsl.check.gathered import Gathered, pieces
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, IntType, RefType, none_value
from dsl.core.walking import parts_of
from dsl.diagnostics import Bag
from dsl.records import record
from dsl.source import Span

_Own = set[str]

# By the key of a hidden field: the seats that are known to know it here, None being everyone.
Guard = Mapping[str, tuple[core.Expr | None, ...]]


@record
class Read:
    """A read of something hidden: who may read it (None: everyone may), and where it stands.

    `param`: it is a parameter of the routine, and hidden if what the caller gives is.
    """

    name: str
    owners: tuple[core.Expr | None, ...]
    declared: Span
    span: Span
    param: int | None = None


@record
class _Secret:
    """Something hidden that a define reads; `owners` are its parameters that may read it."""

    name: str
    owners: frozenset[int]
    declared: Span


class Visibility:
    """Answers for one program."""

    def __init__(self, program: core.Program) -> None:
        self._columns = program.columns
        self._zones = program.zones
        self._defines = program.defines
        self._known: dict[str, tuple[_Secret, ...]] = {}
        # What is hidden in the locals of the block that is looked at, and in whether they are none.
        self.locals: dict[str, tuple[Read, ...]] = {}
        self.presence: dict[str, tuple[Read, ...]] = {}

    # ------------------------------------------------------------ what is reported

    def check_head(self, bag: Bag, head: tuple[core.HeadItem, ...], seat: str) -> None:
        """Report reads of what the seat (a local) can't see."""
        own = {seat}
        for item in head:
            if isinstance(item, core.HeadLet):
                self.check_legality(bag, item.value, own)
            elif isinstance(item, core.HeadNeeds):
                self.check_legality(bag, item.condition, own)
                self.check_text(bag, item.reason, own, {})
            else:
                self.check_pick(bag, item, own)

    def check_pick(self, bag: Bag, pick: core.HeadPick, own: _Own) -> None:
        """Report reads of what the seat can't see in the candidates of a pick."""
        for part in (pick.source, pick.where, pick.such_that, pick.low, pick.high):
            if part is not None:
                self.check_legality(bag, part, own)
        if pick.reason is not None:
            self.check_text(bag, pick.reason, own, {})

    def check_legality(self, bag: Bag, expr: core.Expr, own: _Own) -> None:
        """Report the first read in a condition of an answer of what the seat can't see."""
        for read in self._forbidden(expr, own, {}):
            bag.error(
                "RW0621",
                read.span,
                f"the player who is asked can't see `{read.name}`",
                label="being allowed or refused would tell him",
                also=[(read.declared, "hidden here")],
                help="ask by what he can see, and look at the rest in the body",
            )
            return

    def told_by(self, expr: core.Expr, guard: Guard) -> tuple[Read, ...]:
        """What is hidden, to some at least, and read in a value, also through locals; and the
        parameters that are read."""
        return tuple(read for read in self._reads(expr, guard) if None not in read.owners)

    def keep(self, name: str, value: core.Expr, guard: Guard, also: tuple[Read, ...]) -> None:
        """Note what is hidden in a local that is given a value, and what tells that it was."""
        reads = (read for read in self._of_presence(value, guard) if None not in read.owners)
        self.presence[name] = (*reads, *also)
        self.locals[name] = (*self.told_by(value, guard), *also)

    def check_asked(self, bag: Bag, reads: Iterable[Read]) -> None:
        """Report the first hidden thing by which it is decided whether or who is asked: everybody
        sees who is asked."""
        for read in reads:
            if read.param is not None:
                continue
            bag.error(
                "RW0621",
                read.span,
                f"being asked would tell all others of `{read.name}`",
                label="everybody sees who is asked",
                also=[(read.declared, "hidden here")],
                help="ask by what everybody sees, also those who can only pass, and look at the "
                "rest in the head of the answer",
            )
            return

    def check_line(self, bag: Bag, line: core.Preference, own: _Own) -> None:
        """Report the first read in a line of a strategy of what its seat can't see."""
        guard: Guard = {}
        for generator in line.generators:
            self.check_strategy(bag, generator.source, own, guard)
            if generator.where is not None:
                self.check_strategy(bag, generator.where, own, guard)
                guard = more_known(guard, facts_of(generator.where, True))
        if line.condition is not None:
            self.check_strategy(bag, line.condition, own, guard)
            guard = more_known(guard, facts_of(line.condition, True))
        for value in (
            *(value for _, value in line.args),
            *(() if line.value is None else (line.value,)),
            *(key.value for key in line.ranking),
        ):
            self.check_strategy(bag, value, own, guard)

    def check_strategy(self, bag: Bag, expr: core.Expr, own: _Own, guard: Guard) -> None:
        """Report the first read in a strategy of what its seat can't see."""
        for read in self._forbidden(expr, own, guard):
            bag.error(
                "RW0908",
                read.span,
                f"`me` can't see `{read.name}`",
                label="a player in this seat would not know",
                also=[(read.declared, "hidden here")],
                help="decide by what everybody sees and by what is in the own hand; what he may "
                "have been told is read under `known(..)`",
            )
            return

    def check_labels(self, bag: Bag, own: _Own, *labels: core.TextOf | None) -> None:
        """Report what a question or an answer would show its seat that it can't see."""
        for label in labels:
            if label is not None:
                self.check_text(bag, label, own, {})

    def check_text(self, bag: Bag, text: core.TextOf, own: _Own, guard: Guard) -> None:
        """Report what a text would show to somebody who can't see it."""
        for part in text.parts:
            if isinstance(part, str):
                continue
            for read in self._forbidden(part, own, guard):
                bag.error(
                    "RW0625",
                    read.span,
                    f"this text would show `{read.name}`, which is hidden",
                    label="whoever reads it would know",
                    also=[(read.declared, "hidden here")],
                    help="say it only to one who can see it (`say .. to player`), or `reveal` it "
                    "first",
                )
                return

    def _forbidden(self, expr: core.Expr, own: _Own, guard: Guard) -> Iterator[Read]:
        for read in self._reads(expr, guard):
            if read.param is None and not _is_allowed(read, own):
                yield read

    # ------------------------------------------------------------ what is read

    def _reads(self, node: object, guard: Guard) -> Iterator[Read]:
        """The hidden things that are read, with those who may read them here."""
        match node:
            case core.Logic(op=op, left=left, right=right):
                yield from self._reads(left, guard)
                yield from self._reads(right, more_known(guard, facts_of(left, op == "and")))
            case core.Conditional(condition=condition, then_value=then, else_value=other):
                yield from self._reads(condition, guard)
                yield from self._reads(then, more_known(guard, facts_of(condition, True)))
                yield from self._reads(other, more_known(guard, facts_of(condition, False)))
            case core.Fold():
                yield from self._of_fold(node, guard)
            case core.Builtin(name="known", args=(core.Field() as field, seat)):
                yield from self._of_known(node, field, seat, guard)
            case core.Compare(left=left, right=core.Const(value=value)) if _is_none(left, value):
                yield from self._of_presence(left, guard)
            case core.Local(name=name):
                for read in self.locals.get(name, ()):
                    yield replace(read, span=node.span)
            case core.CallDefine(define=define, args=args):
                for secret in self._of_define(define):
                    owners = tuple(args[place] for place in sorted(secret.owners))
                    yield Read(secret.name, owners, secret.declared, node.span)
                yield from self._of_parts(args, guard)
            case core.Field(column=name, subject=subject):
                column = self._columns.get(name)
                if column is not None and column.seen_by != "everyone":
                    who = guard.get(keys.key_of(node), ())
                    who = (subject, *who) if column.seen_by == "owner" else who
                    yield Read(column.field, who, column.span, node.span)
                yield from self._reads(subject, guard)
            case core.ZoneItems(zone=name, holder=holder):
                zone = self._zones.get(name)
                if zone is not None and zone.seen_by != "everyone" and not zone.fanned:
                    owners = (holder,) if zone.seen_by == "owner" else ()
                    yield Read(zone.field, owners, zone.span, node.span)
                yield from self._reads(holder, guard)
            case core.ExprBase():
                yield from self._of_parts(
                    tuple(getattr(node, name) for name in parts_of(type(node))), guard
                )
            case tuple():
                yield from self._of_parts(node, guard)
            case core.Generator(source=source, where=where):
                yield from self._of_parts((source, where), guard)

    def _of_presence(self, node: core.Expr, guard: Guard) -> Iterator[Read]:
        """Whether something is none: that the first of a zone is there is as public as how many
        there are."""
        counted = self._counted(node) if isinstance(node, core.Fold) else None
        if counted is not None:
            yield from self._reads(counted.holder, guard)
        elif isinstance(node, core.Local) and node.name in self.presence:
            for read in self.presence[node.name]:
                yield replace(read, span=node.span)
        else:
            yield from self._reads(node, guard)

    def _of_parts(self, parts: Iterable[object], guard: Guard) -> Iterator[Read]:
        for part in parts:
            yield from self._reads(part, guard)

    def _of_fold(self, fold: core.Fold, guard: Guard) -> Iterator[Read]:
        counted = self._counted(fold)
        if counted is not None and fold.kind == "count":
            yield from self._reads(counted.holder, guard)
            return
        inner = guard
        for generator in fold.generators:
            yield from self._reads(generator.source, inner)
            if generator.where is not None:
                yield from self._reads(generator.where, inner)
                inner = more_known(inner, facts_of(generator.where, True))
        yield from self._of_parts((fold.value, fold.key), inner)
        yield from self._reads(fold.default, guard)

    def _counted(self, fold: core.Fold) -> core.ZoneItems | None:
        """The zone whose things are only counted, or of which only the first is asked for, if their
        number is public."""
        if fold.kind not in ("count", "first") or len(fold.generators) != 1:
            return None
        source, where = fold.generators[0].source, fold.generators[0].where
        if not isinstance(source, core.ZoneItems) or where is not None:
            return None
        zone = self._zones.get(source.zone)
        return source if zone is not None and not zone.count_hidden else None

    def _of_known(
        self, node: core.Builtin, field: core.Field, seat: core.Expr, guard: Guard
    ) -> Iterator[Read]:
        """What somebody else knows is hidden like the field itself."""
        column = self._columns.get(field.column)
        if column is not None and column.seen_by != "everyone":
            yield Read(f"known({field.span.text})", (seat,), column.span, node.span)
        yield from self._of_parts((field.subject, seat), guard)

    # ------------------------------------------------------------ through defines

    def _of_define(self, name: str) -> tuple[_Secret, ...]:
        if name in self._known:
            return self._known[name]
        self._known[name] = ()  # circles are reported elsewhere
        found: dict[_Secret, None] = {}
        outer, self.locals = self.locals, {}
        define = self._defines.get(name)
        for variant in define.variants if define is not None else ():
            if variant.told:
                continue
            places = {local: place for place, (local, _) in enumerate(variant.params)}
            for read in self._of_variant(variant):
                if None not in read.owners:
                    owners = frozenset(_places(read.owners, places))
                    found[_Secret(read.name, owners, read.declared)] = None
        self.locals = outer
        self._known[name] = tuple(found)
        return self._known[name]

    def _of_variant(self, variant: core.DefineVariant) -> Iterator[Read]:
        yield from self._of_parts((*(let.value for let in variant.lets), variant.base), {})
        for but in variant.buts:
            yield from self._reads(but.condition, {})
            yield from self._reads(but.value, facts_of(but.condition, True))


def facts_of(condition: core.Expr, truth: bool) -> Guard:
    """Who is known to know which fields where a condition holds, or does not hold."""
    match condition:
        case core.Builtin(name="known", args=(core.Field() as field, seat)) if truth:
            return {keys.key_of(field): (seat,)}
        case core.Not(operand=operand):
            return facts_of(operand, not truth)
        case core.Logic(op=op, left=left, right=right) if (op == "and") == truth:
            return more_known(facts_of(left, truth), facts_of(right, truth))
        case _:
            return {}


def more_known(guard: Guard, facts: Guard) -> Guard:
    """All that is known by both."""
    return {key: (*guard.get(key, ()), *facts.get(key, ())) for key in (*guard, *facts)}


def _is_none(left: core.Expr, value: int) -> bool:
    type_ = left.type
    is_optional = isinstance(type_, IntType | RefType | ChoiceType) and type_.optional
    return is_optional and value == none_value(type_)


def _places(owners: tuple[core.Expr | None, ...], places: Mapping[str, int]) -> Iterator[int]:
    for owner in owners:
        if isinstance(owner, core.Local) and owner.name in places:
            yield places[owner.name]


def _is_allowed(read: Read, own: _Own) -> bool:
    return any(
        owner is None or (isinstance(owner, core.Local) and owner.name in own)
        for owner in read.owners
    )


# ---------------------------------------------------------------- the whole program


def check_visibility(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """Check the heads of all options, all strategies, and all texts; `asking` looks at those of
    questions, and at who is asked."""
    seen = Visibility(program)
    for routine in program.routines.values():
        if routine.says is not None:
            _check_say(bag, seen, routine.says, {})
    for option in program.options.values():
        seen.check_head(bag, option.head, option.params[0][0])
        seen.check_labels(bag, {option.params[0][0]}, option.label)
    asked: dict[str, _Own] = {}
    parts = tuple(pieces(program))
    for about in nodes.of(core.AskAbout, *parts):
        own: _Own = {about.asked.name} if isinstance(about.asked, core.Local) else set()
        seen.check_labels(
            bag, own, about.label, about.shows, *(answer.label for answer in about.answers)
        )
        if isinstance(about.asked, core.Local):
            asked[about.site] = own
    for ask in nodes.of(core.Ask, *parts):
        own = {ask.asked.name} if isinstance(ask.asked, core.Local) else set()
        seen.check_labels(bag, own, ask.label, ask.shows)
        if isinstance(ask.asked, core.Local):
            asked[ask.site] = own
    for gather in nodes.of(core.Gather, *parts):
        asked[gather.site] = {gather.asked.variable}
        seen.check_labels(bag, asked[gather.site], gather.label, gather.shows)
    for window in program.windows.values():
        for condition in (window.asked.source, window.asked.where):
            if condition is not None:
                seen.check_asked(bag, seen.told_by(condition, {}))
        own = {window.asked.variable}
        seen.check_labels(
            bag, own, window.label, window.shows, *(text for _, text in window.passes)
        )
        for condition, _ in window.passes:
            if condition is not None:
                seen.check_legality(bag, condition, own)
    for strategy in program.strategies.values():
        _check_strategy(bag, seen, program, strategy, asked)
    for part in parts:
        _check_texts(bag, seen, part if isinstance(part, tuple) else part.body, {})


def _check_strategy(
    bag: Bag,
    seen: Visibility,
    program: core.Program,
    strategy: core.Strategy,
    asked: Mapping[str, _Own],
) -> None:
    done: set[tuple[int, frozenset[str]]] = set()
    for site, part in strategy.sites.items():
        own = {"me"} | asked.get(site, set())
        once = (id(part), frozenset(own))
        if once in done:
            continue  # all sites of a window have the same lines
        done.add(once)
        lets, lines = part
        for let in lets:
            seen.check_strategy(bag, let.value, own, {})
        for line in lines:
            option = program.options.get(line.answer)
            mine = own if option is None else own | {option.params[0][0]}
            seen.check_line(bag, line, mine)


def _check_texts(bag: Bag, seen: Visibility, block: core.Block, guard: Guard) -> None:
    """Lines of the log; what was revealed before may be shown."""
    for stmt in block:
        match stmt:
            case core.Say():
                _check_say(bag, seen, stmt, guard)
            case core.Reveal(column=column, subject=subject, to=to):
                field = core.Field(subject.type, stmt.span, column, subject)
                guard = more_known(guard, {keys.key_of(field): (to,)})
            case core.If(branches=branches, otherwise=otherwise):
                here = guard
                for condition, inner in branches:
                    _check_texts(bag, seen, inner, more_known(here, facts_of(condition, True)))
                    here = more_known(here, facts_of(condition, False))
                _check_texts(bag, seen, otherwise, here)
            case core.ForEach(body=inner) | core.Repeat(body=inner) | core.Gather(body=inner):
                _check_texts(bag, seen, inner, guard)
            case core.Ask(body=inner, otherwise=otherwise):
                _check_texts(bag, seen, inner, guard)
                _check_texts(bag, seen, otherwise, guard)
            case core.AskAbout(answers=answers):
                for answer in answers:
                    _check_texts(bag, seen, answer.body, guard)
            case _:
                pass


def _check_say(bag: Bag, seen: Visibility, say: core.Say, guard: Guard) -> None:
    """A line of the log. What has an `otherwise` is read by those who can see what it shows."""
    own = {say.to.name} if isinstance(say.to, core.Local) else set()
    seen.check_text(bag, say.otherwise or say.text, own, guard)
