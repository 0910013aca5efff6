"""What was noticed of the changes, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from interpreter.mutants.change import Mutant

Outcome = Literal["noticed", "unnoticed", "refused", "same program", "same games"]

ASIDE: dict[Outcome, str] = {
    "refused": "the checker refuses them",
    "same program": "what is played stays the same under all switches that scenarios set",
    "same games": "bots come by the place and play the same games",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant and what became of it. `by`: the scenario that noticed it, or the code of the error
    with which it is refused."""

    mutant: Mutant
    outcome: Outcome
    by: str = ""


@dataclass(slots=True)
class MutantReport:
    """All mutants that were judged, of `total` that can be made."""

    name: str | Path
    seed: int
    total: int
    judged: list[Judged] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """How many are noticed or not; the others are set aside."""
        return sum(one.outcome not in ASIDE for one in self.judged)

    @property
    def unnoticed(self) -> list[Judged]:
        """Those that no scenario noticed, in the order of the files."""
        found = [one for one in self.judged if one.outcome == "unnoticed"]
        return sorted(found, key=lambda one: (one.mutant.file, one.mutant.span.start))

    @property
    def share(self) -> float:
        """The share of those that count that some scenario noticed, from 0 to 1."""
        counted = self.counted
        return (counted - len(self.unnoticed)) / counted if counted else 1.0

    def files(self) -> dict[str, tuple[int, int]]:
        """By file: how many were noticed, and how many count."""
        found: dict[str, tuple[int, int]] = {}
        for one in sorted(self.judged, key=lambda one: one.mutant.file):
            if one.outcome not in ASIDE:
                noticed, counted = found.get(one.mutant.file, (0, 0))
                is_noticed = one.outcome == "noticed"
                found[one.mutant.file] = (noticed + is_noticed, counted + 1)
        return found

    def aside(self) -> dict[Outcome, int]:
        """How many were set aside, by reason."""
        return {
            reason: sum(one.outcome == reason for one in self.judged)
            for reason in ASIDE
            if any(one.outcome == reason for one in self.judged)
        }


def as_text(report: MutantReport) -> Iterator[str]:
    """The report in lines, with what went unnoticed one by one."""
    noticed = report.counted - len(report.unnoticed)
    yield (
        f"{report.name}: {noticed} of {report.counted} changes noticed "
        f"({_percent(report.share)}); {report.total:,} can be made, seed {report.seed}"
    )
    files = report.files()
    width = max((len(name) for name in files), default=0)
    for name, (found, counted) in files.items():
        yield f"  {name:{width}}  {found:>3} of {counted:>3}  {_percent(found / counted):>7}"
    for reason, count in report.aside().items():
        yield f"  set aside: {count}, {ASIDE[reason]}"
    for one in report.unnoticed:
        yield ""
        yield from _told(one.mutant)


def _told(mutant: Mutant) -> Iterator[str]:
    yield f"not noticed: {mutant.what}, in {mutant.owner}"
    yield f"  {mutant.file}:{mutant.line}"
    yield f"  was: {mutant.before}" if mutant.before else "  was: (nothing)"
    yield f"  now: {mutant.after}" if mutant.after else "  now: (nothing)"
    if mutant.sketch:
        yield f"  a scenario would notice: {'; '.join(mutant.sketch)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def as_json(reports: Iterable[MutantReport]) -> list[dict[str, object]]:
    """The reports as plain values."""
    return [
        {
            "name": str(report.name),
            "seed": report.seed,
            "total": report.total,
            "counted": report.counted,
            "noticed": report.counted - len(report.unnoticed),
            "share": round(report.share, 4),
            "files": [
                {"file": name, "noticed": noticed, "counted": counted}
                for name, (noticed, counted) in report.files().items()
            ],
            "mutants": [_plain(one) for one in report.judged],
        }
        for report in reports
    ]


def _plain(one: Judged) -> dict[str, object]:
    mutant = one.mutant
    return {
        "file": mutant.file,
        "line": mutant.line,
        "owner": mutant.owner,
        "what": mutant.what,
        "before": mutant.before,
        "after": mutant.after,
        "outcome": one.outcome,
        "by": one.by,
        "reason": ASIDE.get(one.outcome, ""),
        "sketch": list(mutant.sketch),
    }
