"""Completion: what may stand where somebody types, with what is said of it.

A word that is nowhere else is put there, and the text is read and checked with it: so the parser
says which sort of word it is, and the checker which names are in scope and what type is expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

from dsl.check import fit
from dsl.check.commands import BUILTINS
from dsl.check.functions import FUNCTIONS
from dsl.check.members import member_type
from dsl.check.words import Word
from dsl.check.world import World
from dsl.core.types import ChoiceType, FlagType, RefType, SeqType, SetType, Type
from dsl.diagnostics import Bag
from dsl.project.files import open_text, open_texts, read_script
from dsl.project.find import Folder
from dsl.syntax import nodes as syntax
from dsl.syntax.completing import expected_at
from interpreter.lsp.analysis import Analysis, analyse
from interpreter.lsp.describing import Description, switch_value
from interpreter.lsp.roles import Standing, role_of

_HERE = "zz_is_typed_here"
_KIND_HERE = "ZzIsTypedHere"
_BEFORE = re.compile(r"\w*\Z")
_AFTER = re.compile(r"\w*")

_K = types.CompletionItemKind

# Tokens of several words, as they are typed.
_SEVERAL = {
    "WHEN": ("before", "after", "instead of"),
    "CLOSE": ("until all pass", "until one acts", "until nobody can", "once each", "exactly one"),
    "MADE": ("made in play up to",),
    "COUNT_HIDDEN": ("count hidden",),
    "IF_ANY": ("if any",),
    "IS_ASKED": ("is asked",),
    "NOT_ASKED": ("is not asked",),
    "GAME_OVER": ("the game is over",),
    "GAME_ON": ("the game goes on",),
    "LUCK_GIVES": ("luck gives",),
    "SAYS": ("says",),
    "SAYS_NOTHING": ("says nothing",),
}


def complete(folder: Folder, path: Path, text: str, offset: int) -> list[types.CompletionItem]:
    """All that may stand at an offset of a script; the editor leaves out what does not fit what has
    been typed."""
    start = offset - len(_BEFORE.search(text[:offset])[0])  # type: ignore[index]
    end = offset + len(_AFTER.match(text[offset:])[0])  # type: ignore[index]
    if text[:start].rpartition("\n")[2].partition("--")[1]:
        return []
    expected = expected_at(text[:start], start)
    is_kind = "KIND" in expected and "NAME" not in expected
    word = _KIND_HERE if is_kind else _HERE
    analysis, standing = _with_word(folder, path, (text[:start] + word, text[end:]), word)
    items = [*_names(analysis, standing), *_keywords(expected)]
    return list({item.label: item for item in reversed(items)}.values())[::-1]


def _with_word(
    folder: Folder, path: Path, parts: tuple[str, str], word: str
) -> tuple[Analysis, Standing | None]:
    """The analysis of the text with the word between its parts, and what the word is there. A line
    that is not finished is tried with what may be missing."""
    before = open_texts().get(str(path.absolute()))
    standing = None
    try:
        for tail in _tails(*parts):
            open_text(path, parts[0] + tail + parts[1])
            read = read_script(path, Bag())
            standing = role_of(read.script, word) if read is not None else None
            if standing is not None:
                break
        return analyse(folder, path, wanted=word), standing
    finally:
        open_text(path, before)


def _tails(before: str, after: str) -> Iterator[str]:
    """What may be missing behind the word: a value, or a block."""
    yield ""
    if after.partition("\n")[0].strip():
        return
    line = before.rpartition("\n")[2]
    deep = "\n" + " " * (len(line) - len(line.lstrip()) + 4)
    yield from (" = 1", f"{deep}end turn", f"{deep}but x: no", f"{deep}pass", " x")
    yield from (f"{deep}for x{deep}    pass", ": 1", " to x", "\n    then\n        yes")


def _keywords(expected: frozenset[str]) -> Iterator[types.CompletionItem]:
    for kind in sorted(expected):
        for word in _SEVERAL.get(kind, (kind,) if kind.isalpha() and kind.islower() else ()):
            yield types.CompletionItem(label=word, kind=_K.Keyword, sort_text=f"5{word}")


# ---------------------------------------------------------------- names


def _names(analysis: Analysis, standing: Standing | None) -> Iterator[types.CompletionItem]:
    world, merged = analysis.notes.world, analysis.merged
    if world is None or merged is None or standing is None:
        return
    words = analysis.words
    match standing.role:
        case "member":
            yield from _members(analysis, world, words, standing)
        case "value":
            yield from _values(analysis, world, words, standing)
        case "kind" | "type":
            yield from _kinds(world, words, standing)
        case "sentence":
            yield from _seats(world)
            yield from _commands(words)
        case "seat":
            yield from _seats(world)
        case "answer":
            yield from _answers(words, standing)
        case role:
            yield from _of_categories(words, _CATEGORIES[role])
            if role == "command":
                yield from _builtin_commands()


_CATEGORIES: dict[str, tuple[str, ...]] = {
    "command": ("routine", "event"),
    "saying": ("saying",),
    "place": ("window", "question"),
    "switch": ("switch",),
    "happening": ("routine", "event", "phase", "window"),
    "window": ("window",),
    "phase": ("phase", "routine", "event"),
    "define": ("value",),
    "rule": ("rule", "exception"),
    "strategy": ("strategy",),
}

_ITEM_KINDS = {
    "kind": _K.Class,
    "thing": _K.Variable,
    "field": _K.Field,
    "unit": _K.Unit,
    "choice": _K.Enum,
    "switch": _K.Constant,
    "value": _K.Property,
    "routine": _K.Function,
    "event": _K.Event,
    "phase": _K.Module,
    "rule": _K.Method,
    "window": _K.Interface,
    "option": _K.Method,
    "question": _K.Interface,
    "strategy": _K.Struct,
    "saying": _K.Function,
}


def _of_categories(
    words: Iterable[Word], categories: tuple[str, ...]
) -> Iterator[types.CompletionItem]:
    for word in words:
        if word.category in categories:
            yield _item(word, _label(word))


def _label(word: Word) -> str:
    return word.name.rpartition(".")[2]


def _item(word: Word, label: str, sort: int = 2, value: str | None = None) -> types.CompletionItem:
    facts = () if value is None else (f"Set to `{value}` here.",)
    said = Description(word.category, word.text, word.doc, word.layer, facts)
    is_called = word.category in ("routine", "event")
    return types.CompletionItem(
        label=label,
        kind=_ITEM_KINDS.get(word.category, _K.Text),
        detail=word.text,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, said.markdown()),
        insert_text=_call(word.text) if is_called else label,
        insert_text_format=types.InsertTextFormat.Snippet if is_called else None,
        sort_text=f"{sort}{label}",
    )


def _call(text: str) -> str:
    """A head as a snippet: `pay ${1:amount} from ${2:payer} to ${3:payee}`."""
    head = re.sub(r" gives .*", "", text)
    head = re.sub(r": [^ ]+( of [^ ]+)?", "", head)
    parts = head.split(" ")
    prepositions = ("from", "to", "on", "onto", "with", "at", "by", "of", "into", "under", "over",
                    "against")  # fmt: skip
    number, made = 0, [parts[0]]
    for part in parts[1:]:
        if part in prepositions:
            made.append(part)
        else:
            number += 1
            made.append(f"${{{number}:{part}}}")
    return " ".join(made)


def _simple(
    label: str, kind: types.CompletionItemKind, detail: str = "", sort: int = 1, doc: str = ""
) -> types.CompletionItem:
    return types.CompletionItem(
        label=label,
        kind=kind,
        detail=detail or None,
        documentation=doc or None,
        sort_text=f"{sort}{label}",
    )


def _members(
    analysis: Analysis, world: World, words: tuple[Word, ...], standing: Standing
) -> Iterator[types.CompletionItem]:
    """What can be read of the subject, by its type."""
    node = standing.node
    assert isinstance(node, syntax.Dot)
    type_ = analysis.notes.type_at(node.subject.span)
    if isinstance(type_, RefType) and type_.kind in world.kinds:
        for name in dict.fromkeys(world.member_names(type_.kind)):
            yield _member(world, words, type_.kind, name)
    elif isinstance(type_, SetType | SeqType):
        for name, infos in world.defines_by_word.items():
            if infos[0].is_list:
                yield _simple(name, _K.Property, fit.describe(infos[0].type), doc=infos[0].doc)


def _member(world: World, words: tuple[Word, ...], kind: str, name: str) -> types.CompletionItem:
    info = world.define(kind, name)
    if info is not None:
        params = f"({', '.join(fit.describe(each) for each in info.params)})" if info.params else ""
        detail = f"{name}{params}: {fit.describe(info.type)}"
        return _simple(name, _K.Property, detail, doc=info.doc)
    member = world.member(kind, name)
    detail = fit.describe(member_type(member)) if member is not None else ""
    return _simple(name, _K.Field, detail, doc=getattr(member, "doc", ""))


def _values(
    analysis: Analysis, world: World, words: tuple[Word, ...], standing: Standing
) -> Iterator[types.CompletionItem]:
    """Locals first, then what fits the type that is expected, then all that has a value."""
    here = analysis.notes.here
    expected = here.expected if here is not None else None
    for name, type_ in (here.names if here is not None else {}).items():
        yield _simple(name, _K.Variable, fit.describe(type_), sort=0)
    element = fit.element_of(expected) if isinstance(expected, SetType | SeqType) else expected
    if isinstance(element, ChoiceType):
        for value in element.values:
            yield _simple(value, _K.EnumMember, fit.describe(element), sort=0)
    if isinstance(element, FlagType):
        for value in ("yes", "no"):
            yield _simple(value, _K.Keyword, "yes or no", sort=0)
    for word in words:
        if word.category == "switch":
            yield _item(word, word.name, 3, switch_value(world, word.name))
        elif word.category == "thing" or (word.category == "value" and _is_bare(world, word.name)):
            yield _item(word, word.name)
    yield from _entities(world, element, standing)
    for name in FUNCTIONS:
        yield _simple(name, _K.Function, f"{name}(..)", sort=4)


def _is_bare(world: World, name: str) -> bool:
    return any(info.subject == "none" for info in world.defines_by_word.get(name, ()))


def _entities(
    world: World, expected: Type | None, standing: Standing
) -> Iterator[types.CompletionItem]:
    is_played = isinstance(standing.decl, syntax.Scenario)
    for id_, found in world.entities.items():
        kinds = [kind for kind, _ in found]
        fits = isinstance(expected, RefType) and any(
            world.are_related(kind, expected.kind) for kind in kinds
        )
        if fits or is_played or expected is None:
            yield _simple(id_, _K.Value, " or ".join(kinds), sort=1 if fits else 4)


def _kinds(
    world: World, words: tuple[Word, ...], standing: Standing
) -> Iterator[types.CompletionItem]:
    for word in words:
        if word.category == "kind" or (word.category in ("choice", "unit", "thing")):
            yield _item(word, word.name)
    if standing.role == "type":
        for name in ("flag", "text", fit.MONEY):
            yield _simple(name, _K.Keyword)


def _seats(world: World) -> Iterator[types.CompletionItem]:
    for seat, shown in world.merged.seats[: world.players]:
        yield _simple(seat, _K.Value, shown, sort=0)


def _commands(words: tuple[Word, ...]) -> Iterator[types.CompletionItem]:
    yield from _of_categories(words, ("routine", "event"))
    yield from _builtin_commands()


def _builtin_commands() -> Iterator[types.CompletionItem]:
    for name in BUILTINS:
        yield _simple(name, _K.Keyword, sort=1)


def _answers(words: tuple[Word, ...], standing: Standing) -> Iterator[types.CompletionItem]:
    """Options of the windows and answers to the questions that are meant."""
    wanted: set[str] = set()
    if isinstance(standing.decl, syntax.Strategy):
        for part in standing.decl.parts:
            if part.span.start <= standing.node.span.start <= part.span.end:
                wanted = {question.text for question in part.questions}
    for word in words:
        if word.category == "option":
            windows = word.text.partition(" in ")[2]
            if not wanted or any(each in windows for each in wanted):
                yield _item(word, word.name)
        elif word.category == "question" and (not wanted or word.name in wanted):
            for answer in word.text.partition(": ")[2].split(" | "):
                if " " not in answer:
                    yield _simple(answer, _K.Method, word.text, sort=2)
    yield _simple("pass", _K.Keyword, sort=3)
