"""Makes the rulebook of a variant out of its checked programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.check.merged import Merged
from dsl.core import nodes as core
from dsl.core.types import IntType
from dsl.syntax import nodes as syntax
from interpreter.book.grammar import capital, plain, sentence
from interpreter.book.pictures import Pictures
from interpreter.book.play import Play
from interpreter.book.record import Block, Book, Bullets, Chapter, Grid, Item, Paragraph
from interpreter.book.teller import Teller
from interpreter.book.things import Things
from interpreter.session.facts import walk


@dataclass(frozen=True, slots=True)
class Mod:
    """A mod that can be laid over the variant."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Source:
    """What a book is made of. `programs`: by number of players, the fewest first; `players`: the
    number for which the rules are told."""

    merged: Merged
    programs: Mapping[int, core.Program]
    players: int
    mods: tuple[Mod, ...]


def make_book(source: Source) -> Book:
    """The rulebook."""
    teller = teller_of(source)
    things = Things(teller, Pictures(teller))
    play = Play(teller, things.kinds())
    parts: list[tuple[str, str, Iterator[Block]]] = [
        ("aim", teller.word("aim"), _aim(source, teller, play)),
        ("set-up", teller.word("set_up"), _set_up(source, teller)),
        ("turn", teller.word("turn"), play.turn()),
    ]
    for family in things.families:
        title = capital(teller.nouns.kinds(family))
        parts.append((f"things-{family}", title, things.chapter(family, play)))
    parts += [
        ("options", teller.word("options"), play.options()),
        ("acts", teller.word("acts"), play.acts()),
        ("values", teller.word("values"), play.values()),
        ("any-time", teller.word("any_time"), play.at_any_time()),
        ("switches", teller.word("switches"), _switches(source, teller)),
        ("assumed", teller.word("assumed"), _assumed(source)),
    ]
    chapters = tuple(
        Chapter(title, anchor, told) for anchor, title, blocks in parts if (told := tuple(blocks))
    )
    merged = source.merged
    return Book(
        merged.title,
        " · ".join(_named_mods(source)),
        merged.language,
        chapters,
        tuple(sorted(dict.fromkeys(teller.index), key=lambda each: (each[0].casefold(), each[1]))),
        teller.word("contents"),
        teller.word("index"),
        teller.word("exactly"),
    )


def teller_of(source: Source) -> Teller:
    """Who tells of the number of players that is meant."""
    return Teller(source.programs[source.players], _plurals(source.merged))


def _plurals(merged: Merged) -> dict[str, str]:
    """What things of a kind are called, where the rules say so."""
    kinds = (each.decl for each in merged.declarations if isinstance(each.decl, syntax.KindDecl))
    return {
        kind.name.text: plain(kind.plural.text)
        for kind in kinds
        if kind.plural is not None and merged.language == "en"
    }


def _named_mods(source: Source) -> Iterator[str]:
    titles = {mod.name: mod.title for mod in source.mods}
    for mod in source.merged.mods:
        yield titles.get(mod, plain(mod))


# ---------------------------------------------------------------- the aim, and how it begins


def _aim(source: Source, teller: Teller, play: Play) -> Iterator[Block]:
    """What the game is about, who wins, and how it ends."""
    program, merged = teller.program, source.merged
    if merged.description:
        yield Paragraph(merged.description)
    least, most = str(merged.min_players), str(merged.max_players)
    key = "players_one" if least == most else "players"
    yield Paragraph(teller.word(key, low=least, high=most))
    for name in ("winners", "Player.final_score", "Player.tie_breaker"):
        define = program.defines.get(name)
        if define is None or all(isinstance(each.base, core.Const) for each in define.variants):
            continue
        lines = tuple(line for each in define.variants for line in play.variant(define, each))
        yield from teller.prose(define.doc or f"{capital(plain(name.rpartition('.')[2]))}:")
        yield Bullets(lines, is_detail=bool(define.doc), is_english=True)
    ends = tuple(
        Item(sentence(_said(teller, watch.doc) or teller.nouns.clause(watch.condition)))
        for watch in program.watches
        if _ends_game(watch.body)
    )
    if ends:
        yield Bullets(ends, lead=teller.word("ends"), is_english=True)


