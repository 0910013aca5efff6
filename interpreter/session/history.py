"""What has happened in a game: the log of a seat, and why, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter.session.driver import Driver
from interpreter.session.records import PhaseRecord
from interpreter.session.retrace import Retrace
from interpreter.session.trace import TraceLine


class History:
    """Runs phases again in the traced program when somebody asks, and keeps what they told."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._retrace: Retrace | None = None

    def turns(self, seat: int | None, since: int, *, details: bool = False) -> list[list[str]]:
        """What has happened from a phase on, phase by phase, as far as a seat may know it, or with
        None all of it; with details, also what the rules note down for themselves."""
        phases = [self._lines_of(record) for record in self.driver.past[since:]]
        return [
            [
                "  " * line.depth + text
                for line in lines
                if (details or not line.is_detail) and (text := _read_by(line, seat)) is not None
            ]
            for lines in [*phases, self._lines_now()]
        ]

    def since_last_answer(self, seat: int | None) -> list[TraceLine]:
        """What happened since the last answer of a person; for a seat only what it may know, and
        the rules that led to that."""
        lines = list(self._since_last_answer())
        return lines if seat is None else list(_known_to(lines, seat))

    def _since_last_answer(self) -> Iterator[TraceLine]:
        logs = [record.log for record in self.driver.past]
        logs.append(self.driver.log)
        for phase in range(len(logs) - 1, -1, -1):
            mine = [n for n, entry in enumerate(logs[phase]) if entry.by == "person"]
            if mine or phase == 0:
                start = mine[-1] + 1 if mine else 0
                first = self._lines_of_phase(phase)
                yield from (line for line in first if line.answered >= start)
                for later in range(phase + 1, len(logs)):
                    yield from self._lines_of_phase(later)
                return

    def _lines_of_phase(self, phase: int) -> list[TraceLine]:
        past = self.driver.past
        return self._lines_of(past[phase]) if phase < len(past) else self._lines_now()

    def _lines_of(self, record: PhaseRecord) -> list[TraceLine]:
        if record.lines is None:
            record.lines = self._traced().phase(record.before, record.log)
        return record.lines

    def _lines_now(self) -> list[TraceLine]:
        if self.driver.end is not None or self.driver.is_stepped:
            return []
        return self._traced().phase(self.driver.before, self.driver.log)

    def _traced(self) -> Retrace:
        if self._retrace is None:
            self._retrace = Retrace(self.driver.compiled, self.driver.values)
        return self._retrace


def _read_by(line: TraceLine, seat: int | None) -> str | None:
    """A line as a seat reads it, or who sees it all."""
    if seat is not None:
        return line.texts[seat]
    return line.text if any(text is not None for text in line.texts) else None


def _known_to(lines: list[TraceLine], seat: int) -> Iterator[TraceLine]:
    """What a seat may read, and the last rule before each of these lines that runs around it: that
    another rule has fired may tell what is hidden."""
    rule: TraceLine | None = None
    for line in lines:
        text = line.texts[seat]
        if line.kind in ("rule", "watch"):
            rule = line
        elif text is not None and not line.is_detail:
            if rule is not None and f"rule {rule.what}" in line.running:
                yield replace(rule, text=f"{rule.kind} {rule.what}")
                rule = None
            yield replace(line, text=text)
