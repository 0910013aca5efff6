"""Files that can be made again, kept in the user's cache folder.

Each file carries a hash of its name and content, so one that is damaged or was another counts as
missing; it is written under another name and renamed, so a half-written one is never seen, and two
processes may write the same. A folder that cannot be used costs time, not correctness.

The hash keeps out damage, not people, and what is kept is code that will run. So a folder or file
that somebody else owns or can write to is not used.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

_HASH_BYTES = 32
FOLDER_VARIABLE = "RULEWRIGHT_CACHE"
OFF = "off"
"""What the variable says where nothing shall be kept."""


def cache_folder() -> Path:
    """The folder for cached files: `RULEWRIGHT_CACHE`, or the usual place of this system.

    Raises OSError where nothing shall be kept.
    """
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen == OFF:
        raise FileNotFoundError(f"{FOLDER_VARIABLE} is {OFF}")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rulewright"


def distrusted_folder() -> Path | None:
    """The cache folder, if it is there and not used because it is not in our hands alone."""
    try:
        folder = cache_folder()
        return None if _is_ours(folder.stat()) else folder
    except (OSError, RuntimeError):
        return None


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody else owns it or can write to it; where there are such owners."""
    if os.name != "posix":
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid == os.geteuid() and not found.st_mode & others


def read_cached(name: str) -> bytes | None:
    """What was stored under this name, or None if it is missing, damaged or not ours alone."""
    if distrusted_folder() is not None:
        return None
    try:
        with (cache_folder() / name).open("rb") as file:
            data = file.read() if _is_ours(os.fstat(file.fileno())) else b""
    except (OSError, RuntimeError):
        return None
    content = data[_HASH_BYTES:]
    return content if data[:_HASH_BYTES] == _seal(name, content) else None


def write_cached(name: str, content: bytes) -> None:
    """Stores content under this name, if the folder lets us."""
    try:
        folder = cache_folder()
        if distrusted_folder() is not None:
            return
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        temporary = folder / f".new-{os.urandom(8).hex()}"
        try:
            temporary.touch(mode=0o600, exist_ok=False)
            with temporary.open("wb") as file:
                file.write(_seal(name, content) + content)
            temporary.replace(folder / name)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, RuntimeError):
        return


def _seal(name: str, content: bytes) -> bytes:
    digest = hashlib.sha256(f"{name}\0".encode())
    digest.update(content)
    return digest.digest()


def text_key(text: str, *more: str) -> str:
    """A name for what is made from a text: the hash of it and of whatever else matters."""
    return hashlib.sha256("\0".join((*more, text)).encode(errors="surrogatepass")).hexdigest()
