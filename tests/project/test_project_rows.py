"""Entries of all layers as rows: merged by id, taken out, copied, named."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_games import HEADER, Shelf, place

from dsl.check.merged import Merged, Row
from dsl.data.node import to_plain


def ids(merged: Merged, section: str) -> list[str]:
    return [row.id for row in merged.sections[section]]


def row(merged: Merged, id_: str) -> Row:
    return next(each for rows in merged.sections.values() for each in rows if each.id == id_)


def plain(found: Row) -> dict[str, object]:
    return {name: to_plain(node) for name, node in found.fields.items()}


def test_sections_and_rows(harbour: Shelf) -> None:
    merged = harbour.load().clean
    assert list(merged.sections) == ["quays", "spaces"]
    assert ids(merged, "spaces") == ["start", "pier", "mole"]
    pier = row(merged, "pier")
    assert (pier.kind, pier.name, pier.text) == ("Pier", "Pier", None)
    assert plain(pier) == {"quay": "north", "price": 60, "dues": [2, 10, 30]}
    assert pier.id_span.text == "pier"
    assert pier.span.text.startswith("{id: pier")
    assert {name: span.text for name, span in pier.keys.items()} == {
        "kind": "Pier",
        "quay": "quay",
        "price": "price",
        "dues": "dues",
    }


def test_the_only_kind_of_a_section_is_implied(harbour: Shelf) -> None:
    assert row(harbour.load().clean, "north").kind == "Quay"


def test_a_child_changes_field_by_field(harbour: Shelf) -> None:
    harbour.put_child(
        "atoll",
        """\
        things:
          spaces:
            - {id: lagoon, kind: Pier, quay: east, price: 1, dues: [1, 2, 3]}
            - {id: pier, name: "Long Pier", price: 70}
          quays:
            - {id: east, name: "East"}
        """,
    )
    merged = harbour.load("atoll").clean
    assert ids(merged, "spaces") == ["start", "pier", "mole", "lagoon"]
    assert ids(merged, "quays") == ["north", "south", "east"]
    pier = row(merged, "pier")
    assert (pier.name, plain(pier)["price"], plain(pier)["quay"]) == ("Long Pier", 70, "north")
    assert Path(pier.span.source.name).parent.name == "harbour"
    assert Path(pier.keys["price"].source.name).parent.name == "atoll"


def test_another_kind_begins_anew(harbour: Shelf) -> None:
    harbour.put_child("atoll", "things:\n  spaces:\n    - {id: pier, kind: Start}\n")
    merged = harbour.load("atoll").clean
    assert (row(merged, "pier").kind, row(merged, "pier").fields) == ("Start", {})
    assert ids(merged, "spaces") == ["start", "pier", "mole"]


def test_taking_out(harbour: Shelf) -> None:
    harbour.put_child("atoll", "things:\n  spaces:\n    - {id: pier, remove: true}\n")
    harbour.put_mod(
        "m",
        """\
        things:
          spaces:
            - {id: pier, kind: Start}
            - {id: mole, remove: true}
        """,
    )
    assert ids(harbour.load("atoll").clean, "spaces") == ["start", "mole"]
    assert ids(harbour.load("atoll", "m").clean, "spaces") == ["start", "pier"]


@pytest.mark.parametrize(
    ("entry", "code", "marked"),
    [
        ("{id: pierr, remove: true}", "RW0810", "pierr"),
        ("{id: pier, remove: true, price: 3}", "RW0811", "price"),
        ("{id: pier, remove: false}", "RW0811", "false"),
        ('{id: pier, remove: "true"}', "RW0811", '"true"'),
        ("{id: pier, remove: [true]}", "RW0811", "[true]"),
    ],
)
def test_refused_removals(harbour: Shelf, entry: str, code: str, marked: str) -> None:
    harbour.put_child("atoll", f"things:\n  spaces:\n    - {entry}\n")
    assert harbour.load("atoll").only(code).span.text == marked


def test_taking_out_of_nothing(harbour: Shelf) -> None:
    harbour.put_harbour(things="things:\n  quays:\n    - {id: north, remove: true}\n")
    harbour.load().only("RW0810")


# ---------------------------------------------------------------- copies


def test_copies(harbour: Shelf) -> None:
    harbour.put_harbour(
        things="""\
