"""What the tests of experiments share: versions of games, ready to be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter import api
from interpreter.bundled import variants_dir
from interpreter.playtest.conduct import Conductor, Plan
from interpreter.playtest.printing import print_machine
from interpreter.session.compile import load_compiled
from interpreter.session.request import Request

GAMES = Path(__file__).resolve().parents[1] / "playtest" / "games"


@pytest.fixture(scope="session")
def version() -> Callable[..., Conductor]:
    """Makes a version of a game ready to be played."""

    def make(
        name: str,
        players: int,
        bots: Sequence[str] | None = None,
        *,
        mods: Sequence[Path] = (),
        switches: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> Conductor:
        bag = Bag()
        library = Library([GAMES, variants_dir()])
        request = Request(library, name, players, mods, switches or {})
        game = load_compiled(request, bag, flavour=None)
        assert game is not None, [each.message for each in bag.sorted()]
        return Conductor(game, Plan(bots=bots, seed=seed, workers=2), print_machine)

    return make


@pytest.fixture
def mod(tmp_path: Path) -> Callable[..., Path]:
    """Writes a mod with some rules and data."""

    def write(variant: str, rules: str = "", data: str = "") -> Path:
        folder = tmp_path / "mods" / "other"
        (folder / "rules").mkdir(parents=True)
        head = f"mod: other\ntitle: Other\noverlay_for: [{variant}]\n"
        (folder / "mod.yaml").write_text(head + data, encoding="utf-8")
        if rules:
            (folder / "rules" / "other.rules").write_text(rules, encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="session")
def race() -> api.Variant:
    """The race for three."""
    return api.load_variant(GAMES / "race", players=3)
