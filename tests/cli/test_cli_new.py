"""`rulewright new`: what comes out is checked, tested, played and playtested at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import invoke

from interpreter import api

KINDS = {
    "variant": (),
    "empty": ("--empty",),
    "child": ("--from", "classic"),
    "mod": ("--mod-for", "classic"),
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def succeeds(*args: str, typed: str = "") -> str:
    result = invoke(*args, typed=typed)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("kind", KINDS)
def test_all_commands_work_on_it(desk: Path, kind: str) -> None:
    said = succeeds("new", "harbour", *KINDS[kind])
    named = "mods/harbour" if kind == "mod" else "./harbour"
    game = ("classic", "--with", named) if kind == "mod" else (named,)
    assert f"  rulewright play {' '.join(game)}" in said
    assert "nothing to mend" in succeeds("check", named)
    assert "failed" not in succeeds("test", named)
    assert "none would be changed" in succeeds("fmt", "--check", named)
    succeeds("play", *game, "--seed", "1", typed="q\n")
    bots = succeeds("playtest", *game, "--games", "20", "--engine", "python")
    assert "stopped" not in bots
    for command in ("words", "explain-order", "compile", "texts"):
        if kind != "mod" or command != "texts":
            succeeds(command, *game)
    strategies = list((desk / named / "strategies").glob("*.rules"))
    assert len(strategies) == 1


@pytest.mark.parametrize("name", api.variants())
def test_any_variant_can_be_extended_and_have_a_mod(desk: Path, name: str) -> None:
    succeeds("new", "child", "--from", name)
    succeeds("new", "bell", "--mod-for", name)
    for made in ("child", "mods/bell"):
        assert "nothing to mend" in succeeds("check", made)
        assert "failed" not in succeeds("test", made)


def test_what_is_made_can_be_extended_in_turn(desk: Path) -> None:
    succeeds("new", "harbour")
    succeeds("new", "lagoon", "--from", "./harbour")
    succeeds("new", "bell", "--mod-for", "harbour")
    for made in ("lagoon", "mods/bell"):
        assert "nothing to mend" in succeeds("check", made)
        assert "failed" not in succeeds("test", made)


@pytest.mark.parametrize("kind", ["variant", "empty"])
def test_names_and_title_may_be_given(desk: Path, kind: str) -> None:
    names = 'Ann, Ben "the Bold", Zoë, 4th'
    succeeds("new", "fair", *KINDS[kind], "--title", 'The "Fair"', "--players", names)
    data = (desk / "fair" / "variant.yaml").read_text(encoding="utf-8")
    assert 'title: "The \\"Fair\\""' in data
    assert '- {id: ben_the_bold, name: "Ben \\"the Bold\\""}' in data
    assert '- {id: player_4, name: "4th"}' in data
    assert "fair (2 and 4 players): nothing to mend" in succeeds("check", "fair")
    assert "failed" not in succeeds("test", "fair")


def test_every_scenario_guards_its_rule(desk: Path) -> None:
    succeeds("new", "harbour")
    rules = desk / "harbour" / "rules" / "harbour.rules"
    text = rules.read_text(encoding="utf-8")
    for old, new in (
        ("player.turns > rounds", "player.turns > rounds + 1"),
        ("pay space.loss from player", "pay space.loss + 1 from player"),
        ("deed.fee * (2 if", "deed.fee * (3 if"),
        ("player.cash + sum(deed.price", "player.cash - sum(deed.price"),
    ):
        assert old in text
        rules.write_text(text.replace(old, new), encoding="utf-8")
        assert invoke("test", "harbour").exit_code == 1, old


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("Old Town",), "did you mean `old_town`?"),
        (("classic",), "`classic` is the name of one that comes along."),
        (("bell", "--empty", "--from", "classic"), "Only one of"),
        (("bell", "--from", "clasic"), "There is no variant `clasic`"),
        (("bell", "--from", "speed_play"), "There is no variant `speed_play`"),
        (("bell", "--mod-for", "classic", "--players", "Ann,Ben"), "no --players"),
        (("bell", "--players", "Ann"), "2 to 16 players are named, not 1."),
        (("taken",), "`taken` is there already."),
    ],
)
def test_what_can_not_be_made(desk: Path, args: tuple[str, ...], said: str) -> None:
    (desk / "taken").mkdir()
    before = list(desk.iterdir())
    result = invoke("new", *args)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert list(desk.iterdir()) == before


def test_a_parent_out_of_sight(desk: Path) -> None:
    (desk / "far").mkdir()
    succeeds("new", "far/harbour")
    result = invoke("new", "lagoon", "--from", "./far/harbour")
    assert result.exit_code == 2
    assert "must lie beside `far/harbour`" in " ".join(result.output.split())