things:
  quays:
    - {id: q, copies: 3, name: "Quay"}
    - {id: single, copies: 1}
    - {id: plain}
"""
    )
    merged = harbour.load().clean
    assert ids(merged, "quays") == ["q_1", "q_2", "q_3", "single_1", "plain"]
    assert {row(merged, f"q_{number}").name for number in (1, 2, 3)} == {"Quay"}


def test_a_child_changes_the_number_of_copies(harbour: Shelf) -> None:
    harbour.put_harbour(things="things:\n  quays:\n    - {id: q, copies: 3}\n")
    harbour.put_child("atoll", "things:\n  quays:\n    - {id: q, copies: 2}\n")
    assert ids(harbour.load("atoll").clean, "quays") == ["q_1", "q_2"]


def test_copies_may_not_take_an_id(harbour: Shelf) -> None:
    harbour.put_harbour(
        things="things:\n  quays:\n    - {id: q, copies: 3}\n    - {id: q_2}\n    - {id: r}\n"
    )
    assert place(harbour.load().only("RW0432")) == "variant.yaml:10:12 'q_2'"


def test_far_too_many(harbour: Shelf) -> None:
    entries = "".join(f"    - {{id: q{number}, copies: 1000}}\n" for number in range(500))
    harbour.put_harbour(things=f"things:\n  quays:\n{entries}")
    loaded = harbour.load()
    assert loaded.only("RW0434").span.text == "1000"
    assert len(loaded.merged.sections["quays"]) <= 4_096


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize(
    ("things", "marked"),
    [
        ("quays:\n    - {id: a}\n    - {id: a}\n", "variant.yaml:10:12 'a'"),
        (
            "quays:\n    - {id: a}\n  spaces:\n    - {id: a, kind: Start}\n",
            "variant.yaml:11:12 'a'",
        ),
        ("quays:\n    - {id: bank}\n", "variant.yaml:9:12 'bank'"),
    ],
)
def test_an_id_for_two_things(harbour: Shelf, things: str, marked: str) -> None:
    harbour.put("harbour/variant.yaml", f"{HEADER}things:\n  {things}")
    found = harbour.load().only("RW0432")
    assert place(found) == marked
    assert found.secondary


def test_copies_that_clash_with_another_section_are_one_error(harbour: Shelf) -> None:
    harbour.put_harbour(
        things="things:\n  quays:\n    - {id: a, copies: 3}\n"
        "  spaces:\n    - {id: a, copies: 3, kind: Start}\n"
    )
    harbour.load().only("RW0432")


def test_a_seat_may_be_called_as_a_thing(harbour: Shelf) -> None:
    """Seats and things are told apart by what is asked for: a group and a token may be red."""
    harbour.put_harbour(things="things:\n  quays:\n    - {id: red}\n")
    assert harbour.load().clean


# ---------------------------------------------------------------- assumptions


def test_assumptions(harbour: Shelf) -> None:
    harbour.put_harbour(
        things="""\
assumed:
  - {what: "two seats", why: "no box was found"}
  - {what: "the toll", why: "it fits"}
things:
  quays:
    - {id: north, assumed: true}
    - {id: south}
  spaces:
    - {id: pier, kind: Pier, quay: north, price: 60, dues: [2, 10, 30], assumed: [price, dues]}
"""
    )
    found = {what: (why, span.text) for what, why, span in harbour.load().clean.assumed}
    assert found == {
        "two seats": ("no box was found", '{what: "two seats", why: "no box was found"}'),
        "the toll": ("it fits", '{what: "the toll", why: "it fits"}'),
        "North (quays)": ("", "assumed"),
        "Pier (spaces): price, dues": ("", "price"),
    }
    harbour.put_child(
        "atoll",
        """\
        assumed:
          - {what: "the toll", why: "a reader wrote"}
        things:
          spaces:
            - {id: pier, price: 80}
        """,
    )
    found = {what: (why, span.text) for what, why, span in harbour.load("atoll").clean.assumed}
    assert found["the toll"][0] == "a reader wrote"
    assert "Pier (spaces): dues" in found
