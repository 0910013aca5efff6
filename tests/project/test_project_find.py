"""Finding variants, mods and modules by name and by path."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_games import HEADER, THINGS, Shelf, place

from dsl.project.find import Library, folder_at, is_path, shown
from dsl.project.summary import overlay_of, summaries
from interpreter.bundled import variants_dir


def test_names_in_order(harbour: Shelf) -> None:
    harbour.put_child("atoll")
    harbour.put_mod("fog")
    harbour.put("oddment/readme.txt", "no variant")
    assert list(harbour.library.variants()) == ["atoll", "harbour"]
    assert list(harbour.library.mods()) == ["fog"]


def test_a_mod_may_lie_beside_variants(harbour: Shelf) -> None:
    harbour.put("fog/mod.yaml", 'mod: fog\ntitle: "Fog"\n')
    assert harbour.load("harbour", "fog").clean.mods == ("fog",)


def test_the_first_search_path_counts(tmp_path: Path) -> None:
    near, far = Shelf(tmp_path / "near"), Shelf(tmp_path / "far")
    near.put_harbour()
    far.put_harbour()
    library = Library([near.path, far.path])
    assert library.variants()["harbour"].path == near.path / "harbour"


def test_own_modules_do_not_hide_those_of_the_library(harbour: Shelf) -> None:
    harbour.put("library/tides.rules", "unit wave\n")
    harbour.put("std/tides.rules", "unit ripple\n")
    harbour.put("std/winds.rules", "unit gust\n")
    harbour.put_child("atoll", "uses: [tides, winds]\n")
    assert harbour.library.modules()["tides"] == harbour.path / "library/tides.rules"
    layers = {each.layer for each in harbour.load("atoll").clean.declarations}
    assert layers == {"std/tides", "std/winds", "harbour"}


@pytest.mark.parametrize("inner", ["", "variant.yaml", "rules/harbour.rules", "rules"])
def test_any_file_leads_to_its_variant(harbour: Shelf, inner: str) -> None:
    folder = folder_at(harbour.path / "harbour" / inner)
    if inner == "rules":
        assert folder is None
    else:
        assert folder is not None
        assert folder.name == "harbour"


def test_a_folder_outside_the_library(tmp_path: Path, harbour: Shelf) -> None:
    """What it extends and is laid over it is looked for beside it and in the library."""
    own = Shelf(tmp_path / "elsewhere")
    own.put_child("atoll", "uses: [eddies]\n")
    own.put("std/eddies.rules", "unit eddy\n")
    own.put_mod("mist", "overlay_for: [atoll]\n")
    harbour.put_mod("fog", "overlay_for: [harbour]\n")
    merged = harbour.load(own.path / "atoll", "fog", "mist").clean
    assert (merged.variant, merged.parents, merged.mods) == ("atoll", ("harbour",), ("fog", "mist"))


def test_the_name_of_a_folder_given_by_path_is_free(shelf: Shelf) -> None:
    shelf.put("work copy 2/variant.yaml", HEADER + THINGS)
    shelf.put_harbour()
    shelf.put(
        "work copy 2/rules/a.rules", (shelf.path / "harbour/rules/harbour.rules").read_bytes()
    )
    assert shelf.load(shelf.path / "work copy 2").clean.variant == "harbour"


def test_a_bare_word_is_a_folder_if_no_name(
    shelf: Shelf, harbour: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = Shelf(tmp_path / "elsewhere")
    own.put_child("atoll")
    monkeypatch.chdir(own.path)
    assert harbour.load("atoll").clean.variant == "atoll"
    assert harbour.load("./atoll").clean.variant == "atoll"


@pytest.mark.parametrize("text", ["./a", "a/b", "..", "variant.yaml", "~/a", "a\\b", ""])
def test_paths(text: str) -> None:
    assert is_path(text)


def test_shown_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    std = Path("/opt/somewhere/std")
    assert shown(tmp_path / "a" / "b.rules") == "a/b.rules"
    assert shown(std / "board.rules", std) == "std/board.rules"
    assert shown(Path("/opt/x.yaml")) == "/opt/x.yaml"


# ---------------------------------------------------------------- not found


@pytest.mark.parametrize(
    ("name", "help_text"),
    [("harbor", "did you mean `harbour`?"), ("zzz", "the variants are `harbour`")],
)
def test_unknown_variant(harbour: Shelf, name: str, help_text: str) -> None:
    found = harbour.load(name).only("RW1001")
    assert (found.span.source.name, found.span.text) == ("command line", name)
    assert found.help == help_text


@pytest.mark.parametrize("path", ["nowhere/at/all", "", "/", "\0", "a" * 5000 + "/b"])
def test_no_variant_at_a_path(harbour: Shelf, path: str) -> None:
    harbour.load(path).only("RW1001")


def test_a_mod_is_no_game(harbour: Shelf) -> None:
    harbour.put_mod("fog")
    harbour.load("fog").only("RW1004")
    harbour.load(harbour.path / "mods/fog").only("RW1004")


@pytest.mark.parametrize("mod", ["fogg", "./fog", "nowhere/fog"])
def test_unknown_mod(harbour: Shelf, mod: str) -> None:
    harbour.put_mod("fog")
    found = harbour.load("harbour", mod).only("RW1003")
    assert found.span.text == mod
    assert found.help == ("did you mean `fog`?" if mod == "fogg" else "the mods are `fog`")


def test_a_variant_is_no_mod(harbour: Shelf) -> None:
    assert harbour.load("harbour", "harbour").only("RW1004").span.text == "harbour"
    harbour.load("harbour", harbour.path / "harbour").only("RW1004")


def test_all_unknown_mods_are_reported(harbour: Shelf) -> None:
    assert harbour.load("harbour", "one", "two").codes == ["RW1003", "RW1003"]


def test_a_mod_given_twice(harbour: Shelf) -> None:
    harbour.put_mod("fog")
    harbour.load("harbour", "fog", harbour.path / "mods/fog").only("RW1010")


def test_unknown_module(harbour: Shelf) -> None:
    harbour.put("library/tides.rules", "unit wave\n")
    harbour.put_child("atoll", "uses: [tides, tidse]\n")
    found = harbour.load("atoll").only("RW1002")
    assert place(found) == "variant.yaml:4:15 'tidse'"
    assert found.help == "did you mean `tides`?"


# ---------------------------------------------------------------- summaries


def test_summaries(harbour: Shelf) -> None:
    harbour.put_child("atoll", "profiles: {calm_day: {toll: 1}}\n")
    harbour.put("broken/variant.yaml", "variant: [\n")
    harbour.put_mod("fog", "overlay_for: [harbour]\n")
    harbour.put_mod("sun", "overlay_for: [atoll]\n")
    harbour.put_mod("wind")
    found = {each.name: each for each in summaries(harbour.library)}
    assert list(found) == ["atoll", "broken", "harbour", "fog", "sun", "wind"]
    assert found["harbour"].players == (2, 2)
    assert (found["atoll"].extends, found["atoll"].profiles) == ("harbour", ("calm_day",))
    assert found["fog"].is_mod
    assert overlay_of(harbour.library, "fog").variants == ("atoll", "harbour")
    assert overlay_of(harbour.library, "sun").variants == ("atoll",)
    assert overlay_of(harbour.library, "wind").variants == ("atoll", "broken", "harbour")
    assert overlay_of(harbour.library, "nothing").variants == ()


def test_what_conflicts_is_left_out_and_what_is_needed_comes_along(harbour: Shelf) -> None:
    harbour.put_child("atoll", "conflicts: [rain]\n")
    harbour.put_child("bay", "")
    harbour.put_mod("fog", "conflicts: [bay]\n")
    harbour.put_mod("rain", "overlay_for: [harbour]\n")
    harbour.put_mod("storm", "needs_mods: [rain, fog, unheard_of]\n")
    harbour.put_mod("flood", "needs_mods: [storm]\n")
    harbour.put_mod("egg", "needs_mods: [hen]\n")
    harbour.put_mod("hen", "needs_mods: [egg]\n")
    found = {name: overlay_of(harbour.library, name) for name in harbour.library.mods()}
    assert found["fog"].variants == ("atoll", "harbour")
    assert not found["fog"].is_limited
    assert found["rain"].variants == ("bay", "harbour")
    assert found["storm"].variants == ("harbour",)
    assert found["storm"].needed == ("rain", "fog")
    assert found["flood"].needed == ("rain", "fog", "storm")
    assert found["flood"].variants == ("harbour",)
    assert found["hen"].needed == ("egg",)


def test_bundled_variants_are_found() -> None:
    found = {each.name: each for each in summaries(Library([variants_dir()]))}
    assert {"classic", "deal", "jackpot", "speed_play"} <= set(found)
    assert all(each.title for each in found.values())
