"""The command that plays one game again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dsl.project.find import Folder, is_path
from interpreter.bundled import variants_dir
from interpreter.session.compile import CompiledGame
from interpreter.session.request import Request


def play_command(compiled: CompiledGame, seats: Sequence[str], seed: int, game: int) -> str:
    """What has to be typed to play game number `game` of a seed once more, among these players."""
    request = compiled.request
    which = _program_words(compiled) if request is None else request_words(request)
    words = ["rulewright", "play", *which, "--players", str(len(seats))]
    words += ["--seats", ",".join(seats), "--seed", str(seed)]
    return shlex.join([*words, "--game", str(game)] if game else words)


def shake_command(request: Request, seats: Sequence[str], seed: int, game: int) -> str:
    """What has to be typed to play just this game on both engines."""
    words = ["rulewright", "playtest", *request_words(request), "--players", str(request.players)]
    words += ["--shake", "--seed", str(seed), "--game", str(game)]
    return shlex.join([*words, "--bots", ",".join(seats)] if seats else words)


def _program_words(compiled: CompiledGame) -> list[str]:
    program = compiled.program
    return [program.variant, *_laid_over(program.mods, None, program.switches)]


def request_words(request: Request) -> list[str]:
    """The words that say which variant is meant, and what is laid over it."""
    library = request.library
    mods = [_named(mod, library.mods()) for mod in request.mods]
    name = _named(request.name_or_path, library.variants())
    return [name, *_laid_over(mods, request.profile, tuple(request.switches.items()))]


def _laid_over(
    mods: Sequence[str], profile: str | None, switches: Sequence[tuple[str, str]]
) -> Iterator[str]:
    if mods:
        yield from ("--with", ",".join(mods))
    if profile is not None:
        yield from ("--profile", profile)
    for name, value in switches:
        yield from ("--set", f"{name}={value}")


def _named(name: str | Path, folders: Mapping[str, Folder]) -> str:
    """A name, if it is known everywhere, else the folder."""
    folder = None if is_path(str(name)) else folders.get(str(name))
    if folder is None or variants_dir() in folder.path.parents:
        return str(name)
    return str(folder.path)
