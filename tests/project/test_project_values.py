"""The entries of the data against the declared kinds: each message, on its exact place."""

from __future__ import annotations

import pytest
from project_games import HEADER, RULES, THINGS, Shelf, place

from dsl.diagnostics.record import Diagnostic
from dsl.diagnostics.render import render_text

KINDS = """
kind Buoy is Space
    bell: flag
    motto: text
    depth: 0..10
    stride: 10..50 step 10
    lucky: money?
    mood: calm | storm
    sky: Weather
    leads_to: Space?
    lamp: Lamp?
    friends: list of Quay up to 2
    path: row of Quay up to 3
    catch: row of 0..9 up to 2
    tax: money per Weather
    fog: 0..9 per flag
    fees: money per Quay
    ways: list of Space up to fair_count
    carried: holds crate_unit
unit crate_unit
switch fair_count: 0..9 = 2
unit lamp_oil
kind Lamp is Space
    oil: lamp_oil
"""
FULL: dict[str, str] = {
    "bell": "true",
    "motto": '"Ho"',
    "depth": "3",
    "stride": "20",
    "mood": "calm",
    "sky": "storm",
    "friends": "[north]",
    "path": "[north, south, north]",
    "catch": "[1, 2]",
    "tax": "{calm: 1, storm: 2}",
    "fog": '{"yes": 1, "no": 2}',
    "fees": "{north: 1, south: 2}",
    "ways": "[start, pier]",
}


def buoy(shelf: Shelf, **changes: str | None) -> str:
    """The small game with a buoy; a change of None leaves the field out."""
    fields = {name: text for name, text in (FULL | changes).items() if text is not None}
    body = ", ".join(f"{name}: {text}" for name, text in fields.items())
    text = f"""{HEADER}\
things:
  quays:
    - {{id: north}}
    - {{id: south}}
  spaces:
    - {{id: start, kind: Start}}
    - {{id: pier, kind: Pier, quay: north, price: 60, dues: [2, 10, 30]}}
    - {{id: lamp, kind: Lamp, oil: 4}}
    - {{id: buoy, kind: Buoy, {body}}}
"""
    shelf.put("harbour/variant.yaml", text)
    shelf.put("harbour/rules/harbour.rules", RULES + KINDS)
    return text


def test_all_types_fit(shelf: Shelf) -> None:
    buoy(shelf, lucky="7", leads_to="pier", lamp="lamp")
    assert shelf.load().clean
    buoy(shelf, lucky="null", leads_to="null")
    assert shelf.load().clean


