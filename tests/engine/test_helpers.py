"""What printed Python is given: the members of sets, and draws in batches."""

from __future__ import annotations

import random

from interpreter.emit.random_words import MASK64, STREAM_ADD, STREAM_FACTOR
from interpreter.engine.helpers import Lowest, Members, next_draws, word_before


def test_members_of_sets_of_any_width() -> None:
    dice = random.Random(5)
    members, lowest = Members(), Lowest()
    for bits in (0, 1, 10, 11, 40, 64, 65, 333):
        for _ in range(60):
            some = dice.getrandbits(bits) & dice.getrandbits(bits) if bits else 0
            wanted = tuple([item for item in range(bits) if some >> item & 1])
            assert members[some] == members[some] == wanted
            assert lowest[some] == (wanted[0] if wanted else -1)


def test_memory_of_sets_is_bounded() -> None:
    members, lowest = Members(), Lowest()
    for some in range(1, 20_000):
        assert members[some << 30]
        assert lowest[some] >= 0
    assert len(members) < 10_000
    assert len(lowest) < 10_000


def test_draws_in_batches_are_those_of_the_stream() -> None:
    for n in (1, 2, 6, 1000, 1 << 31, 1 << 32):
        word = start = 0x9E3779B97F4A7C15
        after, drawn = next_draws(word, n)
        words = [start]
        for draw in reversed(drawn):
            word = (word * STREAM_FACTOR + STREAM_ADD) & MASK64
            words.append(word)
            assert draw == (word >> 32) * n >> 32
        assert after == word
        assert [word_before(after, left) for left in range(len(words))] == words[::-1]
