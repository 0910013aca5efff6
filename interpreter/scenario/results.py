"""What comes out of running scenarios, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl.source import Span
from interpreter.session.trace import TraceLine

MOST_TRACED = 40


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a scenario failed. `got`: what was compared, and what it was; `answers`: what would have
    been legal; `trace`: what led there, rule by rule; `notes`: what may explain it; `is_mistake`:
    it could not be run, and the mistakes are told by themselves."""

    message: str
    span: Span | None = None
    expected: str | None = None
    got: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()
    trace: tuple[TraceLine, ...] = ()
    notes: tuple[str, ...] = ()
    is_mistake: bool = False


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario. `variant` and `mods`: under which rules it ran; no `failure`: it passed. `ran`:
    the rules and options that ran in it, where coverage was asked for."""

    title: str
    variant: str
    mods: tuple[str, ...]
    span: Span
    given: str
    failure: Failure | None = None
    ran: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether all that was expected came true."""
        return self.failure is None

    @property
    def place(self) -> str:
        """Where it is written: `variants/classic/scenarios/classic.rules:12`."""
        return place_of(self.span)

    @property
    def under(self) -> str:
        """The rules it ran under: `classic with snake_eyes`."""
        return f"{self.variant} with {', '.join(self.mods)}" if self.mods else self.variant

    def text(self, also: Sequence[ScenarioResult] = ()) -> str:
        """All of it for people: title and place, and of a failing one given, expected, got and
        the rules that led there. `also`: the same under other rules, which are only named."""
        under = f" ({self.under})" if self.mods else ""
        head = f"{'passed' if self.passed else 'FAILED'}: {self.title}{under}\n  {self.place}"
        if also:
            head += f"\n  likewise: {'; '.join(each.under for each in also)}"
        return head if self.failure is None else "\n".join([head, *_told(self, self.failure)])

    def is_like(self, other: ScenarioResult) -> bool:
        """Whether it is the same scenario with the same outcome, under other rules."""
        if self.place != other.place or (self.failure is None) != (other.failure is None):
            return False
        mine, others = self.failure, other.failure
        if mine is None or others is None:
            return True
        return (mine.message, mine.expected) == (others.message, others.expected)


@dataclass(frozen=True, slots=True)
class NeverRan:
    """Something that no scenario has run: a rule, an option, an answer or a thing that is drawn."""

    what: str
    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the rules all scenarios together have run."""

    ran: int
    never: tuple[NeverRan, ...]

    @property
    def total(self) -> int:
        """How many things could have run."""
        return self.ran + len(self.never)


@dataclass(slots=True)
class ScenarioReport:
    """All scenarios that were run, in the order of their files."""

    results: list[ScenarioResult] = field(default_factory=list)
    coverage: Coverage | None = None

    @property
    def passed(self) -> bool:
        """Whether none has failed."""
        return all(result.passed for result in self.results)


def place_of(span: Span) -> str:
    """File and line."""
    line, _ = span.source.position(span.start)
    return f"{span.source.name}:{line}"


def _told(result: ScenarioResult, failure: Failure) -> list[str]:
    lines = [f"  {failure.message}"]
    if failure.span is not None:
        lines[0] += f"  ({place_of(failure.span)})"
    if result.given:
        lines.append("  given:")
        lines += [f"    {line}" for line in result.given.splitlines()]
    if failure.expected is not None:
        lines.append(f"  expected: {failure.expected}")
    if failure.got:
        lines.append("  got:")
        lines += [f"    {text} = {value}" for text, value in failure.got]
    lines += [f"  note: {note}" for note in failure.notes]
    if failure.answers:
        lines.append("  legal answers:")
        lines += [f"    {answer}" for answer in failure.answers]
    if failure.trace:
        lines.append("  what led there:")
        trace = failure.trace[-MOST_TRACED:]
        if len(trace) < len(failure.trace):
            lines.append(f"    ... {len(failure.trace) - len(trace)} lines before")
        lines += [f"    {line.place}  {line.text}" for line in trace]
    return lines
