"""`rulewright watch`: what is looked at after a change, and what is said to be different."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from cli_runs import command, invoke

from dsl.diagnostics import Bag
from dsl.project.load import load_merged
from interpreter import api
from interpreter.cli.rounds import Rounds
from interpreter.scenario.touching import at_once, touched

RULES = "rules/race.rules"


class Here(Executor):
    """Does at once what it is given."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def replace(folder: Path, old: str, new: str, file: str = RULES) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_rounds_say_what_is_different(race: Path) -> None:
    rounds = Rounds(str(race), 20, Here())
    first = rounds.look()
    assert first.fresh == first.gone == first.broken == []
    assert [result.title for result in first.results] == ["a fast step always moves on"]
    assert first.played is not None
    assert first.changed == {}
    again = rounds.look()
    assert again.results == []
    assert again.changed == {}
    replace(race, "switch prize: money = 5", "switch prize: money = 300")
    prize = rounds.look()
    assert [result.title for result in prize.broken] == ["a fast step always moves on"]
    assert prize.failing == prize.broken
    assert prize.changed == {}  # prizes are all that anybody has
    replace(race, "luck picks n in 0..1", "luck picks n in 0..4")
    slower = rounds.look()
    assert slower.broken == []
    assert slower.changed["turns"][0] == first.played.figures["turns"]
    replace(race, "luck picks n in 0..4", "luck picks n in 0..1")
    replace(race, "switch prize: money = 300", "switch prize: money = 5")
    back = rounds.look()
    assert back.mended == ["a fast step always moves on"]
    assert back.failing == []
    assert back.played is not None
    assert back.played.figures == first.played.figures


def test_findings_come_and_go(race: Path) -> None:
    rounds = Rounds(str(race), 0, None)
    assert rounds.look().findings == []
    replace(race, "switch prize", "switch spare: flag = no\nswitch prize")
    look = rounds.look()
    assert [each.code for each in look.fresh] == ["RW9004"]
    replace(race, "-- A place on the way.", "-- A place on the way.\n-- It is short.")
    look = rounds.look()
    assert [each.code for each in look.findings] == ["RW9004"]
    assert look.fresh == look.gone == []
    replace(race, "player.purse >= prize", "plyer.purse >= prize")
    look = rounds.look()
    assert look.has_errors
    assert look.results == []
    assert look.played is None
    replace(race, "plyer.purse >= prize", "player.purse >= prize")
    replace(race, "switch spare: flag = no\n", "")
    look = rounds.look()
    assert not look.has_errors
    assert "RW0501" in [each.code for each in look.gone]


def merged(folder: Path) -> Any:
    found = load_merged(api.library(), folder, bag=Bag())
    assert found is not None
    return found


def test_touched_is_what_ran_or_speaks_of_a_change(race: Path) -> None:
    scenarios = race / "scenarios" / "race.rules"
    text = scenarios.read_text(encoding="utf-8")
    other = '\nscenario "nothing of steps"\n    then\n        count(Player) is 4\n'
    scenarios.write_text(text + other, encoding="utf-8")
    before = merged(race)
    ran = {
        "a fast step always moves on": frozenset({"rule stepping", "rule fast_step"}),
        "nothing of steps": frozenset({"rule moves"}),
    }
    replace(race, "-- Everybody steps", "-- Somebody steps")
    assert touched(before, merged(race), ran) == set()
    replace(
        race,
        "rule fast_step: after stride by player with pace if pace is fast\n",
        'rule fast_step: after stride by player with pace if pace is fast\n    say "!"\n',
    )
    assert touched(before, merged(race), ran) == {"a fast step always moves on"}
    assert at_once(before, merged(race)) == set()
    before = merged(race)
    replace(race, "count(Player) is 4", "count(Player) is 5 - 1", "scenarios/race.rules")
    assert touched(before, merged(race), ran) == {"nothing of steps"}
    assert at_once(before, merged(race)) == {"nothing of steps"}
    before = merged(race)
    replace(race, "{id: cave, name", "{id: den, name", "variant.yaml")
    assert touched(before, merged(race), {}) == set(ran)


def test_once_looks_at_all_and_ends(race: Path) -> None:
    result = invoke("watch", race, "--once", "--games", "0")
    assert result.exit_code == 0
    assert "check: nothing to mend" in result.output
    assert "scenarios: 1 of 1 passed" in result.output


def test_a_folder_of_several_is_refused(race: Path) -> None:
    (race.parent / "mods" / "wind").mkdir(parents=True)
    (race.parent / "mods" / "wind" / "mod.yaml").write_text("mod: wind\ntitle: W\n", "utf-8")
    result = invoke("watch", race.parent)
    assert result.exit_code == 2
    assert "holds several variants and mods" in result.output


@pytest.mark.skipif(os.name != "posix", reason="a signal ends it")
def test_it_looks_again_on_every_save(race: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    with told.open("w", encoding="utf-8") as file:
        running = subprocess.Popen(
            command("watch", race, "--games", "20"), stdout=file, stderr=subprocess.STDOUT
        )

    def wait_for(text: str) -> None:
        for _ in range(400):
            if text in told.read_text(encoding="utf-8"):
                return
            time.sleep(0.05)
        pytest.fail(f"{text!r} is not in {told.read_text(encoding='utf-8')!r}")

    try:
        wait_for("playtest: turns")
        time.sleep(0.3)
        replace(race, "switch prize: money = 5", "switch prize: money = 300")
        wait_for("1 of them since this change")
        replace(race, "luck picks n in 0..1", "luck picks n in 0..4")
        wait_for("(was ")
        replace(race, "switch prize: money = 300", "switch prize: money = 5")
        wait_for("mended: a fast step always moves on")
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
    finally:
        running.kill()
