"""Names, terms and messages of all layers and languages; seats, money, the board, limits."""

from __future__ import annotations

import pytest
from project_games import HEADER, RULES, Shelf, place

from dsl.check.merged import Merged


def name(merged: Merged, id_: str) -> tuple[str, str | None]:
    return next(
        (row.name, row.text) for rows in merged.sections.values() for row in rows if row.id == id_
    )


MORE = """\
currency: {name: {one: "crown", other: "crowns"}, symbol: "K", position: after}
terms:
  crane: {one: "crane", other: "cranes"}
  Pier: {one: "pier", other: "piers"}
texts: {greeting: "Ahoy", farewell.short: "Bye"}
limits: {phases: 50, acts: 60}
board: {ring: spaces, sides: 3}
"""


def test_facts(harbour: Shelf) -> None:
    harbour.put_harbour(more=MORE)
    merged = harbour.load().clean
    assert merged.currency == {
        "one": "crown",
        "other": "crowns",
        "symbol": "K",
        "position": "after",
    }
    assert merged.terms == {"crane": ("crane", "cranes"), "Pier": ("pier", "piers")}
    assert merged.texts == {"greeting": "Ahoy", "farewell.short": "Bye"}
    assert (merged.phase_limit, merged.act_limit) == (50, 60)
    assert merged.board == {"ring": "spaces", "sides": 3}


def test_a_child_changes_what_it_says(harbour: Shelf) -> None:
    harbour.put_harbour(more=MORE)
    harbour.put(
        "atoll/variant.yaml",
        """\
        variant: atoll
        title: "Atoll"
        description: "Sand."
        extends: harbour
        players: {min: 1, max: 1}
        terms: {crane: {one: "palm", other: "palms"}}
        seats: [{id: green, name: "Green"}]
        texts: {greeting: "Aloha"}
        limits: {acts: 7}
        """,
    )
    harbour.put_mod("fog", 'texts: {greeting: "Who is there?"}\ndescription: "Thick."\n')
    merged = harbour.load("atoll", "fog").clean
    assert (merged.title, merged.description) == ("Atoll", "Sand.")
    assert (merged.min_players, merged.max_players) == (1, 1)
    assert merged.terms["crane"] == ("palm", "palms")
    assert merged.terms["Pier"] == ("pier", "piers")
    assert merged.seats == (("green", "Green"),)
    assert merged.texts == {"greeting": "Who is there?", "farewell.short": "Bye"}
    assert (merged.phase_limit, merged.act_limit) == (50, 7)
    assert merged.currency["symbol"] == "K"


FRENCH = """\
title: "Le port"
seat.red.name: "x"
thing.spaces.pier.name: "La jetée"
thing:
  spaces:
    pier: {text: "Long."}
    mole: {name: "Le môle"}
term.crane.one: "grue"
term.crane.other: "grues"
currency: {one: "couronne", other: "couronnes"}
seat: {red: "Rouge"}
greeting: "Ohé"
"""


def test_another_language(harbour: Shelf) -> None:
    harbour.put_harbour(more=MORE)
    harbour.put("harbour/locale/fr.yaml", FRENCH.replace('seat.red.name: "x"\n', ""))
    assert name(harbour.load().clean, "pier") == ("Pier", None)
    merged = harbour.load(language="fr").clean
    assert merged.title == "Le port"
    assert name(merged, "pier") == ("La jetée", "Long.")
    assert name(merged, "mole") == ("Le môle", None)
    assert merged.terms["crane"] == ("grue", "grues")
    assert merged.currency["one"] == "couronne"
    assert merged.currency["symbol"] == "K"
    assert dict(merged.seats)["red"] == "Rouge"
    assert merged.texts == {"greeting": "Ohé", "farewell.short": "Bye"}


def test_a_theme_is_not_undone_by_the_translation_of_its_parent(harbour: Shelf) -> None:
    harbour.put_harbour(more=MORE)
    harbour.put(
        "harbour/locale/fr.yaml",
        'thing.spaces.pier.name: "La jetée"\nthing.spaces.mole.name: "Le môle"\n'
        'term.crane.one: "grue"\nterm.crane.other: "grues"\n',
    )
    harbour.put_child(
        "atoll",
        """\
        terms: {crane: {one: "palm", other: "palms"}}
        things:
          spaces: [{id: pier, name: "Palm Pier"}]
        """,
    )
    merged = harbour.load("atoll", language="fr").clean
    assert name(merged, "pier")[0] == "Palm Pier"
    assert name(merged, "mole")[0] == "Le môle"
    assert merged.terms["crane"][0] == "palm"
    harbour.put("atoll/locale/fr.yaml", 'thing.spaces.pier.name: "La palmeraie"\n')
    assert name(harbour.load("atoll", language="fr").clean, "pier")[0] == "La palmeraie"


