"""Loading: parents, mods, switches, profiles, the digest, files that can't be read, the cache."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from project_games import HEADER, RULES, Shelf, names, place

from dsl.data.node import Scalar
from dsl.diagnostics.record import Bag
from dsl.project import files
from dsl.project.find import Library
from dsl.project.load import load_merged
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from interpreter.bundled import variants_dir


def test_the_small_game(harbour: Shelf) -> None:
    merged = harbour.load().clean
    assert (merged.variant, merged.title, merged.mods) == ("harbour", "Harbour", ())
    assert (merged.min_players, merged.max_players) == (2, 2)
    assert merged.seats == (("red", "Red"), ("blue", "Blue"))
    assert {each.rank for each in merged.declarations} == {1}
    assert (merged.phase_limit, merged.act_limit) == (1_000, 10_000)
    assert merged.is_complete


def test_layers_in_order(harbour: Shelf) -> None:
    harbour.put("library/tides.rules", "unit wave\n")
    harbour.put("library/winds.rules", "unit gust\n")
    harbour.put_child("atoll", "uses: [winds]\n", "unit palm\n")
    harbour.put("reef/variant.yaml", 'variant: reef\ntitle: "Reef"\nextends: atoll\n')
    harbour.put("reef/rules/b.rules", "unit coral\n")
    harbour.put("reef/rules/a.rules", "unit fish\n")
    harbour.put_mod("fog", "uses: [tides, winds]\n", "unit drop\n")
    harbour.put_mod("sun", rules="unit ray\n")
    merged = harbour.load("reef", "sun", "fog").clean
    units = [
        (each.decl.name.text, each.rank, each.layer)
        for each in merged.declarations
        if isinstance(each.decl, syntax.UnitDecl)
    ]
    assert units == [
        ("gust", 0, "std/winds"),
        ("wave", 0, "std/tides"),
        ("palm", 2, "atoll"),
        ("fish", 3, "reef"),
        ("coral", 3, "reef"),
        ("ray", 4, "sun"),
        ("drop", 5, "fog"),
    ]
    assert merged.parents == ("harbour", "atoll")


SCENARIO = 'scenario "{0}"\n    when red goes\n    then\n        yes\n'
SAYING = "saying player goes\n    say player\n"
STRATEGY = "strategy {0}\n    for free_time\n        pass\n"


def test_strategies_are_inherited_and_scenarios_are_not(harbour: Shelf) -> None:
    harbour.put("harbour/scenarios/all.rules", SAYING + SCENARIO.format("of harbour"))
    harbour.put("harbour/strategies/all.rules", STRATEGY.format("calm"))
    harbour.put_child("atoll")
    harbour.put("atoll/scenarios/all.rules", SCENARIO.format("of atoll"))
    harbour.put_mod("fog")
    harbour.put("mods/fog/scenarios/all.rules", SCENARIO.format("of fog"))
    harbour.put("mods/fog/strategies/all.rules", STRATEGY.format("blind"))
    merged = harbour.load("atoll", "fog").clean
    titles = [
        each.decl.title for each in merged.declarations if isinstance(each.decl, syntax.Scenario)
    ]
    assert titles == ["of atoll", "of fog"]
    assert names(merged, syntax.Strategy) == ["calm", "blind"]
    assert any(isinstance(each.decl, syntax.Saying) for each in merged.declarations)
    without = harbour.load("atoll", "fog", scenarios=False).clean
    assert not any(
        isinstance(each.decl, syntax.Scenario | syntax.Saying) for each in without.declarations
    )


# ---------------------------------------------------------------- parents


def test_unknown_parent(harbour: Shelf) -> None:
    harbour.put("atoll/variant.yaml", 'variant: atoll\ntitle: "Atoll"\nextends: harbor\n')
    found = harbour.load("atoll").only("RW1001")
    assert place(found) == "variant.yaml:3:10 'harbor'"
    assert found.help == "did you mean `harbour`?"


def test_a_mod_can_not_be_extended(harbour: Shelf) -> None:
    harbour.put_mod("fog")
    harbour.put("atoll/variant.yaml", 'variant: atoll\ntitle: "Atoll"\nextends: fog\n')
    assert place(harbour.load("atoll").only("RW1004")) == "variant.yaml:3:10 'fog'"


def test_extending_itself(shelf: Shelf) -> None:
    shelf.put("loop/variant.yaml", 'variant: loop\ntitle: "Loop"\nextends: loop\n')
    found = shelf.load("loop").only("RW1006")
    assert found.message == "`loop` extends itself"


def test_extending_in_a_circle(shelf: Shelf) -> None:
    for name, parent in (("way_in", "a"), ("a", "b"), ("b", "c"), ("c", "a")):
        shelf.put(f"{name}/variant.yaml", f'variant: {name}\ntitle: "x"\nextends: {parent}\n')
    found = shelf.load("way_in").only("RW1006")
    assert found.notes == ("`a` extends `b` extends `c` extends `a`",)
    assert "c/variant.yaml" in found.span.source.name
    assert [Path(label.span.source.name).parent.name for label in found.secondary] == ["a", "b"]


def test_a_broken_parent(harbour: Shelf) -> None:
    harbour.put_child("atoll")
    harbour.put("harbour/variant.yaml", "variant: [\n")
    loaded = harbour.load("atoll")
    assert loaded.found is None
    assert all(code.startswith("RW03") for code in loaded.codes)


def test_the_name_is_that_of_the_folder(harbour: Shelf) -> None:
    harbour.put("port/variant.yaml", HEADER)
    assert place(harbour.load("port").only("RW1005")) == "variant.yaml:1:10 'harbour'"
    harbour.put("atoll/variant.yaml", 'variant: atoll\ntitle: "Atoll"\nextends: port\n')
    harbour.load("atoll").only("RW1005")
    harbour.put("mods/fog/mod.yaml", 'mod: mist\ntitle: "Mist"\n')
    harbour.load("harbour", "fog").only("RW1005")


def test_a_file_says_what_it_is(harbour: Shelf) -> None:
    harbour.put("port/variant.yaml", 'mod: port\ntitle: "Port"\n')
    harbour.load("port").only("RW1004")
    harbour.put("mods/fog/mod.yaml", HEADER)
    harbour.load("harbour", "fog").only("RW1004")


# ---------------------------------------------------------------- mods


def test_a_mod_for_a_parent_fits_the_child(harbour: Shelf) -> None:
    harbour.put_mod("fog", "overlay_for: [harbour]\n")
    harbour.put_child("atoll")
    assert harbour.load("atoll", "fog").clean


def test_a_mod_for_other_variants(harbour: Shelf) -> None:
    harbour.put_child("atoll")
    harbour.put_child("reef")
    harbour.put_mod("fog", "overlay_for: [reef]\n")
    found = harbour.load("atoll", "fog").only("RW1007")
    assert place(found) == "mod.yaml:3:14 '[reef]'"
    assert found.message == "the mod `fog` is made for `reef`, not for `atoll`"


def test_an_overlay_for_nothing_known(harbour: Shelf) -> None:
    harbour.put_mod("fog", "overlay_for: [harbor, harbour]\n")
    found = harbour.load("harbour", "fog").only("RW1016")
    assert (found.severity, found.help) == ("warning", "did you mean `harbour`?")


@pytest.mark.parametrize("order", [("fog", "sun"), ("sun", "fog")])
def test_conflicts_hold_both_ways(harbour: Shelf, order: tuple[str, str]) -> None:
    harbour.put_mod("fog", "conflicts: [sun]\n")
    harbour.put_mod("sun")
    assert place(harbour.load("harbour", *order).only("RW1008")) == "mod.yaml:3:13 'sun'"


def test_conflict_with_a_variant(harbour: Shelf) -> None:
    harbour.put_child("atoll")
    harbour.put_mod("fog", "conflicts: [atoll]\n")
    assert harbour.load("harbour", "fog").clean
    harbour.load("atoll", "fog").only("RW1008")


def test_a_variant_that_refuses_a_mod(harbour: Shelf) -> None:
    harbour.put_child("atoll", "conflicts: [fog]\n")
    harbour.put_mod("fog")
    harbour.load("atoll", "fog").only("RW1008")


def test_needed_mods(harbour: Shelf) -> None:
    harbour.put_mod("fog")
    harbour.put_mod("storm", "needs_mods: [fog]\n")
    assert harbour.load("harbour", "fog", "storm").clean
    harbour.put_mod("ghost", "needs_mods: [ghost]\n")
    itself = harbour.load("harbour", "ghost").only("RW1009")
    assert itself.message == "the mod `ghost` needs itself"
    missing = harbour.load("harbour", "storm").only("RW1009")
    assert missing.help == "play with `--with fog,storm`"
    late = harbour.load("harbour", "storm", "fog").only("RW1009")
    assert late.message == "the mod `storm` needs the mod `fog` before it"
    assert late.help == "play with `--with fog,storm`"


def test_two_refusals_at_once(harbour: Shelf) -> None:
    harbour.put_child("atoll")
    harbour.put_mod("fog", "overlay_for: [atoll]\n")
    harbour.put_mod("sun", "conflicts: [fog]\nuses: [nothing]\n")
    loaded = harbour.load("harbour", "fog", "sun")
    assert sorted(loaded.codes) == ["RW1002", "RW1007", "RW1008"]


# ---------------------------------------------------------------- switches and profiles


def values(merged: object, name: str = "toll") -> list[str]:
    """The values that were chosen for a switch, the last one in force."""
    return [
        each.value
        if isinstance(each.value, str)
        else str(each.value.value)
        if isinstance(each.value, Scalar | syntax.Number)
        else "?"
        for each in merged.switchings  # type: ignore[attr-defined]
        if each.name == name
    ]


def test_later_settings_win(harbour: Shelf) -> None:
    harbour.put_harbour(more="set: {toll: 1}\n")
    harbour.put_child(
        "atoll", "profiles: {cheap: {toll: 4}}\nset: {fair: storm}\n", "set toll = 3\n"
    )
    harbour.put_mod("fog", "set: {toll: 5}\n")
    merged = harbour.load("atoll", "fog", switches={"toll": "6"}, profile="cheap").clean
    assert values(merged) == ["1", "3", "4", "5", "6"]
    layers = [each.layer for each in merged.switchings if each.name == "toll"]
    assert layers == ["harbour", "atoll", "profile cheap", "fog", "command line"]


def test_a_setting_of_a_scenario(harbour: Shelf) -> None:
    """A test runner passes on the value as it was parsed."""
    harbour.put(
        "harbour/scenarios/s.rules",
        'scenario "x"\n    set toll = 7\n    when red goes\n    then\n        yes\n',
    )
    merged = harbour.load().clean
    decl = next(each.decl for each in merged.declarations if isinstance(each.decl, syntax.Scenario))
    bag = Bag()
    again = load_merged(
        harbour.library,
        "harbour",
        switches={each.name.text: each.value for each in decl.switches},
        bag=bag,
    )
    assert values(again) == ["7"]


@pytest.mark.parametrize("name", ["tol", "x=y", "", "🎲"])
def test_unknown_switch_on_the_command_line(harbour: Shelf, name: str) -> None:
    found = harbour.load(switches={name: "5"}).only("RW0806")
    assert found.span.source.name == "command line"
    assert found.span.source.text == f"harbour --set {name}=5"


@pytest.mark.parametrize("where", ["set: {tol: 5}\n", "profiles: {p: {tol: 5}}\n"])
def test_unknown_switch_in_the_data(harbour: Shelf, where: str) -> None:
    harbour.put_child("atoll", where)
    found = harbour.load("atoll").only("RW0806")
    assert found.span.text == "tol"
    assert found.help == "did you mean `toll`?"


def test_a_profile_as_variant(harbour: Shelf) -> None:
    harbour.put_child("atoll", "profiles: {cheap: {toll: 4}, dear: {toll: 40}}\n")
    merged = harbour.load("dear").clean
    assert (merged.variant, merged.profile, values(merged)) == ("atoll", "dear", ["40"])
    assert values(harbour.load("dear", profile="dear").clean) == ["40"]
    assert values(harbour.load("atoll").clean) == []


def test_the_profile_of_a_scenario_wins(harbour: Shelf) -> None:
    harbour.put_child("atoll", "profiles: {cheap: {toll: 4}, dear: {toll: 40}}\n")
    source = Source("s.rules", "profile cheap")
    name = syntax.Name(Span(source, 8, 13), "cheap")
    assert values(harbour.load("dear", profile=name).clean) == ["4"]


def test_a_profile_of_a_parent(harbour: Shelf) -> None:
    harbour.put_harbour(more="profiles: {cheap: {toll: 4}}\n")
    harbour.put_child("atoll")
    assert values(harbour.load("atoll", profile="cheap").clean) == ["4"]


def test_refused_profiles(harbour: Shelf) -> None:
    harbour.put_child("atoll", "profiles: {cheap: {toll: 4}, dear: {toll: 40}}\n")
    assert harbour.load("atoll", profile="chep").only("RW1011").help == "did you mean `cheap`?"
    harbour.load("harbour", profile="cheap").only("RW1011")
    harbour.load("cheap", profile="dear").only("RW1011")
    harbour.put_child("reef", "profiles: {cheap: {toll: 5}}\n")
    assert "several variants" in harbour.load("cheap").only("RW1011").message


# ---------------------------------------------------------------- digest


def test_digest(harbour: Shelf) -> None:
    harbour.put_child("atoll", "profiles: {cheap: {toll: 4}}\n", "unit palm\n")
    harbour.put_mod("fog")
    harbour.put_mod("sun")
    harbour.put("atoll/locale/fr.yaml", 'title: "L\'atoll"\n')

    def digest(*mods: str, **how: object) -> str:
        return harbour.load("atoll", *mods, **how).clean.digest  # type: ignore[arg-type]

    first = digest()
    assert first == digest()
    assert first == digest(language="fr")
    others = [
        digest("fog"),
        digest("sun"),
        digest("fog", "sun"),
        digest("sun", "fog"),
        digest(profile="cheap"),
        digest(switches={"toll": "10"}),
        digest(switches={"toll": "11"}),
    ]
    assert len({first, *others}) == len(others) + 1
    for name in ("atoll/rules/atoll.rules", "harbour/variant.yaml", "harbour/rules/harbour.rules"):
        before = digest()
        path = harbour.path / name
        path.write_bytes(path.read_bytes() + b"\n")
        assert digest() != before


def test_scenarios_count_only_when_they_are_read(harbour: Shelf) -> None:
    before, without = harbour.load().clean, harbour.load(scenarios=False).clean
    assert before.digest == without.digest
    harbour.put("harbour/scenarios/all.rules", SCENARIO.format("one"))
    assert harbour.load().clean.digest != before.digest
    assert harbour.load(scenarios=False).clean.digest == before.digest


def test_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    one, other = Shelf(tmp_path / "one"), Shelf(tmp_path / "other" / "deep")
    one.put_harbour()
    other.put_harbour()
    assert one.load().clean.digest == other.load().clean.digest


# ---------------------------------------------------------------- files


def test_not_utf_8(harbour: Shelf) -> None:
    harbour.put("harbour/rules/old.rules", b"-- one\n-- caf\xe9\n")
    found = harbour.load().only("RW1013")
    assert place(found) == "old.rules:2:7 '�'"


@pytest.mark.parametrize("name", ["harbour/variant.yaml", "harbour/locale/en.yaml"])
def test_data_not_utf_8(harbour: Shelf, name: str) -> None:
    harbour.put(name, b"\xff\xfea\x00")
    assert harbour.load().codes == ["RW1013"]


def test_too_large(harbour: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    assert "far too much" in harbour.load().only("RW1012").message


def test_a_link_to_nothing(harbour: Shelf) -> None:
    (harbour.path / "harbour/rules/gone.rules").symlink_to(harbour.path / "nowhere")
    assert harbour.load().only("RW1012").span.source.name.endswith("gone.rules")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_no_file(harbour: Shelf) -> None:
    os.mkfifo(harbour.path / "harbour/rules/pipe.rules")
    harbour.load().only("RW1012")


def test_a_folder_called_as_a_script(harbour: Shelf) -> None:
    (harbour.path / "harbour/rules/inner.rules").mkdir()
    harbour.load().only("RW1012")


def test_forgotten_files(harbour: Shelf) -> None:
    harbour.put("harbour/rules/cranes.rule", "")
    harbour.put("harbour/rules/deeper/x.rules", "")
    harbour.put("harbour/stray.rules", "")
    harbour.put("harbour/scenario/x.rules", "")
    harbour.put("harbour/mod.yaml", "")
    harbour.put("harbour/rules/.hidden", "")
    harbour.put("harbour/README.md", "")
    loaded = harbour.load()
    assert loaded.merged
    assert loaded.codes == ["RW1015"] * 5
    assert all(each.severity == "warning" for each in loaded.bag)


def test_a_broken_script_gives_no_second_errors(harbour: Shelf) -> None:
    """What may be missing because of a mistake elsewhere is not reported as missing."""
    harbour.put("harbour/rules/harbour.rules", RULES.replace("switch toll: money", "switch toll:"))
    harbour.put_child("atoll", "set: {toll: 4}\n", "remove rule unheard_of\n")
    loaded = harbour.load("atoll")
    assert not loaded.merged.is_complete
    assert [code[:4] for code in loaded.codes] == ["RW02"]


def test_files_are_read_once(harbour: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    first = harbour.load().clean
    calls = []
    monkeypatch.setattr(files, "read_text", lambda *_: calls.append(1))
    again = harbour.load().clean
    assert not calls
    assert again.declarations[0].decl is first.declarations[0].decl


def test_a_changed_file_is_read_again(harbour: Shelf) -> None:
    assert harbour.load().clean
    harbour.put("harbour/rules/harbour.rules", RULES + "unit gull\n")
    assert names(harbour.load().clean, syntax.UnitDecl) == ["gull"]


def test_mistakes_are_reported_each_time(harbour: Shelf) -> None:
    harbour.put("harbour/rules/bad.rules", "rule\n")
    assert harbour.load().codes == harbour.load().codes != []


# ---------------------------------------------------------------- the bundled games


VARIANTS = sorted(Library([variants_dir()]).variants())


@pytest.mark.parametrize("name", VARIANTS)
def test_bundled_variants_load(name: str) -> None:
    bag = Bag()
    merged = load_merged(Library([variants_dir()]), name, bag=bag)
    assert merged is not None
    assert merged.variant == name


def test_a_warm_load_is_fast() -> None:
    library = Library([variants_dir()])
    times = []
    for _ in range(6):
        start = time.perf_counter()
        load_merged(library, "classic", bag=Bag())
        times.append(time.perf_counter() - start)
    assert min(times[1:]) < 0.1


def test_a_script_has_a_bound(harbour: Shelf) -> None:
    long = "-- " + "x" * 1_000_000 + "\n"
    harbour.put("harbour/rules/long.rules", long)
    found = harbour.load().only("RW1012")
    assert "1,000,000 is the most" in found.message
    harbour.put("harbour/rules/long.rules", long[8:].replace("xxx", "-- ", 1))
    assert harbour.load().codes == []
