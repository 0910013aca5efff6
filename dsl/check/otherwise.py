"""What a word is that stands where words of another sort belong, and the form in which it is
said: so that a message leads there."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.check import fit
from dsl.syntax import nodes as syntax


def form_of(
    declarations: Iterable[syntax.Decl], word: str, *, is_value: bool = False
) -> str | None:
    """What is declared by a name and how it is meant to be used; None where nothing is.

    `is_value`: a value was meant, so of things that are called so a field comes first.
    """
    ways = (_of_field, _of_named) if is_value else (_of_named, _of_field)
    decls = tuple(declarations)
    said = (way(decl, word) for way in ways for decl in decls)
    return next((each for each in said if each is not None), None)


def _of_named(decl: syntax.Decl, word: str) -> str | None:
    match decl:
        case syntax.SwitchDecl(name=name) if name.text == word:
            return f"it is a switch: `set {word} = VALUE`"
        case syntax.RuleDecl(name=name) | syntax.WatchDecl(name=name) if name.text == word:
            return f"it is a rule: `replace rule {word}: ...`, or `remove rule {word}`"
        case syntax.Option(name=name) if name.text == word:
            return f"it is an option: `forbid {word} in WINDOW if CONDITION`, or `replace option`"
        case syntax.Strategy(name=name) if name.text == word:
            return f"it is a strategy: `strategy NAME is {word}` has its lines, and those below"
        case syntax.Define(head=head) if head.name.text == word:
            written = " ".join(head.span.text.split())
            return f"it is a value: `exception to {written}`, with `but` lines below"
        case syntax.Window(signature=signature) if signature.verb.text == word:
            return f"it is a window: `open {word}`, or `option NAME in {word}`"
        case syntax.Routine(signature=signature) if signature.verb.text == word:
            return f"it is a routine: a rule hooks it, `rule NAME: instead of {word} ...`"
        case syntax.EventDecl(signature=signature) if signature.verb.text == word:
            return f"it is an event: a rule hooks it, `rule NAME: after {word} ...`"
        case _:
            return None


def _of_field(decl: syntax.Decl, word: str) -> str | None:
    """A field, by the kind or thing that has it."""
    if not isinstance(decl, syntax.KindDecl | syntax.ThingDecl | syntax.AddFields):
        return None
    owner = decl.owner.text if isinstance(decl, syntax.AddFields) else decl.name.text
    field = next((each for each in decl.fields if each.name.text == word), None)
    if field is None:
        return None
    place = f"{fit.kind_word(owner)}.{word}"
    said = f"{fit.a(owner)} has it as a field"
    if not isinstance(field, syntax.StateField):
        return f"{said}: `move` changes what is there"
    if field.starts is not None:
        return f"{said}: `{place} = VALUE` in a rule"
    return f"{said}: `exception to {place}`, with `but` lines below, or another value in the data"
