"""Which scenarios a change can have touched: by what was changed, what speaks of it, and what each
scenario has run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.check.contents import Contents, walk_syntax
from dsl.check.merged import Merged
from dsl.syntax import nodes as syntax

Ran = Mapping[str, frozenset[str]]
"""By the title of a scenario, what ran in it: `rule toll`, `option buy`."""

_Texts = dict[tuple[str, ...], str]


def at_once(before: Merged, now: Merged) -> set[str]:
    """The titles of the scenarios that were changed themselves, or speak of what was changed."""
    titles, words = _changed(before, now)
    for ranked in now.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Scenario) and not words.isdisjoint(_mentioned(decl)):
            titles.add(decl.title)
    return titles


def touched(before: Merged, now: Merged, ran: Ran) -> set[str]:
    """The titles of the scenarios that a change from one to the other can have touched. Those of
    which it is not known what ran in them are touched by everything."""
    titles, words = _changed(before, now)
    if not words:
        return titles
    words |= _speaking_of(now, words) | _speaking_of(before, words)
    for ranked in now.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Scenario):
            labels = ran.get(decl.title)
            did_run = labels is None or any(each.partition(" ")[2] in words for each in labels)
            if did_run or not words.isdisjoint(_mentioned(decl)):
                titles.add(decl.title)
    return titles


def _changed(before: Merged, now: Merged) -> tuple[set[str], set[str]]:
    """The titles of the scenarios, and the names of all else, that are not as they were."""
    old, new = _texts(before), _texts(now)
    changed = {key for key in {*old, *new} if old.get(key) != new.get(key)}
    titles = {key[1] for key in changed if key[0] == "Scenario"}
    return titles, {word for key in changed if key[0] != "Scenario" for word in key[1:]}


def _speaking_of(merged: Merged, words: set[str]) -> set[str]:
    """The names of what is declared by speaking of these words, or of such names in turn."""
    contents = Contents()
    decls = [
        (set(names_of(ranked.decl)), contents.words(ranked.decl))
        for ranked in merged.declarations
        if not isinstance(ranked.decl, syntax.Scenario)
    ]
    found = set(words)
    while True:
        more = {
            name
            for names, said in decls
            if not (found.isdisjoint(said.read) and found.isdisjoint(said.verbs))
            for name in names
        }
        if more <= found:
            return found
        found |= more


def _mentioned(decl: syntax.Scenario) -> set[str]:
    found: set[str] = set()
    for node in walk_syntax(decl):
        if isinstance(node, syntax.Name):
            found.add(node.text)
        elif isinstance(node, syntax.NameExpr):
            found.add(node.name)
    return found


def _texts(merged: Merged) -> _Texts:
    """What is written of each declaration, entry and setting, by what it is and its names."""
    found: _Texts = {}
    for ranked in merged.declarations:
        decl = ranked.decl
        names = (decl.title,) if isinstance(decl, syntax.Scenario) else tuple(names_of(decl))
        key = (type(decl).__name__, *names)
        found[key] = found.get(key, "") + _plain(decl.span.text)
    for section, rows in merged.sections.items():
        for row in rows:
            for name, node in row.fields.items():
                found["entry", row.id, name] = node.span.text
            found["entry", row.id] = f"{section} {row.kind}"
    for each in merged.switchings:
        found["setting", each.name] = each.span.text
    return found


def _plain(text: str) -> str:
    """A text without comments and odd blanks."""
    lines = (line.partition("--")[0].rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def names_of(decl: syntax.Decl) -> Iterator[str]:
    """The words by which others speak of what is declared."""
    match decl:
        case syntax.Routine() | syntax.EventDecl() | syntax.Window():
            yield decl.signature.verb.text
        case syntax.Define() | syntax.ExceptionDecl():
            yield decl.head.name.text
        case syntax.AddFields():
            yield from (field.name.text for field in decl.fields)
        case syntax.KindDecl() | syntax.ThingDecl():
            yield decl.name.text
            yield from (field.name.text for field in decl.fields)
        case syntax.Forbid():
            yield decl.option.text
        case syntax.Saying():
            yield decl.verb.text
        case syntax.Replace():
            yield from names_of(decl.declaration)
        case _:
            name = getattr(decl, "name", None)
            if isinstance(name, syntax.Name):
                yield name.text
