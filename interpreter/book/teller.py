"""What all chapters share: the program with its words, and how an entry of the book is made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dsl.core import nodes as core
from interpreter.book.grammar import capital, plain
from interpreter.book.nouns import Nouns
from interpreter.book.record import Block, Bullets, Item, Paragraph, Title
from interpreter.book.sentences import Sentences
from interpreter.session.facts import gather_facts
from interpreter.session.values import Hole
from interpreter.table.describe import Describer

_REFERENCE = re.compile(
    r" ?\((?:[A-Z]{1,2}-)?[A-Z]{1,2}-?\d+(?:, (?:[A-Z]{1,2}-)?[A-Z]{1,2}-?\d+)*\)"
)
"""Where a designer has it from, such as `(K3)`: nothing for players."""


class Teller:
    """Tells of one program. `index` gathers the words of the index with their anchors."""

    def __init__(self, program: core.Program, plurals: Mapping[str, str] | None = None) -> None:
        self.program = program
        facts = gather_facts(program)
        self.nouns = Nouns(program, facts.holes, plurals)
        self.sentences = Sentences(self.nouns)
        self.describer = Describer(facts)
        self.values = self.nouns.values
        self.index: list[tuple[str, str]] = []

    def word(self, key: str, **holes: Hole) -> str:
        """A word of the book itself."""
        return self.values.word(f"book.{key}", **holes)

    def titled(self, text: str, anchor: str, level: int = 3, note: str = "") -> Title:
        """A heading that is in the index as well."""
        self.index.append((text, anchor))
        return Title(text, anchor, level, note)

    def prose(self, doc: str) -> Iterator[Paragraph]:
        """The paragraph that stands above something in the rules."""
        said = _REFERENCE.sub("", " ".join(doc.split()))
        if said:
            yield Paragraph(said, is_english=True)

    def entry(
        self,
        name: str,
        anchor: str,
        doc: str,
        lines: Sequence[Item],
        *,
        says: str = "",
        note: str = "",
        level: int = 4,
    ) -> Iterator[Block]:
        """A rule or an answer: its paragraph, or its sentence where it has none, then all that it
        does; without either, that is all that is told of it."""
        yield self.titled(capital(plain(name)), anchor, level, note)
        yield from self.prose(doc)
        if says and not (doc and self.nouns.is_english):
            yield Paragraph(says)
        if lines:
            is_told = bool(doc or says)
            yield Bullets(tuple(lines), is_detail=is_told, is_english=True)
