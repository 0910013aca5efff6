"""Prints a digest of what the bundled variants and mods are compiled to, as Python and WebAssembly.

For changes of the compiler that should change no program: run it before and after, and compare.

    python tests/games/printed_digests.py > before.txt
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from game_rigs import EDITIONS, FITTING, OPTIONS, PLAYERS, Setup, checked

from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.flat.context.options import APART
from interpreter.flat.lower import lower_program
from interpreter.session.modules import FLAVOURS


def setups() -> Iterator[Setup]:
    """Every variant for the fewest and the most, all its mods, one by one and stacked, and its
    editions."""
    for variant, players in PLAYERS.items():
        yield Setup(variant, players[0])
        yield Setup(variant, players[-1])
        mods = FITTING.get(variant, ())
        yield from (Setup(variant, 4, (mod,)) for mod in mods)
        if mods:
            yield Setup(variant, 3, mods)
    yield from (Setup("deal", 3, profile=profile) for profile in EDITIONS)


def main() -> None:
    """A line for each set-up: as playtests play it on both engines, for sessions, and traced."""
    for setup in setups():
        program = checked(setup)
        playtest = lower_program(program, OPTIONS)
        texts = [print_python(playtest), print_wat(playtest, batch=True)]
        hosted = (
            FLAVOURS["play"],
            FLAVOURS["stepped"],
            replace(FLAVOURS["scenarios"], without=APART),
        )
        texts += [print_python(lower_program(program, options)) for options in hosted]
        print(setup, *(sha256(text.encode()).hexdigest()[:12] for text in texts), flush=True)


if __name__ == "__main__":
    main()