WRONG: list[tuple[str, str, str, str, str]] = [
    ("bell", '"true"', "RW0425", '"true"', "should be `true` or `false`, not the text"),
    ("bell", "1", "RW0425", "1", "should be `true` or `false`, not `1`"),
    ("bell", "null", "RW0425", "null", "is empty; it should be `true` or `false`"),
    ("motto", "12", "RW0425", "12", "should be a text, not `12`"),
    ("motto", "[a]", "RW0425", "[a]", "should be a text, not a list"),
    ("depth", "11", "RW0426", "11", "is 11; the most is 10"),
    ("depth", "-1", "RW0426", "-1", "is -1; the least is 0"),
    ("depth", "deep", "RW0425", "deep", "should be a whole number from 0 to 10"),
    ("depth", "true", "RW0425", "true", "should be a whole number from 0 to 10, not `true`"),
    ("stride", "25", "RW0426", "25", "it goes from 10 to 50 in steps of 10"),
    ("lucky", "-5", "RW0426", "-5", "the least is 0"),
    ("lucky", "much", "RW0425", "much", "should be an amount of money, a whole number"),
    ("mood", "storn", "RW0431", "storn", "can't be `storn`"),
    ("mood", "3", "RW0425", "3", "should be `calm` or `storm`, not `3`"),
    ("sky", "rainy", "RW0431", "rainy", "can't be `rainy`"),
    ("leads_to", "peer", "RW0429", "peer", "there is no Space `peer`"),
    ("leads_to", "north", "RW0430", "north", "should be a Space, but `north` is a Quay"),
    ("leads_to", "bank", "RW0430", "bank", "should be a Space, which `bank` is not"),
    ("leads_to", "[pier]", "RW0425", "[pier]", "should be the id of a Space, not a list"),
    ("lamp", "pier", "RW0430", "pier", "should be a Lamp, but `pier` is a Pier"),
    ("friends", "north", "RW0425", "north", "should be a list, not the text"),
    ("friends", "[north, south, west]", "RW0428", "west", "has 3 items; the most is 2"),
    ("friends", "[north, north]", "RW0428", "north", "`north` is twice in"),
    ("friends", "[north, [south]]", "RW0425", "[south]", "an item of `friends` of `buoy`"),
    ("path", "[north, nort]", "RW0429", "nort", "there is no Quay `nort` for an item of"),
    ("catch", "[1, 10]", "RW0426", "10", "an item of `catch` of `buoy` is 10"),
    ("tax", "[1, 2]", "RW0425", "[1, 2]", "entries with names, for `calm` and `storm`"),
    ("tax", "{calm: 1}", "RW0427", "calm", "needs a value for `storm`"),
    ("tax", "{calm: 1, storn: 2}", "RW0427", "storn", "has no place for `storn`"),
    ("tax", "{calm: 1, storm: x}", "RW0425", "x", "`storm` in `tax` of `buoy` should be"),
    ("fog", '{"yes": 1}', "RW0427", '"yes"', "needs a value for `no`"),
    ("fees", "{north: 1}", "RW0427", "north", "needs a value for `south`"),
    ("fees", "{north: 1, south: 2, west: 3}", "RW0427", "west", "has no place for `west`"),
    ("ways", "[start, pier, lamp]", "RW0428", "lamp", "has 3 items; the most is 2"),
]


@pytest.mark.parametrize(("name", "text", "code", "marked", "words"), WRONG)
def test_wrong_values(
    shelf: Shelf, name: str, text: str, code: str, marked: str, words: str
) -> None:
    buoy(shelf, **{name: text})
    found = first(shelf, code)
    assert found.span.text == marked
    assert words in found.message
    assert found.span.source.name.endswith("variant.yaml")
    assert found.span.source.position(found.span.start)[0] == 15


def first(shelf: Shelf, code: str) -> Diagnostic:
    """The first thing that was said; an item too many may be wrong in itself as well."""
    loaded = shelf.load()
    assert loaded.codes[0] == code, loaded.said
    return loaded.bag.sorted()[0]


@pytest.mark.parametrize(
    ("name", "text", "new"),
    [
        ("depth", '"3"', "3"),
        ("bell", '"false"', "false"),
        ("motto", "12", '"12"'),
        ("mood", "storn", "storm"),
        ("leads_to", "peer", "pier"),
    ],
)
def test_fixes(shelf: Shelf, name: str, text: str, new: str) -> None:
    """A fix that is offered mends the text."""
    written = buoy(shelf, **{name: text})
    (found,) = shelf.load().bag
    assert found.fix is not None
    (edit,) = found.fix.edits
    assert edit.text == new
    mended = written[: edit.span.start] + edit.text + written[edit.span.end :]
    shelf.put("harbour/variant.yaml", mended)
    assert shelf.load().clean


def test_a_switch_can_be_the_bound_of_a_list(shelf: Shelf) -> None:
    buoy(shelf, ways="[start, pier, lamp]")
    assert shelf.load(switches={"fair_count": "3"}).clean
    shelf.put_mod("wide", "set: {fair_count: 3}\n")
    assert shelf.load("harbour", "wide").clean
    shelf.put_mod("wide", rules="set fair_count = 3\n")
    assert shelf.load("harbour", "wide").clean


# ---------------------------------------------------------------- kinds and fields


def quay_game(shelf: Shelf, spaces: str, more: str = "") -> None:
    shelf.put_harbour(things=f"things:\n  quays:\n    - {{id: north}}\n{more}  spaces:\n{spaces}")


