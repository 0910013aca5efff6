"""A game without people at the terminal: watched turn by turn, as fast as somebody likes."""

from __future__ import annotations

from interpreter.cli.files import write_named
from interpreter.cli.screen import Screen, read_line
from interpreter.session.game import Game

HELP = (
    ("Enter", "watch.help.enter"),
    ("help.a_number", "watch.help.number"),
    ("command.end", "watch.help.end"),
    ("command.board", "play.help.board"),
    ("command.log", "watch.help.log"),
    ("command.save", "watch.help.save"),
    ("command.help", "play.help.help"),
    ("command.quit", "play.help.quit"),
)
LEAVING = ("quit", "exit", "q")
"""What ends a game at the terminal, whoever is asked."""


class Watching:
    """A game among bots. Who watches sees all that happens, and the table as the first seat does.

    At the end of the input the rest is played at once; with a speed all of it goes by itself.
    """

    def __init__(self, game: Game, screen: Screen) -> None:
        self.game = game
        self.screen = screen
        self.word = screen.describer.values.word

    def run(self) -> bool:
        """Plays until the game is over, or until somebody has had enough: then False."""
        if self.screen.pace.seconds:
            self._draw()
            while not self.game.is_over:
                self._play(1)
                self.screen.pace.wait()
            return True
        self.screen.say(self.word("watch.hello"))
        self._draw()
        while not self.game.is_over:
            text = read_line()
            if text in (*LEAVING, self.word("command.quit")):
                return False
            if text is None or text in ("end", self.word("command.end")):
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
            self.screen.turns(self.game.turns(None, self.game.phases - 1), waits=False)

    def _command(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        is_all = rest in ("all", self.word("command.all"))
        if word in ("board", self.word("command.board")):
            self._draw()
        elif word in ("log", self.word("command.log")) and (not rest or is_all):
            since = max(0, self.game.phases - 1)
            self.screen.turns(self.game.turns(None, since, details=is_all), waits=False)
        elif word in ("save", self.word("command.save")) and rest:
            self._save(rest)
        else:
            if word not in ("help", "?", self.word("command.help")):
                self.screen.say(f"  {self.word('watch.unknown', text=text)}")
            self.screen.pairs(
                [(key if "." not in key else self.word(key), self.word(said)) for key, said in HELP]
            )

    def _save(self, file: str) -> None:
        try:
            write_named(file, self.game.save())
            self.screen.say(f"  {self.word('play.saved', file=file)}")
        except OSError as error:
            reason = str(error.strerror)
            self.screen.say(f"  {self.word('play.cant_write', file=file, reason=reason)}")

    def _draw(self) -> None:
        self.screen.table(self.game.view(0))
