"""Reading texts from disk, and remembering what was made of them while they don't change: in memory
by the file's stamp, and in the user's cache folder by the text itself."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from dsl.cache import text_key
from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag, Diagnostic
from dsl.kept import keep, read_kept, source_digest
from dsl.project.find import shown
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax

MOST_BYTES = 4_000_000
MOST_SCRIPT = 1_000_000
"""Characters of a script, as many as of a YAML text."""

T = TypeVar("T")


@record
class _Kept:
    """What was made of a file when it had the given stamp, and what was said of it."""

    stamp: tuple[int, ...]
    source: Source
    value: object
    diagnostics: tuple[Diagnostic, ...]


@record
class _Filed:
    """A text without mistakes and what was made of it, as it is kept on disk: a Source, if it is
    ours."""

    source: object
    value: object


# What reads and makes the trees of texts: any change makes them anew.
_DSL = Path(__file__).resolve().parents[1]
_MADE_BY = tuple(
    _DSL / name
    for name in ("syntax", "data", "records.py", "source.py", "kept.py", "project/files.py")
)

_KEPT: dict[tuple[str, str, str], _Kept] = {}

# What is open in an editor, by path: it counts instead of what the file says.
_OPEN: dict[str, str] = {}


@record
class ScriptFile:
    """A rules script. Not `is_whole` after a mistake: declarations may be missing."""

    source: Source
    script: syntax.Script
    is_whole: bool


def read_script(path: Path, bag: Bag) -> ScriptFile | None:
    """A rules script. None when there is no text; mistakes in the text are in the bag."""
    read = _read("rules", path, _script, bag)
    return read[1] if read else None


def read_data(path: Path, bag: Bag, *, is_outer: bool) -> tuple[Source, DataNode | None] | None:
    """A YAML text; `is_outer`: it must have the shape of variant.yaml and mod.yaml."""
    return _read("outer" if is_outer else "yaml", path, _outer if is_outer else _data, bag)


def forget_files() -> None:
    """Read every file again when it is next asked for."""
    _KEPT.clear()


def open_text(path: Path, text: str | None) -> None:
    """From here on this is the text of a file, whatever is on disk; None: what is on disk is."""
    if text is None:
        _OPEN.pop(str(path.absolute()), None)
    else:
        _OPEN[str(path.absolute())] = text


def open_texts() -> dict[str, str]:
    """The texts that are open, by path."""
    return dict(_OPEN)


def _script(source: Source, bag: Bag) -> ScriptFile:
    from dsl.syntax.parser import parse_script

    if len(source.text) > MOST_SCRIPT:
        reason = f"it has {len(source.text):,} characters, and {MOST_SCRIPT:,} is the most"
        _report(source.name, f"{reason}; make several files of it", bag)
        source = Source(source.name, "")
    script = parse_script(source, bag)
    return ScriptFile(source, script, not bag.has_errors)


def _data(source: Source, bag: Bag) -> DataNode | None:
    from dsl.data.loader import load_yaml

    return load_yaml(source, bag)


def _outer(source: Source, bag: Bag) -> DataNode | None:
    from dsl.data.outer import check_outer

    node = _data(source, bag)
    if node is not None:
        check_outer(node, bag)
    return node


def _read(
    form: str, path: Path, make: Callable[[Source, Bag], T], bag: Bag
) -> tuple[Source, T] | None:
    name = shown(path)
    key = (form, name, str(path.absolute()))
    stamp = _stamp(path)
    kept = _KEPT.get(key)
    if kept is None or stamp is None or kept.stamp != stamp:
        source = read_text(path, name, bag)
        if source is None:
            _KEPT.pop(key, None)
            return None
        kept = _made(form, source, make, stamp or (), is_open=key[2] in _OPEN)
        _KEPT[key] = kept
    bag.extend(kept.diagnostics)
    return kept.source, kept.value  # type: ignore[return-value]


def _made(
    form: str,
    source: Source,
    make: Callable[[Source, Bag], object],
    stamp: tuple[int, ...],
    *,
    is_open: bool,
) -> _Kept:
    """What becomes of a text; where nothing is wrong with it, it is kept on disk as well, unless
    it is still being written."""
    if is_open:
        own = Bag()
        return _Kept(stamp, source, make(source, own), tuple(own))
    name = f"{text_key(source.text, form, source_digest(*_MADE_BY))}.text"
    filed = read_kept(name, _Filed)
    if filed is not None and isinstance(filed.source, Source) and _is_of(filed, form, source.text):
        object.__setattr__(filed.source, "name", source.name)
        return _Kept(stamp, filed.source, filed.value, ())
    own = Bag()
    value = make(source, own)
    if not tuple(own):
        keep(name, _Filed(source, value))
    return _Kept(stamp, source, value, tuple(own))


def _is_of(filed: _Filed, form: str, text: str) -> bool:
    """Whether what was kept was made of this text: its name says so, but who knows whose it is."""
    kinds = (ScriptFile,) if form == "rules" else (Scalar, Sequence, Mapping)
    return isinstance(filed.value, kinds) and getattr(filed.source, "text", None) == text


def _stamp(path: Path) -> tuple[int, ...] | None:
    text = _OPEN.get(str(path.absolute())) if _OPEN else None
    if text is not None:
        return len(text), hash(text)
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def read_text(path: Path, name: str, bag: Bag) -> Source | None:
    """The text of a file, or None after an error."""
    text = _OPEN.get(str(path.absolute())) if _OPEN else None
    if text is not None:
        return _decoded(text.encode(errors="surrogatepass"), name, bag)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            _report(name, "it is not a file", bag)
            return None
        if found.st_size > MOST_BYTES:
            _report(name, f"it has {found.st_size:,} bytes, which is far too much", bag)
            return None
        content = path.read_bytes()
    except FileNotFoundError:
        _report(name, "there is no such file", bag)
        return None
    except PermissionError:
        _report(name, "this user may not read it", bag)
        return None
    except (OSError, ValueError) as error:
        _report(name, f"the system says: {getattr(error, 'strerror', None) or error}", bag)
        return None
    return _decoded(content, name, bag)


def _report(name: str, reason: str, bag: Bag) -> None:
    bag.error("RW1012", Span(Source(name, ""), 0, 0), f"`{name}` can't be read: {reason}")


def _decoded(content: bytes, name: str, bag: Bag) -> Source | None:
    try:
        return Source(name, content.decode("utf-8"))
    except UnicodeDecodeError as error:
        at = len(content[: error.start].decode("utf-8"))
        source = Source(name, content.decode("utf-8", errors="replace"))
        bag.error(
            "RW1013",
            Span(source, at, at + 1),
            "this file is not UTF-8 text: the bytes here are no character",
            help="save it again with the encoding UTF-8",
        )
        return None
