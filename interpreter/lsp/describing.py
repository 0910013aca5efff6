"""What is said of a word that is pointed at: its declaration, type, value and documentation."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.check import fit, switches
from dsl.check.merged import Row
from dsl.check.notes import Meaning
from dsl.check.words import Word
from dsl.check.world import World
from dsl.core.types import Type
from dsl.source import Source, Span
from interpreter.lsp.analysis import Analysis

# How the sorts of meanings are called by `list_words`, where they differ.
_CATEGORIES = {
    "kind": ("kind", "thing"),
    "define": ("value",),
    "routine": ("routine", "event"),
    "answer": ("question",),
    "word": ("choice", "switch"),
}


@dataclass(frozen=True, slots=True)
class Description:
    """`text` is how it is declared; `doc` what its comment says; `facts` what is known besides."""

    sort: str
    text: str
    doc: str = ""
    layer: str = ""
    facts: tuple[str, ...] = ()

    def markdown(self) -> str:
        """All of it, for people."""
        parts = [f"```rules\n{self.text}\n```"]
        parts += [self.doc] if self.doc else []
        parts += list(self.facts)
        parts += [f"*{self.sort}, {self.layer}*" if self.layer else f"*{self.sort}*"]
        return "\n\n".join(parts)


def describe(analysis: Analysis, meaning: Meaning, word: str) -> Description | None:
    """What a meaning is; `word` is how it is written."""
    world, merged = analysis.notes.world, analysis.merged
    if world is None or merged is None:
        return None
    if meaning.sort == "local":
        return _local(analysis, meaning, word)
    if meaning.sort == "entity":
        return _entity(analysis, meaning)
    found = word_of(analysis.words, meaning)
    if found is None:
        return Description(meaning.sort, word)
    return Description(
        found.category, found.text, found.doc, found.layer, tuple(_facts(world, meaning))
    )


def word_of(words: tuple[Word, ...], meaning: Meaning) -> Word | None:
    """The word of a variant that a meaning is."""
    categories = _CATEGORIES.get(meaning.sort, (meaning.sort,))
    last = meaning.name.rpartition(".")[2]
    verb = meaning.name.partition(" ")[0]
    for each in words:
        if each.category not in categories:
            continue
        if each.name in (meaning.name, verb):
            return each
        if meaning.sort == "define" and each.name == last:
            return each
        if meaning.sort in ("answer", "word") and last in each.text.replace(":", " ").split():
            return each
    return None


def _facts(world: World, meaning: Meaning) -> list[str]:
    """What is known of it in the variant that is being written."""
    if meaning.sort == "switch" and meaning.name in world.switches:
        return [f"Set to `{switch_value(world, meaning.name)}` here."]
    if meaning.sort == "define" and meaning.name in world.defines:
        return [f"Gives {fit.describe(world.defines[meaning.name].type)}."]
    if meaning.sort == "kind" and meaning.name in world.kinds:
        members = len(world.kinds[meaning.name].members)
        is_thing = world.kinds[meaning.name].is_thing
        return [] if is_thing else [f"There are {members} of it."]
    return []


def switch_value(world: World, name: str) -> str:
    """What a switch is set to, as it is written."""
    return switches.shown(world, world.switches[name])


def _local(analysis: Analysis, meaning: Meaning, word: str) -> Description:
    type_ = local_type(analysis, meaning)
    return Description("local name", word if type_ is None else f"{word}: {fit.describe(type_)}")


def local_type(analysis: Analysis, meaning: Meaning) -> Type | None:
    """The type of a local, as it was found where it is used."""
    for use in analysis.uses.of(meaning):
        type_ = analysis.notes.type_at(use.span)
        if type_ is not None:
            return type_
    return None


def _entity(analysis: Analysis, meaning: Meaning) -> Description:
    world, merged = analysis.notes.world, analysis.merged
    assert world is not None
    assert merged is not None
    id_ = meaning.name.partition(".")[2]
    for section, rows in merged.sections.items():
        for row in rows:
            if row.id == id_ and (row.kind is None or meaning.name.startswith(_root(world, row))):
                fields = [f"{name}: {node.span.text}" for name, node in row.fields.items()]
                facts = tuple(f"`{field}`" for field in fields if "\n" not in field)
                text = f"{id_}: {row.kind}" if row.kind else id_
                return Description(section, text, row.name, "", facts)
    return Description("seat", id_, dict(merged.seats).get(id_, ""))


def _root(world: World, row: Row) -> str:
    chain = world.chain(row.kind or "")
    return chain[-1] if chain else ""


def expression_at(analysis: Analysis, source: Source, offset: int) -> tuple[Span, Type] | None:
    """The smallest expression around an offset, with its type."""
    places = [
        (end - start, start, end, type_)
        for (name, start, end), type_ in analysis.notes.types.items()
        if name == source.name and start <= offset <= end
    ]
    if not places:
        return None
    _, start, end, type_ = min(places, key=lambda each: each[0])
    return Span(source, start, end), type_
