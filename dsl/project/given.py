"""What was asked for, as one line of text, so that a message can point into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from dsl.records import mutable, record
from dsl.source import Source, Span


@record
class Given:
    """The places of all that was chosen, in a line such as a person types."""

    variant: Span
    mods: tuple[Span, ...]
    profile: Span
    language: Span
    switches: dict[str, Span]


@mutable
class _Line:
    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def add(self, before: str, word: str) -> int:
        """Write a word; the number of its place."""
        start = len(self.text) + len(before)
        self.text += before + word
        self.places.append((start, start + len(word)))
        return len(self.places) - 1


def write_given(
    variant: str,
    mods: Sequence[str],
    profile: str | None,
    language: str | None,
    switches: Mapping[str, str],
) -> Given:
    """The line for a choice; None is left out, and its place is that of the variant."""
    line = _Line()
    name = line.add("", variant)
    laid = [line.add(" --with " if number == 0 else ",", mod) for number, mod in enumerate(mods)]
    chosen = name if profile is None else line.add(" --profile ", profile)
    spoken = name if language is None else line.add(" --language ", language)
    set_ = {key: line.add(" --set ", f"{key}={value}") for key, value in switches.items()}
    source = Source("command line", line.text)
    spans = [Span(source, start, end) for start, end in line.places]
    return Given(
        spans[name],
        tuple(spans[place] for place in laid),
        spans[chosen],
        spans[spoken],
        {key: spans[place] for key, place in set_.items()},
    )