def test_an_unknown_field_and_a_missing_one_are_one_slip(shelf: Shelf) -> None:
    quay_game(shelf, "    - {id: pier, kind: Pier, quay: north, prize: 60, dues: [2, 10, 30]}\n")
    found = shelf.load().only("RW0423")
    assert place(found) == "variant.yaml:11:43 'prize'"
    assert found.help == "did you mean `price`?"
    assert found.fix is not None


def test_several_slips_in_one_entry(shelf: Shelf) -> None:
    quay_game(shelf, "    - {id: pier, kind: Pier, quay: nort, colour: red, dues: [2, x, 30]}\n")
    loaded = shelf.load()
    assert loaded.codes == ["RW0424", "RW0429", "RW0423", "RW0425"]
    missing, _, unknown, _ = loaded.bag.sorted()
    assert missing.message == "`pier` is a Pier and needs `price`"
    assert missing.span.text == "pier"
    assert unknown.help == "its fields are `quay`, `price` and `dues`"


def test_a_missing_field_shows_its_declaration(shelf: Shelf) -> None:
    quay_game(shelf, "    - {id: pier, kind: Pier, quay: north, price: 6}\n")
    found = shelf.load().only("RW0424")
    assert found.secondary[0].span.text == "dues"
    assert found.secondary[0].span.source.name.endswith("harbour.rules")
    assert found.notes == ("`dues`: By the number of cranes.",)


def test_a_field_of_the_play(shelf: Shelf) -> None:
    quay_game(
        shelf,
        "    - {id: pier, kind: Pier, quay: north, price: 6, dues: [1, 2, 3], owner: red}\n",
    )
    found = shelf.load().only("RW0423")
    assert found.span.text == "owner"
    assert "belongs to the play" in found.message


def test_a_field_of_another_kind(shelf: Shelf) -> None:
    quay_game(shelf, "    - {id: start, kind: Start, price: 6}\n")
    assert shelf.load().only("RW0423").help == "a Pier has it"


@pytest.mark.parametrize(
    ("kind", "message", "help_text"),
    [
        ("Peer", "there is no kind `Peer`", "did you mean `Pier`?"),
        ("Quay", "a Quay is not one of the `spaces`", "entries of that kind stand in `quays`"),
        ("Crate", "a Crate is only made in play", None),
        ("Player", "players come from the seats", "name the players in `seats`"),
        ("bank", "there is no kind `bank`", None),
        ("Weather", "there is no kind `Weather`", None),
    ],
)
def test_wrong_kinds(shelf: Shelf, kind: str, message: str, help_text: str | None) -> None:
    quay_game(shelf, f"    - {{id: x, kind: {kind}}}\n")
    found = shelf.load().only("RW0421")
    assert found.span.text == kind
    if kind == "bank":
        assert "is not one of the `spaces`" in found.message
        return
    assert found.message == message
    if help_text:
        assert found.help == help_text


def test_a_new_entry_that_was_to_change_an_old_one(harbour: Shelf) -> None:
    harbour.put_child("atoll", 'things:\n  spaces:\n    - {id: peir, name: "Pier"}\n')
    found = harbour.load("atoll").only("RW0422")
    assert found.help == "a new entry needs a kind; or did you mean `pier`?"


@pytest.mark.parametrize("section", ["spaecs", "crates", "weathers", "players", "banks"])
def test_unknown_sections(harbour: Shelf, section: str) -> None:
    harbour.put_child("atoll", f"things:\n  {section}:\n    - {{id: x}}\n")
    found = harbour.load("atoll").only("RW0420")
    assert place(found) == f"variant.yaml:5:3 '{section}'"
    if section == "spaecs":
        assert found.help == "did you mean `spaces`?"


def test_an_empty_unknown_section(harbour: Shelf) -> None:
    harbour.put_child("atoll", "things:\n  spaecs: []\n")
    harbour.load("atoll").only("RW0420")


def test_fields_added_in_other_files(shelf: Shelf) -> None:
    quay_game(shelf, "    - {id: start, kind: Start}\n")
    shelf.put(
        "harbour/rules/more.rules", "add to Space\n    depth: 0..9\nadd to Start\n    a: flag\n"
    )
    found = shelf.load().only("RW0424")
    assert found.message == "`start` is a Start and needs `depth` and `a`"


