"""A game without people at the terminal: watched turn by turn, as fast as somebody likes."""

from __future__ import annotations

import sys

import click

from interpreter.cli.files import write_named
from interpreter.cli.table import Table
from interpreter.session.game import Game

HELP = """\
  Enter         plays the next turn
  a number      plays so many turns
  end           plays to the end
  board         shows the table
  log           tells again what happened in the last turn; `log all` every field too
  save FILE     writes the game to a file; go on with `--load FILE`, with whom you like on the seats
  help          shows this
  quit          ends without saving; also `exit`, or `q`"""

LEAVING = ("quit", "exit", "q")
"""What ends a game at the terminal, whoever is asked."""


class Watching:
    """A game among bots. Who watches sees all that happens, and the table as the first seat does.

    At the end of the input the rest is played at once.
    """

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table

    def run(self) -> bool:
        """Plays until the game is over, or until somebody has had enough: then False."""
        click.echo(
            "Nobody has to be asked. Enter plays a turn; `end`, `help` and more can be typed."
        )
        self._draw()
        while not self.game.is_over:
            text = _read()
            if text in LEAVING:
                return False
            if text is None or text == "end":
                self._play_to_the_end()
            elif text == "" or text.isdecimal():
                self._play(int(text[:6] or 1))
            else:
                self._command(text)
        return True

    def _play_to_the_end(self) -> None:
        while not self.game.is_over:
            self.game.play_phase()

    def _play(self, turns: int) -> None:
        start = self.game.phases
        while not self.game.is_over and self.game.phases < start + turns:
            self.game.play_phase()
            for line in self.game.log(None, self.game.phases - 1):
                click.echo(f"  {line}")

    def _command(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word == "board":
            self._draw()
        elif word == "log" and rest in ("", "all"):
            for line in self.game.log(None, max(0, self.game.phases - 1), details=rest == "all"):
                click.echo(f"  {line}")
        elif word == "save" and rest:
            try:
                write_named(rest, self.game.save())
                click.echo(f"  Saved to {rest}.")
            except OSError as error:
                click.echo(f"  `{rest}` can't be written: {error.strerror}")
        else:
            if word not in ("help", "?"):
                click.echo(f"  `{text}` can't be typed here.")
            click.echo(HELP)

    def _draw(self) -> None:
        click.echo()
        click.echo(self.table.draw(self.game.view(0)))


def _read() -> str | None:
    """A line without the blanks around it; None at the end of the input."""
    click.echo("> ", nl=False)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        click.echo()
        return None
    if not sys.stdin.isatty():
        click.echo(line.rstrip("\n"))
    return " ".join(line.split())
