"""Numbers of the engine as values for people and programs (ids, words, yes and no), and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dsl.core import nodes as core
from dsl.core.types import (
    ChoiceType,
    FlagType,
    IntType,
    MapType,
    RefType,
    SeqType,
    SetType,
    Type,
    none_value,
)
from interpreter.session.forms import Forms, plural_category
from interpreter.session.words import WORDS

Value = bool | int | str | None | list["Value"] | dict[str, "Value"]
"""What a view, a question or an answer is made of: fit for JSON."""

MONEY = "money"


class ValueMisfit(ValueError):
    """A value that is not of the wanted type; the message says so in a player's words."""


class Values:
    """Translates between numbers and values of one program."""

    def __init__(self, program: core.Program) -> None:
        self.program = program
        self.terms: dict[str, Hole] = {
            key.partition(".")[2].removesuffix(".one"): text
            for key, text in program.texts.items()
            if key.startswith("kind.") or (key.startswith("unit.") and key.endswith(".one"))
        }
        self.forms = Forms(program.texts, program.forms)
        self._index = {
            name: {id_: index for index, id_ in enumerate(family.ids)}
            for name, family in program.families.items()
        }

    # ------------------------------------------------------------ entities

    def family(self, kind: str) -> core.Family:
        """The family of a kind."""
        return self.program.families[self.program.kinds[kind].family]

    def id_of(self, kind: str, index: int) -> str:
        """The id of an entity."""
        return self.family(kind).ids[index]

    def index_of(self, kind: str, id_: str) -> int:
        """The number of an entity; ValueMisfit unless there is one of this kind."""
        found = self._index[self.program.kinds[kind].family].get(id_)
        if found is None or found not in self.program.kinds[kind].members:
            raise ValueMisfit(f"there is no {self.kind_word(kind)} `{id_}`")
        return found

    def name_of(self, kind: str, index: int) -> str:
        """How an entity is called where people read it."""
        return self.program.names[self.program.kinds[kind].family][index]

    def printed_on(self, kind: str, index: int) -> str:
        """What is printed on an entity; its name where nothing is."""
        found = self.program.printed.get(self.program.kinds[kind].family, ())
        text = found[index] if index < len(found) else ""
        return text or self.name_of(kind, index)

    def kind_word(self, kind: str) -> str:
        """How a kind is called where people read it."""
        word = "".join(f"_{char.lower()}" if char.isupper() else char for char in kind).lstrip("_")
        return self.program.texts.get(f"kind.{word}", word.replace("_", " "))

    # ------------------------------------------------------------ numbers to values

    def value(self, type_: object, number: object) -> Value:
        """A number (or row of numbers) of a type as a value."""
        match type_:
            case SeqType(element=element):
                return [self.value(element, item) for item in _items(number)]
            case _ if not isinstance(number, int):
                return None
            case SetType(kind=kind):
                return [self.id_of(kind, index) for index in members(number)]
            case FlagType():
                return bool(number)
            case RefType(kind=kind):
                return self.id_of(kind, number) if number >= 0 else None
            case ChoiceType(values=values):
                return values[number] if number >= 0 else None
            case IntType(optional=True) if number == none_value(type_):
                return None
            case _:
                return number

    def number(self, type_: object, value: object) -> int:
        """A value as a number; raises ValueMisfit where it does not fit the type."""
        match type_:
            case SetType(kind=kind):
                return self._set_number(kind, value)
            case RefType(kind=kind):
                if isinstance(value, str):
                    return self.index_of(kind, value)
                raise ValueMisfit(f"a {self.kind_word(kind)} belongs here, not {value!r}")
            case FlagType():
                if isinstance(value, bool):
                    return int(value)
                raise ValueMisfit(f"yes or no (True or False) belongs here, not {value!r}")
            case ChoiceType(values=words):
                if isinstance(value, str) and value in words:
                    return words.index(value)
                raise ValueMisfit(f"one of {', '.join(words)} belongs here, not {value!r}")
            case _:
                if type(value) is int and -(1 << 31) < value < 1 << 31:
                    return value
                raise ValueMisfit(f"a number belongs here, not {value!r}")

    def _set_number(self, kind: str, value: object) -> int:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueMisfit(f"a list of ids belongs here, not {value!r}")
        bits = 0
        for item in value:
            if not isinstance(item, str):
                raise ValueMisfit(f"a list of ids belongs here; {item!r} is none")
            bits |= 1 << self.index_of(kind, item)
        return bits

    # ------------------------------------------------------------ numbers to words

    def shown(self, type_: object, number: object, form: str | None = None) -> str:
        """A number of a type as people read it: names, amounts of money, words; in a form of the
        language, such as a case."""
        match type_:
            case SeqType(element=element):
                return self.listed(self.shown(element, item, form) for item in _items(number))
            case _ if not isinstance(number, int):
                return str(number)
            case SetType(kind=kind):
                names = (self.name_of(kind, index) for index in members(number))
                return self.listed(self.forms.take(name, form) for name in names)
            case FlagType():
                return self.word("value.yes" if number else "value.no")
            case RefType(kind=kind):
                if number < 0:
                    return self.word("value.none")
                return self.forms.take(self.name_of(kind, number), form)
            case ChoiceType(values=values):
                if number < 0:
                    return self.word("value.none")
                word = values[number]
                shown = self.program.texts.get(f"word.{word}", word.replace("_", " "))
                return self.forms.take(shown, form)
            case IntType(unit=unit):
                if type_.optional and number == none_value(type_):
                    return self.word("value.none")
                return self.amount(number, unit, form)
            case _:
                return str(number)

    def something(self, kind: str, form: str | None = None) -> str:
        """What may not be named, by a kind that its reader may know it has: `a card`."""
        return self.word("log.something", kind=self.forms.take(self.kind_word(kind), form))

    def unnamed(self, type_: object, form: str | None = None) -> str:
        """What may not be named, by the root of its kind: what the rules know of it where they
        speak of it may be hidden."""
        kind = element_kind(type_)
        while kind is not None and (base := self.program.kinds[kind].base) is not None:
            kind = base
        return self.something(kind or "", form)

    def amount(self, number: int, unit: str | None, form: str | None = None) -> str:
        """A number of a unit: `$200`, `2 chips`, `7`."""
        texts = self.program.texts
        if unit == MONEY:
            symbol = texts.get("currency.symbol", "")
            if texts.get("currency.position", "before") == "before":
                return f"{symbol}{number}" if number >= 0 else f"-{symbol}{-number}"
            return f"{number} {symbol}".rstrip()
        if unit is None:
            return str(number)
        category = plural_category(self.program.language, number)
        word = texts.get(f"unit.{unit}.{category}") or texts.get(f"unit.{unit}.other", unit)
        return f"{number} {self.forms.take(word, form)}"

    def listed(self, items: Iterable[str]) -> str:
        """Words in a row: `a, b and c`."""
        words = list(items)
        if not words:
            return self.word("value.nothing")
        if len(words) == 1:
            return words[0]
        return f"{', '.join(words[:-1])} {self.word('value.and')} {words[-1]}"

    def word(self, key: str, **holes: Hole) -> str:
        """A text of this package, translated where the variant has a translation."""
        template = self.program.texts.get(key) or WORDS[key]
        return filled(template, holes, self.forms)


