"""Whatever the files hold, loading answers with diagnostics and never raises."""

from __future__ import annotations

import json
import os
import random
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from project_games import HEADER, MOD_RULES, RULES, THINGS, Shelf

from dsl.check.schema import derived_schema
from dsl.diagnostics.render import render_text

FILES = [
    "harbour/variant.yaml",
    "harbour/rules/harbour.rules",
    "harbour/locale/fr.yaml",
    "atoll/variant.yaml",
    "atoll/rules/atoll.rules",
    "atoll/scenarios/atoll.rules",
    "mods/fog/mod.yaml",
    "mods/fog/rules/fog.rules",
    "library/tides.rules",
]
ATOLL = """\
variant: atoll
title: "x"
extends: harbour
uses: [tides]
set: {toll: 3}
profiles: {p: {toll: 4}}
things:
  spaces:
    - {id: pier, price: 3}
    - {id: mole, remove: true}
  quays:
    - {id: q, copies: 3, assumed: true}
"""
TEXTS = [
    HEADER + THINGS,
    RULES,
    'thing.spaces.pier.name: "x"\n',
    ATOLL,
    MOD_RULES,
    'scenario "x"\n    when red goes\n    then\n        yes\n',
    'mod: fog\ntitle: "x"\noverlay_for: [harbour]\nset: {fair: storm}\n',
    "replace always few: yes\nremove rule wet\n",
    "unit wave\n",
]
WORDS = sorted({word for text in TEXTS for word in text.replace("\n", " \n ").split(" ")})
SIGNS = ["\n", " ", "{", "}", "[", "]", ":", "- ", '"', "\t", "\0", "é", "🎲"]
BITS = st.sampled_from([*WORDS, *SIGNS])


def whole_shelf(folder: str) -> Shelf:
    shelf = Shelf(Path(folder))
    for name, text in zip(FILES, TEXTS, strict=True):
        shelf.put(name, text.encode())
    return shelf


def load_everything(shelf: Shelf) -> None:
    """All that may be asked of a broken library; diagnostics must also be printable."""
    for name, mods in (("harbour", ()), ("atoll", ("fog",)), ("p", ()), ("fog", ())):
        loaded = shelf.load(name, *mods, language="fr")
        render_text(loaded.bag.sorted())
        if loaded.found is not None and mods:
            json.dumps(derived_schema(loaded.found))


def load_with(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf = whole_shelf(folder)
        shelf.put(name, content)
        load_everything(shelf)


def test_the_files_themselves_are_good() -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf = whole_shelf(folder)
        assert shelf.load("atoll", "fog", language="fr").clean


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FILES), st.binary(max_size=60))
@example("harbour/variant.yaml", b"")
@example("harbour/variant.yaml", b"\xff")
def test_random_bytes(name: str, content: bytes) -> None:
    load_with(name, content)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FILES), st.text(max_size=60))
def test_random_texts(name: str, text: str) -> None:
    load_with(name, text.encode("utf-8", errors="surrogatepass"))


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(FILES), st.lists(BITS, max_size=40))
def test_random_words(name: str, words: list[str]) -> None:
    load_with(name, " ".join(words).encode())


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.integers(0, 2**32), st.lists(BITS, max_size=3))
def test_damaged_files(number: int, seed: int, new: list[str]) -> None:
    """A piece of a good file is cut out and perhaps something else put in."""
    text = TEXTS[number]
    chance = random.Random(seed)
    start = chance.randrange(len(text))
    end = min(len(text), start + chance.randrange(30))
    load_with(FILES[number], (text[:start] + " ".join(new) + text[end:]).encode())


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-5, 100),
        st.sampled_from(
            ["pier", "Pier", "north", "harbour", "atoll", "fog", "*", "", "x y", "true"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["id", "kind", "min", "max", "name", "p"]), inner),
    ),
    max_leaves=8,
)
KEYS = [
    *("variant", "mod", "title", "players", "extends", "uses", "overlay_for", "needs_mods"),
    *("conflicts", "set", "profiles", "currency", "terms", "seats", "things", "texts", "limits"),
    *("assumed", "board"),
]


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(["harbour/variant.yaml", "atoll/variant.yaml", "mods/fog/mod.yaml"]),
    st.dictionaries(st.sampled_from(KEYS), VALUES),
)
def test_data_of_any_shape(name: str, data: dict[str, object]) -> None:
    """Every entry may hold anything; JSON is YAML."""
    first = "mod" if "mod" in name else "variant"
    data = {first: name.split("/")[-2], "title": "x", **data}
    load_with(name, json.dumps(data).encode())


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["id", "kind", "quay", "price", "dues", "copies", "assumed", "remove"]),
            VALUES,
        ),
        max_size=4,
    )
)
def test_entries_of_any_shape(entries: list[dict[str, object]]) -> None:
    things = {"things": {"spaces": entries, "quays": [{"id": "north"}]}}
    load_with("harbour/variant.yaml", HEADER.encode() + json.dumps(things)[1:-1].encode())


@settings(max_examples=40, deadline=None)
@example("harbour", "~0", "")
@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_any_request(name: str, mod: str, value: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf = whole_shelf(folder)
        for loaded in (
            shelf.load(name),
            shelf.load("harbour", mod),
            shelf.load("harbour", switches={name: value, "toll": value}),
            shelf.load("atoll", profile=value),
            shelf.load("atoll", language=value),
        ):
            render_text(loaded.bag.sorted())


def test_a_folder_without_rights(tmp_path: Path) -> None:
    shelf = whole_shelf(str(tmp_path))
    (tmp_path / "harbour/rules").chmod(0)
    try:
        load_everything(shelf)
    finally:
        (tmp_path / "harbour/rules").chmod(0o755)
    assert os.access(tmp_path / "harbour/rules", os.R_OK)