def _said(teller: Teller, doc: str) -> str:
    return " ".join(paragraph.text for paragraph in teller.prose(doc))


def _ends_game(body: core.Block) -> bool:
    return any(isinstance(node, core.End) and node.label == "game" for node in walk(body))


def _set_up(source: Source, teller: Teller) -> Iterator[Block]:
    """What everybody begins with, where that depends on how many play, and what is done first."""
    counts = list(source.programs)
    rows = {count: dict(_begins(Teller(source.programs[count]))) for count in counts}
    labels = list(dict.fromkeys(label for found in rows.values() for label in found))
    same = [
        Item(f"{label}: {rows[counts[0]][label]}")
        for label in labels
        if len({rows[count].get(label) for count in counts}) == 1
    ]
    if same:
        yield Bullets(tuple(same), lead=teller.word("begins"))
    other = [label for label in labels if len({rows[c].get(label) for c in counts}) > 1]
    if other:
        head = (teller.word("number_of_players"), *(str(count) for count in counts))
        cells = (
            (capital(label), *(rows[count].get(label, "–") for count in counts)) for label in other
        )
        yield Grid(head, tuple(cells))


def _begins(teller: Teller) -> Iterator[tuple[str, str]]:
    """What there is before anything was done: what purses hold, and how much lies where."""
    program = teller.program
    player = program.kinds[program.player_kind]
    for column in program.columns.values():
        if column.role != "purse" or not isinstance(column.type, IntType):
            continue
        for entity, name in _holders(teller, column.family, player):
            number = column.values[entity] if entity < len(column.values) else 0
            is_there = entity in program.kinds[column.kind].members
            if not is_there or not isinstance(number, int):
                continue
            label = f"{name}, {teller.nouns.label(column.name)}"
            if entity in column.endless:
                yield label, teller.word("endless")
            elif number:
                yield label, teller.describer.shown(column.type, number)
    for zone in program.zones.values():
        for entity, name in _holders(teller, zone.family, player):
            if entity not in zone.holders:
                continue
            many = len(zone.starts[zone.holders.index(entity)])
            if many:
                yield f"{name}, {teller.describer.zone_label(zone)}", str(many)


def _holders(teller: Teller, family: str, player: core.Kind) -> Iterator[tuple[int, str]]:
    """The holders of a family by name; one player stands for all."""
    program = teller.program
    for entity, name in enumerate(program.names[family]):
        is_player = family == player.family and entity in player.members
        if is_player and entity == player.members[0]:
            yield entity, teller.word("each_player")
        elif not is_player:
            yield entity, capital(name)


# ---------------------------------------------------------------- switches, mods, what was decided


def _switches(source: Source, teller: Teller) -> Iterator[Block]:
    """What can be played otherwise."""
    program, values = teller.program, dict(teller.program.switches)
    rows = []
    for ranked in source.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.SwitchDecl):
            name = decl.name.text
            text = program.texts.get(f"switch.{name}") or " ".join(decl.doc.split()) or plain(name)
            choices = _choices(teller, " ".join(decl.type.span.text.split()))
            rows.append((name, text, choices, values.get(name, "")))
            teller.index.append((name, "switches"))
    if rows:
        keys = ("switch", "says", "choices", "chosen")
        yield Grid(tuple(teller.word(key) for key in keys), tuple(rows))
    if source.mods:
        yield teller.titled(teller.word("mods"), "mods")
        items = (
            Item(sentence(f"{mod.title} ({mod.name}): {mod.description}")) for mod in source.mods
        )
        yield Bullets(tuple(items))


def _choices(teller: Teller, type_: str) -> str:
    """What a switch can be set to, by its type as it is written."""
    if type_ == "flag":
        words = [teller.values.word("value.yes"), teller.values.word("value.no")]
    else:
        words = [plain(word.strip()) for word in type_.split("|")]
    return " / ".join(words)


def _assumed(source: Source) -> Iterator[Block]:
    """What no source says."""
    items = [Item(sentence(f"{what}: {why}")) for what, why, _ in source.merged.assumed]
    if items:
        yield Bullets(tuple(items))
