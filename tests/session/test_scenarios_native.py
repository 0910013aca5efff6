"""Scenarios on both engines: every part of every scenario is run natively too, from the same state
with the same answers and luck, and leaves the same state behind. Of play that ends at a question,
only what leads to it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.source import Span
from interpreter import api
from interpreter.bundled import variants_dir
from interpreter.emit.layout import encoded
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import FAULT, PythonEngine
from interpreter.flat.ir import nodes as flat
from interpreter.flat.program.scenarios import LUCK_LINE, LUCK_SAID
from interpreter.scenario import run, suite
from interpreter.search.native import numbers_of
from interpreter.search.replaying import AT, LOG, LOG_SIZE, REPLAY, next_answer
from interpreter.session.asked import Given
from interpreter.session.facts import Facts
from interpreter.session.tape import ALWAYS

pytestmark = pytest.mark.skipif(not NATIVE, reason="needs wasmtime")

LIBRARY = Library([variants_dir()])
LUCK_ROWS = (LUCK_SAID, LUCK_LINE)


def with_script(program: flat.Program) -> flat.Program:
    """The program with one player for all seats and for luck: it gives the answers of a log."""
    name = f"{REPLAY}_next"
    scalars = {AT: flat.ScalarDecl(AT, flat.INT, 0, "scratch")}
    made = replace(
        program,
        scalars=program.scalars | scalars,
        columns=program.columns | {LOG: flat.ColumnDecl(LOG, flat.INT, (0,) * LOG_SIZE, "scratch")},
        functions=dict(program.functions),
    )
    made.functions[name] = next_answer(made)
    script: dict[str, str] = {}
    for number, site in enumerate(made.sites.values()):
        params = (("seat", flat.INT), *((param, kind) for param, kind, _ in site.scope))
        answer = flat.Num(0) if site.name == flat.SEALED else flat.Call(name, ())
        body = (flat.Return(answer),)
        script[site.name] = f"{REPLAY}_{number}"
        made.functions[script[site.name]] = flat.Function(script[site.name], params, body, flat.INT)
    return replace(made, strategies={REPLAY: script})


class BothEngines(run.GroupRunner):
    """Runs the scenarios of a program in Python, and all that it does natively after it."""

    parts = 0
    answers = 0

    def __init__(self, facts: Facts, program: flat.Program, engine: PythonEngine) -> None:
        super().__init__(facts, program, engine)
        steps = [step for one in program.scenarios for step in one.steps]
        parts = [part for one in steps for part in (one.given, one.act, one.luck, *one.checks)]
        wanted = {part for part in parts if isinstance(part, str)}
        self.native = NativeEngine(
            with_script(program), cached=False, export=sorted({*wanted, run.WATCHES})
        )
        self.log: list[int] = []
        self.is_playing = False

    def _call(self, function: str, span: Span, part: str) -> None:
        if self.is_playing:  # a look at play that waits; what is played is compared as a whole
            super()._call(function, span, part)
            return
        before = self._words()
        self.log = []
        self.is_playing = True
        try:
            super()._call(function, span, part)
        finally:
            self.is_playing = False
        code = self._natively(function, before)
        assert (code == FAULT) is False, f"{part}: it went wrong natively"
        for name in LUCK_ROWS if part != "luck" else ():
            rows = self.native.layout.rows[name]
            self.native._game.write(rows.address, encoded((0,), 0))
        assert self.native.difference(self._words()) is None, part
        BothEngines.parts += 1

    def _words(self) -> list[int]:
        return self.engine.save()

    def _natively(self, function: str, before: list[int]) -> int:
        native = self.native
        native.load(before)
        for seat in range(self.program.players):
            native.seat(seat, REPLAY)
        for name in (ALWAYS, *self.program.remembered):
            if name in native.layout.scalars:
                cells = native.layout.scalars[name]
                native._game.write(cells.address, encoded((self.engine.scalar(name),), cells.words))
        assert len(self.log) < LOG_SIZE
        native._game.write(native.layout.columns[LOG].address, encoded(self.log, 0))
        return native.call(function)

    def _luck(self, *args: object) -> int:
        value = super()._luck(*args)
        self.log += (value, 0, 0)
        return value

    def _answer(self, site: flat.Site, seat: int, _: int, *args: object) -> int:
        at = len(self.log)
        number = super()._answer(site, seat, _, *args)
        if len(self.log) == at:
            self.log += (0, 0, 0)
        return number

    def _give(self, site: flat.Site, given: Given) -> int:
        info = site.answers[given.number - 1] if given.number else None
        sets = [pick.register[0] == "set" for pick in info.picks] if info is not None else []
        self.log += numbers_of(given, sets)
        BothEngines.answers += 1
        return super()._give(site, given)


@pytest.mark.parametrize("name", [*api.variants(), *LIBRARY.mods()])
def test_scenarios_leave_the_same_state_on_both_engines(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(suite.OPTIONS, trace=False, coverage=False)
    monkeypatch.setattr(suite, "OPTIONS", options)
    monkeypatch.setattr(suite, "GroupRunner", BothEngines)
    monkeypatch.setattr(suite, "_count", lambda *_: None)
    BothEngines.parts = BothEngines.answers = 0
    bag = Bag()
    report = suite.run_scenarios(LIBRARY, name, bag)
    assert not bag.has_errors
    assert report.results
    assert all(result.failure is None for result in report.results)
    assert BothEngines.parts >= 2 * len(report.results)
    assert BothEngines.answers > 0 or name in LIBRARY.mods()
