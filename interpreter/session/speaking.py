"""Texts of questions and answers, with their holes filled, as a seat may read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from dsl.core.types import RefType
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir.nodes import Program, Site, TextInfo, TextPart
from interpreter.session.facts import Facts
from interpreter.session.values import Hole, Values, element_kind, filled, is_something
from interpreter.session.view import Sight


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that is at stake at a question. `text`: it in words; of things `kind` is their
    kind, `ids` which they are."""

    label: str
    text: str
    kind: str | None = None
    ids: tuple[str, ...] = ()


class Speaking:
    """Fills texts for the seat that is asked."""

    def __init__(
        self, engine: PythonEngine, program: Program, facts: Facts, values: Values, sight: Sight
    ) -> None:
        self.engine = engine
        self.program = program
        self.facts = facts
        self.values = values
        self.sight = sight

    def text(self, text: TextInfo, args: tuple[object, ...]) -> str:
        """A text with its holes filled, as far as the seat may know; `args`: the seat, the scope
        and what is picked."""
        words: list[str] = []
        shown: list[Hole] = []
        for _, group in groupby(enumerate(text.parts), _hole_of):
            parts = [part for _, part in group]
            if not isinstance(parts[0], TextPart):
                words.append(str(parts[0]))
                continue
            made = self._hole([part for part in parts if isinstance(part, TextPart)], args)
            words.append(made(None))
            shown.append(made)
        template = self.facts.program.texts.get(text.key)
        names = self.facts.holes.get(text.key, ())
        if template is None or len(names) != len(shown):
            return "".join(words)
        holes = self.values.terms | dict(zip(names, shown, strict=True))
        return filled(template, holes, self.values.forms)

    def shown(self, text: TextInfo, args: tuple[object, ...]) -> list[Shown]:
        """What is at stake at a question, as far as the seat may know it; nothing of what is none
        or empty."""
        found: list[Shown] = []
        for number, part in enumerate(text.parts, 1):
            assert isinstance(part, TextPart)
            value = self._value(part, args)
            seat = args[0]
            assert isinstance(seat, int)
            kind = element_kind(part.type)
            if not is_something(part.type, value) and kind is not None:
                continue
            if not self.sight.sees_value(seat, part.type, value):
                continue
            values = self.values.value(part.type, value)
            things = values if isinstance(values, list) else [values]
            label = self.facts.program.texts.get(f"{text.key}.{number}", "")
            shown = self.values.shown(part.type, value)
            ids = tuple(str(thing) for thing in things) if kind is not None else ()
            found.append(Shown(label, shown, kind, ids))
        return found

    def passing(self, site: Site, args: tuple[object, ...]) -> str | None:
        """What passing is called now; None where the rules do not say."""
        for condition, text in site.passes:
            if condition is None or self.engine.function(condition)(*args):
                return self.text(text, args)
        return None

    def _value(self, part: TextPart, args: tuple[object, ...]) -> int:
        wanted = len(self.program.functions[part.function].params)
        value: int = self.engine.function(part.function)(*args[:wanted])
        return value

    def _hole(
        self, parts: Sequence[TextPart], args: tuple[object, ...]
    ) -> Callable[[str | None], str]:
        """What fills a hole: a value, or several that stand together, in the form asked for."""
        numbers = [(part, self._value(part, args)) for part in parts]
        seat = args[0]
        assert isinstance(seat, int)

        def words(form: str | None) -> str:
            if not parts[0].together:
                return self._words(*numbers[0], seat, form)
            there = [(part, value) for part, value in numbers if is_something(part.type, value)]
            return self.values.listed(self._words(*each, seat, form) for each in there)

        return words

    def _words(self, part: TextPart, number: int, seat: int, form: str | None) -> str:
        if not self.sight.sees_value(seat, part.type, number):
            return self.values.unnamed(part.type, form)
        if part.is_printed and isinstance(part.type, RefType):
            return self.values.printed_on(part.type.kind, number)
        return self.values.shown(part.type, number, form)


def _hole_of(numbered: tuple[int, str | TextPart]) -> tuple[int, int]:
    """What is the same for neighbours that fill one hole."""
    place, part = numbered
    together = part.together if isinstance(part, TextPart) else 0
    return (together, 0) if together else (0, place)
