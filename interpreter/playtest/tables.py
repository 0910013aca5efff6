"""What the rules measured, put together: numbers, courses over time, and tables of things.

Everything here follows from the `measure` declarations of the rules and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from dsl.core import nodes as core
from interpreter.flat.ir.nodes import MeasureInfo, Program
from interpreter.playtest.machine import Meaning

NUMBER = "number"
FLAG = "flag"
MONEY = "money"


@dataclass(frozen=True, slots=True)
class Axis:
    """What a measure is counted by. `cells`: the number of a cell and what it stands for; `ids`: by
    what name rules and data know that."""

    what: str
    title: str
    cells: tuple[tuple[int, str], ...]
    size: int
    ids: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure with its sums over all games, one per cell (the last axis runs fastest)."""

    name: str
    title: str
    unit: str | None
    is_count: bool
    each: str | None
    axes: tuple[Axis, ...]
    sums: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of all cells."""
        return sum(self.sums)

    @property
    def is_course(self) -> bool:
        """Whether it is counted over time."""
        return any(axis.what == NUMBER for axis in self.axes)

    def can_take_all(self, other: Measured) -> bool:
        """Whether all that the other counts is a cell of this one, too."""
        return set(other.axes[0].cells) <= set(self.axes[0].cells)

    def can_take(self, other: Measured) -> bool:
        """Whether both count in the same unit, and one of them all that the other does."""
        is_alike = (self.unit, len(self.sums)) == (other.unit, len(other.sums))
        return is_alike and (self.can_take_all(other) or other.can_take_all(self))


def measured(
    program: Program,
    facts: core.Program,
    meanings: Mapping[str, Meaning],
    sums: Mapping[str, Sequence[int]],
) -> list[Measured]:
    """All measures of a program, in the order of the rules."""
    found: list[Measured] = []
    for info in program.measures.values():
        meaning = meanings[info.name]
        found.append(
            Measured(
                info.name,
                info.title,
                meaning.unit,
                meaning.is_count,
                meaning.each,
                tuple(_axes(info, meaning, facts)),
                tuple(sums.get(info.column) or (0,) * prod(size for _, size in info.axes)),
            )
        )
    return found


def _axes(info: MeasureInfo, meaning: Meaning, facts: core.Program) -> Iterator[Axis]:
    for (what, size), said, words in zip(info.axes, meaning.per, meaning.words, strict=True):
        title = said.rpartition(".")[2].replace("_", " ")
        kind = facts.kinds.get(what)
        if kind is not None:
            names = facts.names[kind.family]
            known = facts.families[kind.family].ids
            ids = tuple((member, known[member]) for member in kind.members)
            yield Axis(what, _kind_title(facts, what), _named(names, kind.members), size, ids)
        elif what == NUMBER:
            cells = tuple((cell, str(cell) + "+" * (cell == size - 1)) for cell in range(size))
            yield Axis(what, title, cells, size, cells)
        elif what == FLAG:
            flags = ((0, "no"), (1, "yes"))
            yield Axis(what, title, flags, size, flags)
        else:
            shown = [facts.texts.get(f"word.{word}", word.replace("_", " ")) for word in words]
            yield Axis(what, title, tuple(enumerate(shown)), size, tuple(enumerate(words)))


def _named(names: Sequence[str], members: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Things by name; those that share one with others are told apart by a number."""
    shown: list[tuple[int, str]] = []
    times: dict[str, int] = {}
    for member in members:
        name = names[member]
        times[name] = times.get(name, 0) + 1
        again = sum(names[other] == name for other in members) > 1
        shown.append((member, f"{name} ({times[name]})" if again else name))
    return tuple(shown)


def _kind_title(facts: core.Program, kind: str) -> str:
    word = "".join(f"_{char.lower()}" if char.isupper() else char for char in kind).lstrip("_")
    shown = facts.texts.get(f"kind.{word}", word.replace("_", " "))
    return shown[:1].upper() + shown[1:]


