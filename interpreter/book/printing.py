"""What of a variant is printed and cut: every card with its back, and the board."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from interpreter.book.grammar import capital
from interpreter.book.make import Source, teller_of
from interpreter.book.pictures import BEFORE_PLAY, MOST_PLACES, Pictures
from interpreter.book.teller import Teller
from interpreter.book.things import Things
from interpreter.table.looks import SEATS
from interpreter.table.picture import Picture
from interpreter.table.sheets import Printed, board_sheets, card_sheets
from interpreter.table.svg import draw_back, draw_board, draw_card

BOARD_CELL = 36.0
"""A place of the printed board, in millimetres: room for a token and a name."""
MOST_PRINTED = 1_000
"""Cards on sheets; of a game with more, the first of them."""


def make_sheets(source: Source, paper: str) -> tuple[Picture, ...]:
    """The sheets of a variant: fronts and backs of its cards by turns, then its board."""
    teller = teller_of(source)
    note = teller.word("print_whole")
    return (
        *card_sheets(tuple(_cards(teller)), paper, note),
        *_board(teller, paper),
    )


def _cards(teller: Teller) -> Iterator[Printed]:
    """All things that are cards, each as often as it is there."""
    program, pictures = teller.program, Pictures(teller)
    things = Things(teller, pictures)
    colours: dict[str, str] = {}
    left = MOST_PRINTED
    for family in things.families:
        for entity, name in enumerate(things.narrowest[family]):
            kind = program.kinds[name]
            if left <= 0 or not pictures.are_cards(kind, [entity]):
                continue
            left -= 1
            pile = _pile(teller, kind, entity)
            colour = colours.setdefault(pile, SEATS[(len(colours) + 1) % len(SEATS)])
            front = draw_card(pictures.card(kind, entity))
            yield Printed(front, draw_back(program.title, pile, colour))


def _pile(teller: Teller, kind: core.Kind, entity: int) -> str:
    """What stands on the back of a card: the pile in which it begins, where there are several such;
    else what it is. So nobody tells the cards of a pile apart from behind."""
    program = teller.program
    for zone in program.zones.values():
        if program.kinds[zone.holds].family != kind.family:
            continue
        for holder, things in zip(zone.holders, zone.starts, strict=True):
            if entity in things:
                is_one_of_many = zone.ordered and len(zone.holders) > 1
                if is_one_of_many:
                    return program.names[zone.family][holder]
                return capital(teller.nouns.kind(zone.holds))
    return capital(teller.nouns.kind(_root(program, kind).name))


def _root(program: core.Program, kind: core.Kind) -> core.Kind:
    while kind.base is not None:
        kind = program.kinds[kind.base]
    return kind


def _board(teller: Teller, paper: str) -> Iterator[Picture]:
    ring = teller.program.families.get(teller.program.board.ring or "")
    if ring is None or ring.size > MOST_PLACES:
        return
    board = draw_board(teller.describer.scene(BEFORE_PLAY), BOARD_CELL)
    if board is not None:
        yield from board_sheets(board, BOARD_CELL, paper)