Hole = str | Callable[[str | None], str]
"""What fills a hole: words, or what gives them in the form that the text asks for."""


def filled(template: str, holes: Mapping[str, Hole], forms: Forms) -> str:
    """A template with its holes filled; `{thing:accusative}` asks for a form. `{{` and `}}` are
    braces, unknown holes are kept."""
    out: list[str] = []
    at = 0
    while at < len(template):
        char = template[at]
        if char in "{}" and template[at : at + 2] == char * 2:
            out.append(char)
            at += 2
        elif char == "{" and (end := template.find("}", at)) > 0:
            hole = template[at + 1 : end]
            name, _, form = hole.partition(":") if hole not in holes else (hole, "", "")
            fits = holes.get(name)
            if fits is None:
                out.append(template[at : end + 1])
            else:
                out.append(forms.take(fits, form) if isinstance(fits, str) else fits(form or None))
            at = end + 1
        else:
            out.append(char)
            at += 1
    return "".join(out)


def capital(text: str) -> str:
    """A sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def is_something(type_: object, number: object) -> bool:
    """Whether a value is worth naming among others: no empty list, no amount of 0, no none."""
    if isinstance(type_, RefType | ChoiceType):
        return isinstance(number, int) and number >= 0
    return bool(number)


def members(bits: int) -> list[int]:
    """The members of a bit set, ascending."""
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def _items(number: object) -> list[object]:
    return list(number) if isinstance(number, list | tuple) else []


def element_kind(type_: object) -> str | None:
    """The kind that values of a type refer to; None where they refer to none."""
    match type_:
        case RefType(kind=kind) | SetType(kind=kind):
            return kind
        case SeqType(element=element):
            return element_kind(element)
        case _:
            return None


def value_type(type_: Type) -> Type:
    """The type of a field's single value: of a table, that of its cells."""
    return type_.value if isinstance(type_, MapType) else type_
