"""As much of a TextMate grammar's engine as ours needs: matches, captures, and pairs of begin and
end with patterns inside. Lines are read one by one, as editors do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Rule = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """A pair that is open: its rule, and the scopes in it."""

    rule: Rule
    scopes: tuple[str, ...]


class Grammar:
    """A grammar that was read."""

    def __init__(self, grammar: Rule) -> None:
        self.grammar = grammar
        self.root = (grammar["scopeName"],)

    def lines(self, text: str) -> Iterator[list[tuple[str, tuple[str, ...]]]]:
        """For each line its pieces with their scopes."""
        stack = [Frame(self.grammar, self.root)]
        for line in text.split("\n"):
            yield list(self._line(line, stack))

    def _line(self, line: str, stack: list[Frame]) -> Iterator[tuple[str, tuple[str, ...]]]:
        at = 0
        while at <= len(line):
            frame = stack[-1]
            found = self._next(line, at, frame, is_open=len(stack) > 1)
            if found is None:
                break
            match, rule = found
            if match.start() > at:
                yield line[at : match.start()], frame.scopes
            if rule is None:
                yield from self._captured(match, frame.rule.get("endCaptures", {}), frame.scopes)
                stack.pop()
            elif "begin" in rule:
                scopes = frame.scopes + ((rule["name"],) if "name" in rule else ())
                yield from self._captured(match, rule.get("beginCaptures", {}), scopes)
                stack.append(Frame(rule, scopes))
            else:
                scopes = frame.scopes + ((rule["name"],) if "name" in rule else ())
                yield from self._captured(match, rule.get("captures", {}), scopes)
            if match.end() == at and rule is not None and "begin" not in rule:
                at += 1
            else:
                at = match.end()
            if match.end() == len(line) and (rule is not None or len(stack) == 1):
                break
        if at < len(line):
            yield line[at:], stack[-1].scopes

    def _next(
        self, line: str, at: int, frame: Frame, *, is_open: bool
    ) -> tuple[re.Match[str], Rule | None] | None:
        best: tuple[re.Match[str], Rule | None] | None = None
        if is_open:
            end = re.compile(frame.rule["end"]).search(line, at)
            best = (end, None) if end is not None else None
        for rule in self._patterns(frame.rule.get("patterns", [])):
            found = re.compile(rule.get("match") or rule["begin"]).search(line, at)
            if found is not None and (best is None or found.start() < best[0].start()):
                best = (found, rule)
        return best

    def _patterns(self, rules: list[Rule]) -> Iterator[Rule]:
        for rule in rules:
            if "include" in rule:
                inner = self.grammar["repository"][rule["include"].removeprefix("#")]
                is_rule = "match" in inner or "begin" in inner
                yield from self._patterns([inner] if is_rule else inner["patterns"])
            elif "match" in rule or "begin" in rule:
                yield rule
            else:
                yield from self._patterns(rule["patterns"])

    def _captured(
        self, match: re.Match[str], captures: Rule, scopes: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        at = match.start()
        for number in sorted(captures, key=int):
            start, end = match.span(int(number))
            if start < at:
                continue
            if start > at:
                yield match.string[at:start], scopes
            yield match.string[start:end], (*scopes, captures[number]["name"])
            at = end
        if match.end() > at:
            yield match.string[at : match.end()], scopes
