"""`rulewright new`: a small complete variant or mod, to be changed from there.

The files are in `templates/`, one folder for each kind, with words such as `__name__` to be filled
in, in their names too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from dsl.check.merged import Merged
from dsl.diagnostics import Bag
from dsl.project.find import Folder, is_path, shown, typed_path
from dsl.project.load import load_merged
from dsl.syntax import nodes as syntax
from interpreter.cli.completing import complete_variants
from interpreter.cli.defaults import named_folder
from interpreter.cli.files import write_named
from interpreter.cli.games import stop_on_errors, the_library
from interpreter.cli.options import listed
from interpreter.cli.telling import tell

TEMPLATES = Path(__file__).with_name("templates")
D = TypeVar("D", bound=syntax.Decl)
NAME = re.compile(r"[a-z][a-z0-9_]*")
PLAYERS = ("Red", "Blue", "Green", "Yellow")
MOST_PLAYERS = 16


@dataclass(frozen=True, slots=True)
class _Parent:
    """The variant that a new one extends, or that a new mod is for."""

    folder: Folder
    merged: Merged

    def of(self, kind: type[D]) -> list[D]:
        """Its declarations of a kind, the library's and those of its parents too."""
        decls = (ranked.decl for ranked in self.merged.declarations)
        return [decl for decl in decls if isinstance(decl, kind)]

    def strategy(self) -> dict[str, str]:
        """The words of a strategy to begin with, and what it answers to one question."""
        for strategy in self.of(syntax.Strategy):
            blocks = [each.span.text.rstrip() for each in strategy.parts]
            if blocks:
                return {"strategy": strategy.name.text, "answers": min(blocks, key=len)}
        return {}


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--from",
    "extended",
    metavar="VARIANT",
    shell_complete=complete_variants,
    help="Make a variant that has all of another one, and changes it.",
)
@click.option(
    "--mod-for",
    "host",
    metavar="VARIANT",
    shell_complete=complete_variants,
    help="Make a mod, which is laid over a variant, in a folder `mods`.",
)
@click.option("--empty", is_flag=True, help="Make the smallest variant that can be played.")
@click.option("--title", metavar="TEXT", help="The name that people see. [default: from NAME]")
@click.option(
    "--players",
    metavar="NAME,...",
    help=f"What the players are called, two at least. [default: {', '.join(PLAYERS)}]",
)
def new_command(
    name: str,
    extended: str | None,
    host: str | None,
    empty: bool,
    title: str | None,
    players: str | None,
) -> None:
    """Make a small complete variant or mod, with a worked example and a strategy: it can be
    checked, tested, played and playtested at once.

    NAME is the name of the folder, in this folder or at a path. Nothing that is there is changed.
    """
    kinds = {"child": extended is not None, "mod": host is not None, "empty": empty}
    asked = [kind for kind, is_asked in kinds.items() if is_asked]
    if len(asked) > 1:
        raise click.UsageError("Only one of --from, --mod-for and --empty can be given.")
    kind = asked[0] if asked else "variant"
    target = _target(name, is_mod=kind == "mod")
    shown_title = " ".join((title or target.name.replace("_", " ").capitalize()).split())
    words = {"name": target.name, "title": _quotable(shown_title)}
    if kind in ("child", "mod"):
        if players is not None:
            raise click.UsageError("The players are those of the other variant: no --players.")
        parent = _parent(extended or host or "", target)
        words |= _words_of(parent, target)
    else:
        words |= _words_for(listed(players) if players is not None else PLAYERS)
    written = list(_write(TEMPLATES / kind, target, words))
    for path in written:
        tell(f"wrote {shown(path)}")
    _tell_next(target, host)


# ---------------------------------------------------------------- where


