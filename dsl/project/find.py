"""Where variants, mods and library modules are: by name in search paths, or by path.

A search path is a folder that holds `NAME/variant.yaml`, `NAME/mod.yaml` or `mods/NAME/mod.yaml`,
and perhaps modules of its own in `std/NAME.rules`, with what scenarios can say in
`std/sayings/NAME.rules`. Reading the files is not done here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dsl.records import record

STD = Path(__file__).resolve().parent.parent / "std"

# Beside the modules: what scenarios can say where the module of that name is used.
SAYINGS = "sayings"

VARIANT_FILE = "variant.yaml"
MOD_FILE = "mod.yaml"

# A folder that holds a variant's files, when a path to one of those files is given.
INNER = ("rules", "scenarios", "strategies", "locale")


@record
class Folder:
    """The folder of a variant or a mod; `name` is that of the folder."""

    name: str
    path: Path
    is_mod: bool

    @property
    def file(self) -> Path:
        """Its variant.yaml or mod.yaml."""
        return self.path / (MOD_FILE if self.is_mod else VARIANT_FILE)


@dataclass(frozen=True, slots=True, init=False)
class Library:
    """Variants, mods and modules by name. Of two with one name the first search path counts."""

    search_paths: tuple[Path, ...]
    std: Path

    def __init__(self, search_paths: Iterable[Path | str], std: Path = STD) -> None:
        paths = dict.fromkeys(Path(path) for path in search_paths)
        object.__setattr__(self, "search_paths", tuple(paths))
        object.__setattr__(self, "std", std)

    def variants(self) -> dict[str, Folder]:
        """All variants by name, in the order of the alphabet."""
        return self._folders(is_mod=False)

    def mods(self) -> dict[str, Folder]:
        """All mods by name, in the order of the alphabet."""
        return self._folders(is_mod=True)

    def modules(self) -> dict[str, Path]:
        """The files of the library modules by name; those of Rulewright itself come first."""
        found: dict[str, Path] = {}
        for folder in (self.std, *(path / "std" for path in self.search_paths)):
            for path in listed(folder):
                if path.suffix == ".rules" and is_file(path):
                    found.setdefault(path.stem, path)
        return dict(sorted(found.items()))

    def beside(self, folder: Folder) -> Library:
        """This library, with what lies beside a folder coming first."""
        around = folder.path.absolute().parent
        near = [around, around.parent] if around.name == "mods" else [around]
        known = {path.absolute() for path in self.search_paths}
        new = [path for path in near if path not in known]
        return Library([*new, *self.search_paths], self.std)

    def _folders(self, *, is_mod: bool) -> dict[str, Folder]:
        found: dict[str, Folder] = {}
        for folder in self._all():
            if folder.is_mod is is_mod:
                found.setdefault(folder.name, folder)
        return dict(sorted(found.items()))

    def _all(self) -> Iterator[Folder]:
        for path in self.search_paths:
            for inner in (path, path / "mods"):
                for child in listed(inner):
                    folder = _folder(child)
                    if folder is not None:
                        yield folder


def folder_at(path: Path) -> Folder | None:
    """The variant or mod at a path: its folder, or any file that belongs to it."""
    if is_file(path):
        path = path.parent
        if path.name in INNER and _folder(path) is None:
            path = path.parent
    return _folder(path)


def typed_path(text: str) -> Path:
    """A path as a person types it: `~` is the home folder, where there is one of that name."""
    try:
        return Path(text).expanduser() if text.startswith("~") else Path(text)
    except RuntimeError:
        return Path(text)


def is_path(text: str) -> bool:
    """Whether a designer's word is meant as a path, not as a name."""
    return any(sign in text for sign in "/\\.~") or text == ""


def is_directory(path: Path) -> bool:
    """Whether it is a folder; a path that can't be looked at is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether it is a file; a path that can't be looked at is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _folder(path: Path) -> Folder | None:
    for is_mod in (False, True):
        folder = Folder(path.absolute().name, path, is_mod)
        if is_file(folder.file):
            return folder
    return None


def listed(path: Path) -> list[Path]:
    """What a folder holds, by name and without hidden files; nothing if it can't be read."""
    try:
        return sorted(child for child in path.iterdir() if not child.name.startswith("."))
    except (OSError, ValueError):
        return []


def shown(path: Path, std: Path = STD) -> str:
    """A path as messages show it: from the working folder, or as `std/NAME.rules`."""
    full = path.absolute()
    try:
        return full.relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError):
        pass
    if full.parent == std:
        return f"std/{full.name}"
    return full.as_posix()