def test_a_mod_can_add_a_field_and_give_its_values(harbour: Shelf) -> None:
    harbour.put_mod(
        "fog",
        "things:\n  quays:\n    - {id: north, thick: true}\n    - {id: south, thick: false}\n",
        "add to Quay\n    thick: flag\n",
    )
    assert harbour.load("harbour", "fog").clean


def test_plural_of_two_words(harbour: Shelf) -> None:
    harbour.put_child(
        "atoll", "things:\n  palm_trees:\n    - {id: p}\n", "kind PalmTree\n    name_of_it: text?\n"
    )
    assert harbour.load("atoll").clean.sections["palm_trees"][0].kind == "PalmTree"


def test_kinds_that_make_no_sense_raise_nothing(harbour: Shelf) -> None:
    harbour.put_child(
        "atoll",
        "things:\n  as:\n    - {id: p, kind: A}\n",
        """kind A is B
    x: 9..1
    y: Unheard
    z: unheard
    v: money per 9..1
    w: money per unheard
    u: list of A up to unheard
    t: 1..unheard
    s: 1..999999999999999 step 1
kind B is A
kind C is Unheard
add to Unheard
    x: flag
""",
    )
    assert harbour.load("atoll").merged


# ---------------------------------------------------------------- references


def test_a_thing_and_a_seat_as_values(harbour: Shelf) -> None:
    harbour.put(
        "harbour/rules/harbour.rules",
        RULES.replace("kind Player\n", "kind Party\nkind Player is Party\n").replace(
            "thing bank\n", "thing bank is Party\n"
        )
        + "kind Ship\n    owner: Party\n    guest: Player?\n",
    )
    ships = (
        "things:\n  ships:\n    - {id: a, owner: bank}\n    - {id: b, owner: red, guest: blue}\n"
    )
    harbour.put_child("atoll", ships)
    assert harbour.load("atoll").clean
    harbour.put_child("atoll", ships.replace("guest: blue", "guest: bank"))
    assert harbour.load("atoll").only("RW0430").span.text == "bank"


def test_one_of_several_copies(harbour: Shelf) -> None:
    things = (
        "things:\n  quays:\n    - {id: west, copies: 2}\n"
        "  ferries:\n    - {id: f, calls_at: [west]}\n"
    )
    harbour.put_child("atoll", things)
    found = harbour.load("atoll").only("RW0429")
    assert found.help == "name one: `west_1` or `west_2`"
    harbour.put_child("atoll", things.replace("[west]", "[west_1]"))
    assert harbour.load("atoll").clean


def test_a_removed_thing_is_missed(harbour: Shelf) -> None:
    harbour.put_child("atoll", "things:\n  quays:\n    - {id: south, remove: true}\n")
    found = harbour.load("atoll").only("RW0429")
    assert found.span.text == "south"
    assert "harbour" in found.span.source.name


def test_a_missing_section_is_missed_once(harbour: Shelf) -> None:
    quays = "  quays:\n    - {id: north}\n    - {id: south}\n"
    harbour.put_harbour(things=THINGS.replace(quays, ""))
    found = harbour.load().only("RW0429")
    assert found.span.text == "north"
    assert found.help == "they stand under `things`, in a section `quays`"


def test_entries_lost_by_a_mistake_are_not_missed(harbour: Shelf) -> None:
    """A name that can't be read takes an entry away; nothing that refers to it is to blame."""
    text = (harbour.path / "harbour/variant.yaml").read_text()
    harbour.put("harbour/variant.yaml", text.replace("- {id: south}", "- {[id]: south}"))
    loaded = harbour.load()
    assert "RW0429" not in loaded.codes
    assert "RW0424" not in loaded.codes


def test_a_report_reads_well(shelf: Shelf) -> None:
    """The frame of a message shows the line of the data and that of the rules."""
    quay_game(shelf, "    - {id: pier, kind: Pier, quay: north, dues: [2, 10, 30]}\n")
    report = render_text(shelf.load().bag.sorted())
    assert "variant.yaml:11:12" in report
    assert "price: money" in report
