"""Under which names compiled variants are kept: what makes one out of date is in its name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from dsl.kept import source_digest
from dsl.project.find import folder_at, is_directory, is_path, typed_path
from interpreter.session.request import Request

_PACKAGES = (Path(__file__).resolve().parents[2] / "dsl", Path(__file__).resolve().parents[1])


@cache
def compiler_digest() -> str:
    """The hash of Rulewright's own source: every Python file, grammar and table."""
    return source_digest(*_PACKAGES)


def cache_key(*parts: str) -> str:
    """A file name for something that the parts and this version of Rulewright decide."""
    digest = hashlib.sha256(compiler_digest().encode())
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode(errors="surrogatepass"))
    return digest.hexdigest()


# ---------------------------------------------------------------- files that went in


def stamps_of(folders: Iterable[Path]) -> dict[str, str]:
    """The files in some folders, by path, with the hashes of what is in them."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in _files(folder):
            try:
                content = path.read_bytes()
            except OSError:
                continue
            found[str(path)] = hashlib.sha256(content).hexdigest()
    return found


def _files(folder: Path) -> list[Path]:
    """The texts a variant, a mod or a library module can consist of."""
    endings = (".yaml", ".yml", ".rules")
    try:
        return sorted(
            path for path in folder.rglob("*") if path.suffix in endings and path.is_file()
        )
    except OSError:
        return []


def request_key(request: Request) -> str:
    """A file name for what is made for a request: a hash of all that it depends on."""
    library = request.library
    folders = [library.std]
    for path in (request.name_or_path, *request.mods):
        if isinstance(path, Path) or is_path(str(path)) or is_directory(Path(path)):
            folder = folder_at(typed_path(str(path)))
            if folder is not None:
                folders.append(folder.path)
                library = library.beside(folder)
    folders += [path / "std" for path in library.search_paths]
    folders += [folder.path for folder in library.variants().values()]
    folders += [folder.path for folder in library.mods().values()]
    stamps = stamps_of(dict.fromkeys(folder.absolute() for folder in folders))
    texts = hashlib.sha256()
    for path_text, stamp in sorted(stamps.items()):
        texts.update(f"{path_text}\0{stamp}\0".encode(errors="surrogatepass"))
    return cache_key(
        str(request.name_or_path),
        str(Path.cwd()),
        repr(request.usual if request.players is None else (request.players,)),
        repr([str(mod) for mod in request.mods]),
        repr(sorted(request.switches.items())),
        repr(request.profile),
        request.language,
        texts.hexdigest(),
    )
