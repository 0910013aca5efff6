"""Whole games through a real pseudo-terminal, answered as one would who takes the first line."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter import api

PROMPT = b"> "
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Terminal:
    """A program at a pseudo-terminal of 100 columns. `screen`: all that it wrote so far."""

    def __init__(self, *args: str) -> None:
        self.main, child = pty.openpty()
        command = [sys.executable, "-m", "interpreter", *args]
        env = {**os.environ, "COLUMNS": "100", "LINES": "60", "TERM": "xterm-256color"}
        env.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            command, stdin=child, stdout=child, stderr=child, env=env, close_fds=True
        )
        os.close(child)
        self.screen = b""

    def until_asked(self, seconds: float = 60) -> bool:
        """Reads until something can be typed; False at the end of the program."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self.main], [], [], 0.5)
            if not ready:
                if self.screen.endswith(PROMPT):
                    return True
                continue
            try:
                read = os.read(self.main, 65536)
            except OSError:
                return False
            if not read:
                return False
            self.screen += read
            if self.screen.endswith(PROMPT) and not select.select([self.main], [], [], 0.01)[0]:
                return True
        raise AssertionError(f"nothing was asked:\n{self.text()[-2000:]}")

    def type(self, line: str) -> None:
        os.write(self.main, line.encode() + b"\n")

    def text(self) -> str:
        return ANSI.sub("", self.screen.decode("utf-8", "replace")).replace("\r\n", "\n")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.main)


def play_out(name: str, *more: str, most: int = 400, answers: tuple[str, ...] = ("1",)) -> str:
    """A game with one person, who gives the first answer there is, or what is asked for instead."""
    seats = ",".join(["me", *[s for s in api.load_variant(name).strategies if s != "random"][:1]])
    terminal = Terminal("play", name, "--seats", seats, "--seed", "4", *more)
    try:
        for step in range(most):
            if not terminal.until_asked():
                break
            last = terminal.text().rpartition("\n> ")[0].rstrip().split("\n")[-1]
            number = re.search(r"(?:from|de) ([\d, ]+) (?:to|ĝis)", last)
            terminal.type(re.sub("[, ]", "", number[1]) if number else answers[step % len(answers)])
        else:
            terminal.type("quit")
            terminal.until_asked()
        return terminal.text()
    finally:
        terminal.close()


@pytest.mark.parametrize("name", ["deal", "jackpot"])
def test_a_game_in_a_terminal(name: str) -> None:
    text = play_out(name, most=40)
    assert "╭" in text or "┌" in text
    assert "Traceback" not in text
    assert "This is a bug" not in text


@pytest.mark.long
@pytest.mark.parametrize("name", api.variants())
def test_whole_games_in_a_terminal(name: str) -> None:
    text = play_out(name, most=600, answers=("1", "2", "1", "3"))
    assert "Traceback" not in text
    assert "This is a bug" not in text


ENGLISH = re.compile(
    r"\b(the|and|of|to|pays|gets|buys|bids|card|note|rent|owes|plays|with|bank|jail|you|is|not|or)\b",
    re.IGNORECASE,
)


@pytest.mark.long
def test_a_game_typed_in_esperanto_has_no_english_word() -> None:
    text = play_out("crooked_cash", "--language", "eo", most=300, answers=("1", "2", "3"))
    assert "Hundo" in text
    for line in text.splitlines():
        assert not ENGLISH.search(line), line


def test_a_pipe_has_plain_lines(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "interpreter", "play", "classic", "--seed", "1"],
        input="pass\nboard\nquit\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "\x1b" not in run.stdout
    assert "┌" not in run.stdout
    assert "Race Car (you): " in run.stdout