# ---------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `form`: `per_game`, `each` (on average each time) or `ratio`; `unit`:
    of the numbers in it."""

    title: str
    form: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a name and a value for each column; None where there is nothing to divide by."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    is_course: bool = False  # over time: the order of the rows matters


def tables(found: Sequence[Measured], games: int) -> list[Table]:
    """The tables of a report: totals, courses over time, then a table for every kind of thing."""
    found = _joined(found)
    made: list[Table] = []
    plain = [each for each in found if not each.axes]
    if plain:
        rows = tuple((each.title, (_divided(each.total, games),)) for each in plain)
        made.append(Table("Totals", (Column("", "per_game", None),), rows))
    for group in _groups(each for each in found if len(each.axes) == 1):
        is_course = group[0].axes[0].what == NUMBER
        made.append(_course(group, found, games) if is_course else _of_things(group, games))
    made += [_crossed(each, games) for each in found if len(each.axes) > 1]
    return made


def choices(counts: Mapping[str, int], games: int) -> Iterator[Table]:
    """What was chosen: a row for each option (in each window) and each answer that can be given."""
    titles = {"option": "Options taken", "answer": "Answers given"}
    for what, title in titles.items():
        rows = tuple(
            (label.partition(" ")[2].replace("@", " in "), (_divided(times, games),))
            for label, times in counts.items()
            if label.partition(" ")[0] == what
        )
        if rows:
            yield Table(title, (Column("", "per_game", None),), rows)


def _joined(found: Sequence[Measured]) -> list[Measured]:
    """Measures of one title as one, at the place of the first: what they count is added up. Things
    that only some of them know are counted by those."""
    joined: dict[object, Measured] = {}
    for each in found:
        key: object = each.title if len(each.axes) == 1 and not each.is_course else each.name
        known = joined.get(key)
        if known is None:
            joined[key] = each
        elif known.can_take(each):
            wide, narrow = (known, each) if known.can_take_all(each) else (each, known)
            sums = tuple(one + other for one, other in zip(wide.sums, narrow.sums, strict=True))
            joined[key] = replace(wide, name=known.name, sums=sums)
        else:
            joined[each.name, key] = each
    return list(joined.values())


def _groups(found: Iterator[Measured]) -> list[list[Measured]]:
    """Measures by the same axis, courses first."""
    groups: dict[tuple[str, str, int], list[Measured]] = {}
    for each in found:
        axis = each.axes[0]
        groups.setdefault((axis.what, axis.title, axis.size), []).append(each)
    return sorted(groups.values(), key=lambda group: group[0].axes[0].what != NUMBER)


def _course(group: list[Measured], found: Sequence[Measured], games: int) -> Table:
    """By number, at steps that grow: 1, 2, 3, 5, 10, ..."""
    axis = group[0].axes[0]
    by_name = {each.name: each for each in found}
    used = [cell for cell, _ in axis.cells if any(each.sums[cell] for each in group)]
    shown = [cell for cell in used if _is_step(cell) or cell in (used[0], axis.size - 1)]
    columns = []
    for each in group:
        form = "each" if each.each is not None else "per_game"
        columns.append(Column(each.title, form, each.unit))
    rows = []
    labels = dict(axis.cells)
    for cell in shown:
        values = tuple(
            _divided(each.sums[cell], by_name[each.each].sums[cell] if each.each else games)
            for each in group
        )
        rows.append((labels[cell], values))
    return Table(f"By {axis.title}", tuple(columns), tuple(rows), is_course=True)


def _is_step(cell: int) -> bool:
    return cell in (1, 2, 3, 5) or (cell % 10 == 0 and (cell <= 60 or cell % 20 == 0))


def _of_things(group: list[Measured], games: int) -> Table:
    """Per thing and game; where money is counted twice, also as a part of the money named first."""
    axis = group[0].axes[0]
    money = [each for each in group if each.unit == MONEY]
    columns = [Column(each.title, "per_game", each.unit) for each in group]
    columns += [Column(f"{each.title} / {money[0].title}", "ratio", None) for each in money[1:]]
    rows = []
    for cell, label in axis.cells:
        values = [_divided(each.sums[cell], games) for each in group]
        values += [_divided(each.sums[cell], money[0].sums[cell]) for each in money[1:]]
        rows.append((label, tuple(values)))
    return Table(axis.title, tuple(columns), tuple(rows))


def _crossed(each: Measured, games: int) -> Table:
    """A measure by several axes: one row for each combination that was seen."""
    rows: list[tuple[str, tuple[float | None, ...]]] = []

    def walk(axes: tuple[Axis, ...], labels: tuple[str, ...], index: int) -> None:
        if not axes:
            if each.sums[index]:
                rows.append((" · ".join(labels), (_divided(each.sums[index], games),)))
            return
        for cell, label in axes[0].cells:
            walk(axes[1:], (*labels, label), index * axes[0].size + cell)

    walk(each.axes, (), 0)
    title = " and ".join(axis.title for axis in each.axes)
    return Table(f"{each.title} by {title}", (Column("", "per_game", each.unit),), tuple(rows))


def _divided(number: int, by: int) -> float | None:
    return number / by if by else None


# ---------------------------------------------------------------- what never happened


def never_counted(found: Sequence[Measured]) -> Iterator[tuple[Measured, list[str]]]:
    """For each measure that counts things, those that were never counted."""
    for each in _joined(found):
        if not each.is_count or len(each.axes) != 1 or each.axes[0].what in (NUMBER, FLAG):
            continue
        missing = [label for cell, label in each.axes[0].cells if not each.sums[cell]]
        if missing:
            yield each, missing