def test_all_copies_are_translated(harbour: Shelf) -> None:
    harbour.put_harbour(things="things:\n  quays: [{id: q, copies: 2}]\n")
    harbour.put("harbour/locale/fr.yaml", 'thing.quays.q.name: "Le quai"\n')
    merged = harbour.load(language="fr").clean
    assert [row.name for row in merged.sections["quays"]] == ["Le quai", "Le quai"]


def test_texts_of_the_library(harbour: Shelf) -> None:
    harbour.put("library/locale/fr.yaml", 'greeting: "Salut"\nfarewell: "Adieu"\n')
    harbour.put("harbour/locale/fr.yaml", 'greeting: "Ohé"\n')
    merged = harbour.load(language="fr").clean
    assert merged.texts == {"greeting": "Ohé", "farewell": "Adieu"}


def test_a_translation_of_what_a_child_takes_out(harbour: Shelf) -> None:
    harbour.put("harbour/locale/fr.yaml", 'thing.spaces.mole.name: "Le môle"\n')
    harbour.put_child("atoll", "things:\n  spaces: [{id: mole, remove: true}]\n")
    harbour.put("atoll/locale/fr.yaml", 'thing.spaces.mole.name: "Le môle"\n')
    assert harbour.load("atoll", language="fr").clean


@pytest.mark.parametrize(
    ("line", "code", "marked"),
    [
        ('thing.spaces.peer.name: "x"', "RW1018", "thing.spaces.peer.name"),
        ('thing.spaecs.pier.name: "x"', "RW1018", "thing.spaecs.pier.name"),
        ('thing.spaces.pier.colour: "x"', "RW1018", "thing.spaces.pier.colour"),
        ('thing: "x"', "RW1018", "thing"),
        ('seat.read: "x"', "RW1018", "seat.read"),
        ("greeting: 12", "RW1014", "12"),
        ("greeting: [a]", "RW1014", "[a]"),
        ('thing.spaces.pier.name: "a\\nb"', "RW1014", '"a\\nb"'),
        ("greeting:\n  - a", "RW1014", "- a"),
        ('"not a key": "x"', "RW1014", '"not a key"'),
        ("- a", "RW1014", "- a"),
        ("word", "RW1014", "word"),
    ],
)
def test_texts_for_nothing(harbour: Shelf, line: str, code: str, marked: str) -> None:
    harbour.put("harbour/locale/fr.yaml", line + "\n")
    loaded = harbour.load(language="fr")
    assert loaded.only(code).span.text == marked
    assert loaded.merged


@pytest.mark.parametrize("language", ["de", "fra", "../fr", "", "FR"])
def test_languages_that_are_not_there(harbour: Shelf, language: str) -> None:
    harbour.put("harbour/locale/fr.yaml", 'title: "Le port"\n')
    found = harbour.load(language=language).only("RW1017")
    assert "`fr`" in (found.help or "")


# ---------------------------------------------------------------- seats and the board


def test_seats_are_made_up(shelf: Shelf) -> None:
    shelf.put("x/variant.yaml", 'variant: x\ntitle: "X"\nplayers: {min: 2, max: 3}\n')
    assert shelf.load("x").clean.seats == (
        ("player_1", "Player 1"),
        ("player_2", "Player 2"),
        ("player_3", "Player 3"),
    )


def test_too_few_seats(harbour: Shelf) -> None:
    text = HEADER.replace("max: 2", "max: 3")
    harbour.put("harbour/variant.yaml", text)
    harbour.put("harbour/rules/harbour.rules", RULES)
    found = harbour.load().only("RW0435")
    assert found.message == "3 can play, but there are seats for 2"
    assert found.secondary[0].span.text == "{min: 2, max: 3}"


def test_two_seats_of_one_name(harbour: Shelf) -> None:
    harbour.put("harbour/variant.yaml", HEADER + '  - {id: red, name: "Also red"}\n')
    assert place(harbour.load().only("RW0432")) == "variant.yaml:7:10 'red'"


def test_the_board_must_be_there(harbour: Shelf) -> None:
    harbour.put_harbour(more="board: {ring: space, sides: 4}\n")
    found = harbour.load().only("RW0436")
    assert (found.span.text, found.help) == ("space", "did you mean `spaces`?")
