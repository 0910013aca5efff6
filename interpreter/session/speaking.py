"""Texts of questions and answers, with their holes filled, as a seat may read them."""

from __future__ import annotations

from itertools import groupby

from dsl.core.types import RefType
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.nodes import Program, Site, TextInfo, TextPart
from interpreter.session.facts import Facts
from interpreter.session.values import Values, filled, is_something
from interpreter.session.view import Sight


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
        shown: list[str] = []
        for key, group in groupby(enumerate(text.parts), _hole_of):
            parts = [part for _, part in group]
            if not isinstance(parts[0], TextPart):
                words.append(str(parts[0]))
                continue
            holes = [self._hole(part, args) for part in parts if isinstance(part, TextPart)]
            named = [word for word in holes if word is not None]
            words.append(self.values.listed(named) if key[0] else named[0])
            shown.append(words[-1])
        template = self.facts.program.texts.get(text.key)
        names = self.facts.holes.get(text.key, ())
        if template is None or len(names) != len(shown):
            return "".join(words)
        return filled(template, self.values.terms | dict(zip(names, shown, strict=True)))

    def passing(self, site: Site, args: tuple[object, ...]) -> str | None:
        """What passing is called now; None where the rules do not say."""
        for condition, text in site.passes:
            if condition is None or self.engine.function(condition)(*args):
                return self.text(text, args)
        return None

    def _hole(self, part: TextPart, args: tuple[object, ...]) -> str | None:
        """A value in words; None for what is left out among others."""
        wanted = len(self.program.functions[part.function].params)
        number = self.engine.function(part.function)(*args[:wanted])
        if part.together and not is_something(part.type, number):
            return None
        seat = args[0]
        assert isinstance(seat, int)
        if not self.sight.sees_value(seat, part.type, number):
            return self.values.unnamed(part.type)
        if part.is_printed and isinstance(part.type, RefType):
            return self.values.printed_on(part.type.kind, number)
        return self.values.shown(part.type, number)


def _hole_of(numbered: tuple[int, str | TextPart]) -> tuple[int, int]:
    """What is the same for neighbours that fill one hole."""
    place, part = numbered
    together = part.together if isinstance(part, TextPart) else 0
    return (together, 0) if together else (0, place)
