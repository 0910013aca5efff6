"""The command that plays one game again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dsl.project.find import Folder, is_path
from interpreter.bundled import variants_dir
from interpreter.session.compile import CompiledGame


def play_command(compiled: CompiledGame, seats: Sequence[str], seed: int, game: int) -> str:
    """What has to be typed to play game number `game` of a seed once more, among these players."""
    words = ["rulewright", "play", *_which(compiled), "--players", str(len(seats))]
    words += ["--seats", ",".join(seats), "--seed", str(seed)]
    return shlex.join([*words, "--game", str(game)] if game else words)


def _which(compiled: CompiledGame) -> Iterator[str]:
    """The words that say which variant is meant, and what is laid over it."""
    request = compiled.request
    if request is None:
        program = compiled.program
        yield program.variant
        mods, switches = program.mods, program.switches
    else:
        library = request.library
        yield _named(request.name_or_path, library.variants())
        mods = tuple(_named(mod, library.mods()) for mod in request.mods)
        switches = tuple(request.switches.items())
    if mods:
        yield from ("--with", ",".join(mods))
    if request is not None and request.profile is not None:
        yield from ("--profile", request.profile)
    for name, value in switches:
        yield from ("--set", f"{name}={value}")


def _named(name: str | Path, folders: Mapping[str, Folder]) -> str:
    """A name, if it is known everywhere, else the folder."""
    folder = None if is_path(str(name)) else folders.get(str(name))
    if folder is None or variants_dir() in folder.path.parents:
        return str(name)
    return str(folder.path)
