"""What the blocks of the checked program do, as English sentences under each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, IntType, RefType, SetType, Type
from interpreter.book.grammar import are, capital, is_many, listed, plain, sentence, third, whose
from interpreter.book.nouns import Nouns
from interpreter.book.record import Item

MOST_DEEP = 12
"""Blocks inside each other that are told; what is deeper is left to the rules."""


class Sentences:
    """Tells blocks of one program."""

    def __init__(self, nouns: Nouns) -> None:
        self.nouns = nouns
        self.program = nouns.program

    def block(self, block: core.Block, depth: int = 0) -> tuple[Item, ...]:
        """What a block does, one line for each statement; what only keeps the log is left out."""
        if depth > MOST_DEEP:
            return ()
        return tuple(item for stmt in block for item in self._told(stmt, depth))

    def headline(self, block: core.Block) -> str:
        """The sentence of a block, if it has one."""
        for stmt in block[:1]:
            if isinstance(stmt, core.Say) and stmt.form == "sentence":
                return sentence(self.nouns.text(stmt.text))
        return ""

    # ------------------------------------------------------------ heads of answers

    def reasons(self, head: tuple[core.HeadItem, ...]) -> Iterator[Item]:
        """What refuses an answer: when, and why."""
        for item in head:
            if isinstance(item, core.HeadNeeds):
                reason = self.nouns.text(item.reason)
                if not isinstance(item.condition, core.Const):
                    when = self.nouns.clause(item.condition, holds=False)
                    yield Item(sentence(f"if {when}: {reason}"))
                elif not item.condition.value:
                    yield Item(sentence(f"always: {reason}"))

    def picks(self, head: tuple[core.HeadItem, ...]) -> Iterator[Item]:
        """What is picked, and what is worked out of it."""
        for item in head:
            if isinstance(item, core.HeadPick):
                yield Item(sentence(f"pick {self.pick(item)}"))
            elif isinstance(item, core.HeadLet):
                yield Item(self._let(item.name, item.value))

    def pick(self, pick: core.HeadPick) -> str:
        """What may be picked: `a card among the player's cards`."""
        name, source = plain(pick.name), self.nouns.noun(pick.source)
        source = f"the {source[4:]}" if source.startswith("all ") else source
        generator = core.Generator(pick.item, _item_type(pick), pick.source, pick.where)
        with self.nouns.bound([generator]):
            where = "" if pick.where is None else f" for which {self.nouns.clause(pick.where)}"
        such = "" if pick.such_that is None else self._such_that(pick)
        if pick.form == "amount":
            return f"the {name}, from {source}{where}{such}"
        if pick.form == "some" and pick.low is not None and pick.high is not None:
            low, high = self.nouns.noun(pick.low), self.nouns.noun(pick.high)
            many = low if low == high else f"{low} to {high}"
            return f"the {name}: {many} of {source}{where}{such}"
        return f"the {name}: one of {source}{where}{such}"

    def _such_that(self, pick: core.HeadPick) -> str:
        assert pick.such_that is not None
        return f", such that {self.nouns.clause(pick.such_that)}"

    # ------------------------------------------------------------ statements

    def _told(self, stmt: core.Stmt, depth: int) -> Iterator[Item]:
        match stmt:
            case core.Say():
                return
            case core.If():
                yield from self._if(stmt, depth)
            case core.ForEach(generator=generator, key=key, body=body):
                by = "" if key is None else f", in order of {self.nouns.noun(key)}"
                with self.nouns.bound([generator]):
                    inner = self.block(body, depth + 1)
                if inner:
                    yield Item(f"For {self.nouns.some(generator, many=False)}{by}:", inner)
            case core.Repeat(body=body, until=until):
                yield Item(
                    f"Repeat, until {self.nouns.clause(until)}:", self.block(body, depth + 1)
                )
            case core.AskAbout(asked=asked, answers=answers):
                question = self._asked(stmt.label)
                inner = tuple(self.answer(answer, depth + 1) for answer in answers)
                yield Item(f"{capital(self.nouns.noun(asked))} is asked{question}:", inner)
            case core.Ask():
                yield from self._ask(stmt, depth)
            case core.Gather(asked=generator, pick=pick, body=body):
                who = capital(self.nouns.some(generator, many=False))
                with self.nouns.bound([generator]):
                    wanted = self.pick(pick)
                text = f"{who} secretly picks {wanted}. When all have, it is laid open."
                yield Item(text, self.block(body, depth + 1))
            case _:
                said = self._line(stmt)
                if said:
                    yield Item(sentence(said))

    def answer(self, answer: core.Answer, depth: int = 0) -> Item:
        """An answer with what refuses it and what it does."""
        label = plain(answer.name) if answer.label is None else self.nouns.text(answer.label)
        inner = [*self.picks(answer.head)]
        refused = tuple(self.reasons(answer.head))
        inner += [Item("Not possible:", refused)] if refused else []
        return Item(f"“{label}”", (*inner, *self.block(answer.body, depth)))

    def _if(self, stmt: core.If, depth: int) -> Iterator[Item]:
        begun = False
        for condition, body in stmt.branches:
            inner = self.block(body, depth + 1)
            if inner or stmt.otherwise or begun:
                word = "Otherwise, if" if begun else "If"
                yield _led(f"{word} {self.nouns.clause(condition)}", inner or (_NOTHING,))
                begun = True
        other = self.block(stmt.otherwise, depth + 1)
        if other:
            yield _led("Otherwise" if begun else "If not", other)

    def _ask(self, stmt: core.Ask, depth: int) -> Iterator[Item]:
        may = "may pick" if stmt.may_decline else "picks"
        who = capital(self.nouns.noun(stmt.asked))
        yield Item(
            sentence(f"{who} {may} {self.pick(stmt.pick)}"), self.block(stmt.body, depth + 1)
        )
        other = self.block(stmt.otherwise, depth + 1)
        if other:
            yield _led("If nothing is picked", other)

    def _asked(self, label: core.TextOf | None) -> str:
        return "" if label is None else f" “{self.nouns.text(label)}”"

    def _line(self, stmt: core.Stmt) -> str:
        match stmt:
            case core.Let():
                return self._say_let(stmt)
            case core.SetField():
                return self._set(stmt)
            case core.MoveUnits():
                return self._units(stmt)
            case core.MoveThings():
                return self._things(stmt)
            case core.Call():
                return self._call(stmt)
            case core.Make():
                return self._make(stmt)
            case core.Luck():
                return self._luck(stmt)
            case core.OpenWindow():
                return self._open(stmt)
            case core.Return():
                return self._return(stmt)
            case core.Reveal():
                return self._reveal(stmt)
            case core.Exchange(left=left, right=right):
                return f"exchange {self.nouns.noun(left)} with {self.nouns.noun(right)}"
            case core.Shuffle(zone=zone, holder=holder):
                return f"shuffle {whose(self.nouns.noun(holder), plain(zone.rpartition('.')[2]))}"
            case core.Drop(thing=thing):
                return f"{self.nouns.noun(thing)} is done with"
            case core.End(label=label):
                word = plain(label.split()[0])
                return "the game is over" if word == "game" else f"“{word}” ends here"
            case core.NextPhase(phase=phase):
                return f"then comes the next {plain(phase)}"
            case core.AsUsual():
                return "after that it goes on as usual"
            case _:
                return ""

    def _let(self, name: str, value: core.Expr) -> str:
        words, nouns = plain(name), self.nouns
        if isinstance(value.type, FlagType) and isinstance(value, core.Const):
            return sentence(f"“{words}”: {nouns.noun(value)}")
        if isinstance(value.type, FlagType):
            return sentence(f"“{words}” means that {nouns.clause(value)}")
        words = nouns.full(words, value.type)
        return sentence(f"the {words} {are(words)} {nouns.noun(value)}")

    def _say_let(self, stmt: core.Let) -> str:
        is_same = isinstance(stmt.value, core.Local) and plain(stmt.value.name) == plain(stmt.name)
        if is_same:
            return ""
        if stmt.fresh:
            return self._let(stmt.name, stmt.value)
        words = self.nouns.full(plain(stmt.name), stmt.value.type)
        return f"from now on, the {words} {are(words)} {self.nouns.noun(stmt.value)}"

    def _set(self, stmt: core.SetField) -> str:
        nouns, name = self.nouns, stmt.column.rpartition(".")[2]
        subject = nouns.noun(stmt.subject)
        if isinstance(stmt.value.type, FlagType) and stmt.key is None:
            return self._set_flag(subject, name, stmt.value)
        label = nouns.full(nouns.label(stmt.column), stmt.value.type)
        place = f"the {label} of {subject}" if subject.startswith("the ") else whose(subject, label)
        if stmt.key is not None:
            place = f"{place} for {nouns.noun(stmt.key)}"
        change = _change(stmt)
        if change is not None:
            word, by = change
            return f"{place} {'go' if is_many(place) else 'goes'} {word} by {nouns.noun(by)}"
        if isinstance(stmt.value, core.Const) and nouns.noun(stmt.value) == nouns.values.word(
            "value.none"
        ):
            return f"there is no {label} of {subject} any more"
        return f"{place} {are(place)} now {nouns.noun(stmt.value)}"

    def _set_flag(self, subject: str, name: str, value: core.Expr) -> str:
        words = plain(name)
        word = words.removeprefix("is ").removeprefix("has ")
        if isinstance(value, core.Const):
            return f"mark {subject} as {'' if value.value else 'not '}“{word}”"
        return f"mark {subject} as “{word}” where {self.nouns.clause(value)}, else as not"

    def _units(self, stmt: core.MoveUnits) -> str:
        nouns = self.nouns
        giver, taker = nouns.noun(stmt.from_subject), nouns.noun(stmt.to_subject)
        amount = nouns.noun(stmt.amount)
        first, second = (plain(c.rpartition(".")[2]) for c in (stmt.from_column, stmt.to_column))
        type_ = self.program.columns[stmt.from_column].type
        unit = type_.unit if isinstance(type_, IntType) else None
        is_counted = isinstance(stmt.amount, core.Const) or unit in (None, "money")
        what = amount if is_counted else f"{amount} ({self._units_word(unit)})"
        if giver == taker and first != second:
            return f"{giver} moves {what} from the {first} to the {second}"
        return f"{giver} gives {what} to {taker}"

    def _units_word(self, unit: str | None) -> str:
        return self.program.texts.get(f"unit.{unit}.other", unit or "")

    def _things(self, stmt: core.MoveThings) -> str:
        zone = whose(self.nouns.noun(stmt.holder), plain(stmt.zone.rpartition(".")[2]))
        way = "under" if stmt.under else "to"
        things = self.nouns.noun(stmt.things)
        return f"{things} {'go' if is_many(things) else 'goes'} {way} {zone}"

    def _call(self, stmt: core.Call) -> str:
        routine = self.program.routines.get(stmt.routine)
        verb, *prepositions = stmt.routine.split()
        if routine is not None and routine.says is not None and routine.says.form == "sentence":
            args = dict(zip((name for name, _ in routine.params), stmt.args, strict=True))
            said = self.nouns.text(_with_args(routine.says.text, args))
            return f"{said} (see “{plain(verb)}”)"
        result = "" if stmt.result is None else f", which gives “{plain(stmt.result)}”"
        if routine is None or routine.is_event:
            said = ", ".join(self._argument(each) for each in stmt.args)
            return f"then comes “{plain(verb)}”{f': {said}' if said else ''}{result}"
        return self._command(plain(verb), prepositions, stmt.args, routine) + result

    def _command(
        self,
        verb: str,
        prepositions: list[str],
        args: tuple[core.Expr, ...],
        routine: core.Routine,
    ) -> str:
        """What a routine is told to do, or who does it, where that is said."""
        named = [
            (self._argument(each), param) for each, param in zip(args, routine.params, strict=True)
        ]
        direct = named.pop(0) if len(named) > len(prepositions) else None
        actor, more = "", []
        for preposition, (said, (name, type_)) in zip(prepositions, named, strict=False):
            if preposition == "by" and isinstance(type_, RefType):
                actor = said
            elif isinstance(type_, FlagType):
                more.append(f"(“{plain(name)}”: {said.removeprefix('whether ')})")
            else:
                more.append(f"{preposition} {said}")
        words = third(verb) if actor else verb
        if direct is not None:
            words = _with_object(words, direct[0], direct[1][1], self.nouns)
        return " ".join(filter(None, (actor, words, *more)))

    def _argument(self, expr: core.Expr) -> str:
        said = self.nouns.noun(expr)
        is_word = isinstance(expr, core.Const) and isinstance(expr.type, ChoiceType)
        return f"“{said}”" if is_word else said

    def _make(self, stmt: core.Make) -> str:
        fields = [
            f"{self.nouns.label(name)} {self.nouns.noun(value)}" for name, value in stmt.fields
        ]
        with_them = f", with {listed(fields)}" if fields else ""
        return f"make a new {self.nouns.kind(stmt.kind)}{with_them}"

    def _luck(self, stmt: core.Luck) -> str:
        weight = "" if stmt.weight is None else ", some more likely than others"
        return f"chance picks the {plain(stmt.name)} among {self.nouns.noun(stmt.source)}{weight}"

    def _open(self, stmt: core.OpenWindow) -> str:
        window = self.program.windows[stmt.window]
        if window.label is not None:
            args = dict(zip((name for name, _ in window.params), stmt.args, strict=True))
            label = self.nouns.text(_with_args(window.label, args))
            return (
                f"the players who are concerned are asked: “{label}” (see “{plain(stmt.window)}”)"
            )
        return f"now comes “{plain(stmt.window)}”: see what players may do then"

    def _reveal(self, stmt: core.Reveal) -> str:
        what = whose(self.nouns.noun(stmt.subject), self.nouns.label(stmt.column))
        seat = "everybody" if stmt.to is None else self.nouns.noun(stmt.to)
        return f"{seat} may look at {what}"

    def _return(self, stmt: core.Return) -> str:
        if isinstance(stmt.value.type, FlagType) and isinstance(stmt.value, core.Const):
            return "it is done" if stmt.value.value else "it is not done"
        return f"the result is {self.nouns.noun(stmt.value)}"


_NOTHING = Item("Nothing happens.")


def _led(lead: str, inner: tuple[Item, ...]) -> Item:
    """A condition with what follows: on one line, where that is one thing."""
    if len(inner) == 1 and not inner[0].inner and not inner[0].text.startswith("If "):
        text = inner[0].text
        is_name = text[:2].isupper() or text.startswith("“")
        return Item(f"{lead}, {text if is_name else text[:1].lower() + text[1:]}")
    return Item(f"{lead}:", inner)


def _with_object(verb: str, said: str, type_: Type, nouns: Nouns) -> str:
    """What is done to something: `draws 5 cards`, `clears the street`."""
    words, _, last = verb.rpartition(" ")
    if words and isinstance(type_, RefType) and last == nouns.kind(type_.kind):
        return f"{words} {said}"
    if words and isinstance(type_, IntType) and last.endswith("s") and said.isdigit():
        return f"{words} {said} {last}"
    if words and isinstance(type_, IntType):
        return f"{verb}: {said}"
    return f"{verb} {said}"


def _change(stmt: core.SetField) -> tuple[str, core.Expr] | None:
    """Whether a number goes up or down, and by how much."""
    value = stmt.value
    if isinstance(value, core.Arith) and value.op == "min" and isinstance(value.left, core.Arith):
        value = value.left
    if not isinstance(value, core.Arith) or value.op not in ("+", "-"):
        return None
    old = value.left.table if isinstance(value.left, core.Lookup) else value.left
    if isinstance(old, core.Field) and old.column == stmt.column and _is_same(old.subject, stmt):
        return ("up" if value.op == "+" else "down"), value.right
    return None


def _is_same(subject: core.Expr, stmt: core.SetField) -> bool:
    if isinstance(subject, core.Local) and isinstance(stmt.subject, core.Local):
        return subject.name == stmt.subject.name
    if isinstance(subject, core.Const) and isinstance(stmt.subject, core.Const):
        return subject.value == stmt.subject.value
    return False


def _with_args(text: core.TextOf, args: dict[str, core.Expr]) -> core.TextOf:
    """A text with what is given in place of parameters."""
    parts = [
        args.get(part.name, part) if isinstance(part, core.Local) else part for part in text.parts
    ]
    return core.TextOf(text.type, text.span, text.key, tuple(parts))


def _item_type(pick: core.HeadPick) -> Type:
    return RefType(pick.type.kind) if isinstance(pick.type, SetType) else pick.type


def flat_texts(items: Iterable[Item]) -> Iterator[str]:
    """All lines of a list, those inside too."""
    for item in items:
        yield item.text
        yield from flat_texts(item.inner)
