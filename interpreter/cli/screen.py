"""What a person at a terminal is shown: drawn where it is one, else in plain lines."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from interpreter.cli.plain import PlainScreen, numbered
from interpreter.session.speaking import Shown
from interpreter.session.view import View
from interpreter.table.describe import Describer

if TYPE_CHECKING:
    from rich.console import Console

MOST_NEWS = 40
MOST_CARDS = 12

STEP = "step"


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast what others do is shown: at once, a turn in so many seconds, or turn by turn when
    somebody presses Enter (`is_stepped`)."""

    seconds: float = 0
    is_stepped: bool = False

    def wait(self) -> None:
        """Waits between two turns."""
        if self.is_stepped:
            click.echo("  (Enter) ", nl=False)
            sys.stdout.flush()
            sys.stdin.readline()
            if not sys.stdin.isatty():
                click.echo()
        elif self.seconds:
            sys.stdout.flush()
            time.sleep(self.seconds)


class Screen:
    """Shows a game. `is_drawn`: with boxes and colours, in so many columns."""

    def __init__(
        self, describer: Describer, width: int, *, is_drawn: bool = False, pace: Pace | None = None
    ) -> None:
        self.describer = describer
        self.is_drawn = is_drawn
        self.width = width
        self.pace = pace or Pace()
        self._plain = PlainScreen(describer, width)

    def say(self, text: str = "") -> None:
        """A line."""
        click.echo(text)

    def table(self, view: View) -> None:
        """The whole table as a seat sees it."""
        scene = self.describer.scene(view)
        click.echo()
        if not self.is_drawn:
            click.echo(self._plain.table(scene))
            return
        from interpreter.cli.drawing import Drawing

        console = self._console()
        console.print(Drawing(self.describer, console).table(scene))

    def at_stake(self, view: View, shown: Sequence[Shown]) -> None:
        """What a question is about: things as cards, all else in words."""
        for each in shown:
            if each.kind is None or self._is_player(each.kind):
                click.echo(f"  {each.label}: {each.text}")
                continue
            cards = [self.describer.card(view, each.kind, id_) for id_ in each.ids[:MOST_CARDS]]
            if self.is_drawn:
                from interpreter.cli.drawing import Drawing

                console = self._console()
                console.print(Drawing(self.describer, console).cards(each.label, cards))
            else:
                for line in self._plain.cards(each.label, cards):
                    click.echo(line)

    def _is_player(self, kind: str) -> bool:
        program = self.describer.program
        return program.kinds[kind].family == self.describer.player.family

    def turns(self, turns: Sequence[Sequence[str]], *, waits: bool = True) -> None:
        """What happened, turn by turn; of very much only the end."""
        told = [turn for turn in turns if turn]
        left_out = max(0, sum(map(len, told)) - MOST_NEWS) if not self._is_paced else 0
        if left_out:
            word = self.describer.values.word("table.lines_before", count=str(left_out))
            click.echo(f"  ... {word}")
        for number, turn in enumerate(told):
            lines = turn[min(left_out, len(turn)) :]
            left_out -= min(left_out, len(turn))
            for line in lines:
                self._line(line)
            if waits and self._is_paced and number < len(told) - 1:
                self.pace.wait()

    @property
    def _is_paced(self) -> bool:
        return self.pace.is_stepped or self.pace.seconds > 0

    def _line(self, line: str) -> None:
        if self.is_drawn and not line.startswith(" "):
            click.echo("  " + click.style(line, bold=True))
        else:
            click.echo(f"  {line}")

    def question(self, headline: str, lines: Sequence[str]) -> None:
        """A question with its numbered answers."""
        click.echo()
        click.echo(click.style(headline, bold=True) if self.is_drawn else headline)
        self.numbered(lines)

    def numbered(self, lines: Sequence[str]) -> None:
        """Lines with numbers from 1."""
        if lines:
            click.echo(numbered(lines))

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """What can be typed, and what it does."""
        width = max(len(first) for first, _ in pairs) + 3
        for first, second in pairs:
            lines = textwrap.wrap(second, max(20, self.width - width - 2))
            click.echo(f"  {first:<{width}}{lines[0]}")
            for line in lines[1:]:
                click.echo(f"  {'':<{width}}{line}")

    def hide(self) -> None:
        """Takes away what the last player saw, before the next one looks."""
        if self.is_drawn:
            click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)
        else:
            click.echo("\n" * 3)

    def _console(self) -> Console:
        from rich.console import Console

        return Console(file=sys.stdout, width=self.width, highlight=False)


def read_line() -> str | None:
    """A line that somebody types, without the blanks around it; None at the end of the input. What
    comes out of a pipe is shown as if it were typed."""
    click.echo("> ", nl=False)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        click.echo()
        return None
    if not sys.stdin.isatty():
        click.echo(line.rstrip("\n"))
    return " ".join(line.split())
