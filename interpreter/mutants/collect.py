"""All mutants of what a variant or mod brings in itself, and a sample of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from dsl.check.merged import Merged, RankedDecl
from dsl.source import Span
from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit, Mutant
from interpreter.mutants.data_edits import (
    row_edits,
    switching_edits,
    with_exchanged,
    with_row,
    with_switching,
)
from interpreter.mutants.edits import edits_of
from interpreter.mutants.reach import Reach
from interpreter.mutants.sketch import data_sketch, sketch

RING = "ring"
_Place = tuple[str, int]


def collect(merged: Merged, is_own: Callable[[Span], bool]) -> list[Mutant]:
    """The mutants of all that is the variant's own, in the order of the files."""
    found = [*_of_rules(merged, is_own), *_of_rows(merged, is_own), *_of_switches(merged, is_own)]
    return _numbered(found)


def drawn(mutants: Iterable[Mutant], seed: int) -> list[Mutant]:
    """The mutants in an order of chance. Each has its place by itself: a change elsewhere in the
    rules moves no other."""
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed}/{one.key}".encode()).digest())


def _numbered(mutants: list[Mutant]) -> list[Mutant]:
    """With keys that tell apart what is written twice in one declaration."""
    counts: Counter[str] = Counter()
    found: list[Mutant] = []
    for one in mutants:
        counts[one.key] += 1
        found.append(replace(one, key=f"{one.key}/{counts[one.key]}"))
    return found


def _mutant(edit: Edit, owner: str, **parts: Any) -> Mutant:
    key = f"{edit.span.source.name}/{owner}/{edit.what}/{edit.before}/{edit.after}"
    return Mutant(edit.what, edit.span, edit.before, edit.after, owner, key, **parts)


# ---------------------------------------------------------------- rules


def _of_rules(merged: Merged, is_own: Callable[[Span], bool]) -> Iterator[Mutant]:
    reach = Reach(merged)
    for ranked in merged.declarations:
        if not is_own(ranked.decl.span):
            continue
        owner = owner_of(ranked.decl)
        for edit in edits_of(ranked.decl):
            mark = partial(_with_decl, old=ranked.decl, new=edit.marked)
            yield _mutant(
                edit,
                owner,
                apply=partial(_with_decl, old=ranked.decl, new=edit.node),
                mark=None if edit.marked is None else mark,
                sketch=sketch(ranked.decl, edit),
                reach=reach.of(ranked.decl, edit),
            )


def _with_decl(merged: Merged, *, old: syntax.Decl, new: syntax.Decl | None) -> Merged:
    """The variant with another declaration in place of one, or without it."""
    place = _place(old)
    kept: list[RankedDecl] = []
    for ranked in merged.declarations:
        if _place(ranked.decl) != place:
            kept.append(ranked)
        elif new is not None:
            kept.append(replace(ranked, decl=new))
    return replace(merged, declarations=tuple(kept))


def _place(decl: syntax.Decl) -> _Place:
    return decl.span.source.name, decl.span.start


def owner_of(decl: syntax.Decl) -> str:
    """A declaration in a designer's words: `rule tax`, `to act`."""
    first = decl.span.text.split("\n", 1)[0].split(" if ", 1)[0]
    return " ".join(first.partition(" = ")[0].partition(": ")[0].rstrip(":").split())


# ---------------------------------------------------------------- data


def _of_rows(merged: Merged, is_own: Callable[[Span], bool]) -> Iterator[Mutant]:
    for section, rows in merged.sections.items():
        seen: set[int] = set()
        for at, row in enumerate(rows):
            if row.id_span.start in seen:
                continue
            seen.add(row.id_span.start)
            owner = f"{section}.{row.id}"
            for name, edit in row_edits(rows, row):
                if is_own(edit.span):
                    yield _mutant(
                        edit,
                        f"{owner}.{name}",
                        apply=partial(with_row, section=section, row=row, new=edit.node),
                        mark=None,
                        sketch=data_sketch(row, name, edit),
                    )
            if section == merged.board.get(RING) and at + 1 < len(rows) and is_own(row.id_span):
                yield _exchanged(section, owner, row, rows[at + 1])


def _exchanged(section: str, owner: str, row: Any, following: Any) -> Mutant:
    before, after = f"{row.id}, {following.id}", f"{following.id}, {row.id}"
    edit = Edit("neighbours exchanged", row.id_span, before, after, row)
    return _mutant(
        edit,
        owner,
        apply=partial(with_exchanged, section=section, first=row, second=following),
        mark=None,
        sketch=data_sketch(row, None, edit),
    )


def _of_switches(merged: Merged, is_own: Callable[[Span], bool]) -> Iterator[Mutant]:
    declared = {
        ranked.decl.name.text: ranked.decl
        for ranked in merged.declarations
        if isinstance(ranked.decl, syntax.SwitchDecl)
    }
    for switching in merged.switchings:
        if not is_own(switching.span):
            continue
        for edit in switching_edits(switching, declared.get(switching.name)):
            yield _mutant(
                edit,
                f"set {switching.name}",
                apply=partial(with_switching, old=switching, new=edit.node),
                mark=None,
                sketch=(f"what is so with `{switching.name}` set to {edit.before}, and only then",),
            )
