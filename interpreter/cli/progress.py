"""A line on stderr that shows how far a run is; nothing where nobody looks. It needs no thread, so
that worker processes can be started safely."""

from __future__ import annotations

import sys
import time

WIDTH = 30
EVERY_SECONDS = 0.1
AFTER_SECONDS = 0.5


class Progress:
    """`[#####.....] 420 of 1,000 games, 3 s left`: while it is open, and gone after that."""

    def __init__(self, total: int, what: str = "games", *, is_quiet: bool = False) -> None:
        self._total = total
        self._what = what
        self._start = self._last = time.perf_counter()
        self._is_shown = False
        self._is_seen = sys.stderr.isatty() and not is_quiet

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def advance(self, done: int) -> None:
        """Shows that so many are done."""
        now = time.perf_counter()
        if (
            not self._is_seen
            or now - self._last < EVERY_SECONDS
            or now - self._start < AFTER_SECONDS
        ):
            return
        self._last, self._is_shown = now, True
        filled = WIDTH * done // self._total
        left = (now - self._start) * (self._total - done) / max(done, 1)
        bar = "#" * filled + "." * (WIDTH - filled)
        counts = f"{done:,} of {self._total:,} {self._what}"
        sys.stderr.write(f"\r[{bar}] {counts}, {left:,.0f} s left\x1b[K")
        sys.stderr.flush()