def _target(word: str, *, is_mod: bool) -> Path:
    """The folder to be made."""
    path = typed_path(word)
    if not NAME.fullmatch(path.name):
        near = re.sub(r"\W+", "_", path.name.lower()).strip("_0123456789")
        better = f"; did you mean `{near}`?" if NAME.fullmatch(near) else "."
        raise click.UsageError(
            f"`{path.name}` can't be its name: a name has small letters, digits and `_`, with a "
            f"letter first{better}"
        )
    library = the_library()
    if path.name in library.variants() or path.name in library.mods():
        raise click.UsageError(f"`{path.name}` is the name of one that comes along.")
    if is_mod and path.absolute().parent.name != "mods":
        path = path.parent / "mods" / path.name
    if path.exists():
        raise click.UsageError(f"`{shown(path)}` is there already.")
    return path


def _parent(word: str, target: Path) -> _Parent:
    """The variant of a name or at a path; it is looked up by its name from the new folder."""
    library = the_library()
    folder = named_folder(word, library)
    if folder is None or folder.is_mod:
        names = ", ".join(library.variants())
        raise click.UsageError(f"There is no variant `{word}`; there are {names}.")
    around = library.beside(Folder(target.name, target, is_mod=False))
    found = around.variants().get(folder.name)
    if found is None or found.path.resolve() != folder.path.resolve():
        raise click.UsageError(
            f"`{shown(target)}` must lie beside `{shown(folder.path)}` to find it."
        )
    bag = Bag()
    spoken = folder.path if is_path(word) else folder.name
    merged = load_merged(around, spoken, scenarios=False, bag=bag)
    stop_on_errors(bag)
    assert merged is not None
    return _Parent(folder, merged)


# ---------------------------------------------------------------- what is filled in


def _quotable(text: str) -> str:
    """A text as it stands between the quotes of YAML."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _words_of(parent: _Parent, target: Path) -> dict[str, str]:
    """What the templates ask of the other variant."""
    merged = parent.merged
    if all(event.signature.verb.text != "take_turn" for event in parent.of(syntax.EventDecl)):
        raise click.UsageError(
            f"`{merged.variant}` has no event `take_turn`, on which the new rule would act."
        )
    seats = [seat for seat, _ in merged.seats]
    seats = seats or [f"player_{number}" for number in range(1, merged.max_players + 1)]
    return {
        "parent": merged.variant,
        "parent_title": _quotable(merged.title),
        "folder": shown(target),
        "seat_1": seats[0],
        "seat_2": seats[1 % len(seats)],
    } | parent.strategy()


def _words_for(players: Sequence[str]) -> dict[str, str]:
    """What the templates ask of the players."""
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise click.UsageError(f"2 to {MOST_PLAYERS} players are named, not {len(players)}.")
    ids = [re.sub(r"\W+", "_", player.lower(), flags=re.ASCII).strip("_") for player in players]
    for number, each in enumerate(ids):
        if not NAME.fullmatch(each) or each in ids[:number]:
            ids[number] = f"player_{number + 1}"
    lines = [
        f'  - {{id: {each}, name: "{_quotable(player)}"}}'
        for each, player in zip(ids, players, strict=True)
    ]
    return {
        "seats": "\n".join(lines),
        "most": str(len(ids)),
        "seat_1": ids[0],
        "seat_2": ids[1],
    }


# ---------------------------------------------------------------- writing


def _write(template: Path, target: Path, words: dict[str, str]) -> Iterator[Path]:
    """Writes all files of a template, each with its words filled in."""
    for path in sorted(template.rglob("*.*")):
        if path.parent.name == "strategies" and "strategy" not in words and "seats" not in words:
            continue  # there is none to begin with
        place = target / _filled(path.relative_to(template).as_posix(), words)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_named(str(place), _filled(path.read_text(encoding="utf-8"), words))
        yield place


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"__{word}__", value)
    return text


def _tell_next(target: Path, host: str | None) -> None:
    here = shown(target)
    here = here if is_path(here) else f"./{here}"
    name = here if host is None else f"{host} --with {here}"
    tell("\nNow try:")
    for line in (f"check {here}", f"test {here}", f"play {name}", f"playtest {name}"):
        tell(f"  rulewright {line}")
