"""Texts that were read once: their trees are on disk, and never in the way."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl import kept
from dsl.cache import FOLDER_VARIABLE, write_cached
from dsl.diagnostics.record import Bag
from dsl.kept import keep, read_kept
from dsl.project import files
from dsl.project.files import ScriptFile, forget_files, read_data, read_script
from dsl.source import Source
from dsl.syntax.printer import format_script

TEXT = "unit coin\ndefine fee: money = 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, and nothing in memory."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    forget_files()
    yield tmp_path / "cache"
    forget_files()


def write(path: Path, text: str = TEXT) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path) -> tuple[ScriptFile, Bag]:
    """The script, as another process would read it."""
    forget_files()
    bag = Bag()
    script = read_script(path, bag)
    assert script is not None
    return script, bag


def fail(*_: object) -> None:
    raise AssertionError("read again")


def test_a_text_is_parsed_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = read(write(tmp_path / "a.rules"))
    monkeypatch.setattr("dsl.syntax.parser.parse_script", fail)
    second, bag = read(tmp_path / "a.rules")
    assert second is not first
    assert second.is_whole
    assert not tuple(bag)
    assert format_script(second.script) == format_script(first.script)
    copied, _ = read(write(tmp_path / "copy.rules"))
    spans = {copied.script.span.source, copied.script.declarations[0].span.source}
    assert spans == {copied.source}
    assert copied.source.name.endswith("copy.rules")
    assert first.source.name.endswith("a.rules")


def test_data_are_read_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "en.yaml", 'a: "b"\n')
    first = read_data(path, Bag(), is_outer=False)
    monkeypatch.setattr("dsl.data.loader.load_yaml", fail)
    forget_files()
    second = read_data(path, Bag(), is_outer=False)
    assert first is not None
    assert second is not None
    assert second[1] is not None
    assert second[1].span.text == first[0].text.strip()
    forget_files()
    with pytest.raises(AssertionError):
        read_data(write(path, 'a: "c"\n'), Bag(), is_outer=False)


def test_an_edit_is_noticed(folder: Path, tmp_path: Path) -> None:
    read(write(tmp_path / "a.rules"))
    script, _ = read(write(tmp_path / "a.rules", TEXT.replace("3", "4")))
    assert "= 4" in format_script(script.script)


def test_mistakes_are_told_each_time(folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", "unit coin coin\n")
    told = [[one.message for one in read(path)[1]] for _ in range(2)]
    assert told[0]
    assert told[0] == told[1]


def test_another_version_reads_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.rules")
    read(path)
    monkeypatch.setattr(files, "source_digest", lambda *_: "another")
    monkeypatch.setattr("dsl.syntax.parser.parse_script", fail)
    with pytest.raises(AssertionError):
        read(path)


class Foreign:
    """Would do harm when read."""

    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("raise SystemExit('harm')",))


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 500, None])
def test_damaged_files_are_made_again(folder: Path, tmp_path: Path, damage: bytes | None) -> None:
    path = write(tmp_path / "a.rules")
    read(path)
    (file,) = folder.iterdir()
    good = file.read_bytes()
    file.write_bytes(good[: len(good) // 2] if damage is None else damage)
    script, bag = read(path)
    assert not tuple(bag)
    assert script.script.declarations
    assert file.read_bytes() == good


@pytest.mark.parametrize(
    "value",
    [Foreign(), {"a": 1}, None, Bag(), files._Filed(Source("a", TEXT), Bag()), files._Filed(1, 2)],
)
def test_foreign_files_are_made_again(folder: Path, tmp_path: Path, value: object) -> None:
    path = write(tmp_path / "a.rules")
    read(path)
    (file,) = folder.iterdir()
    good = file.read_bytes()
    write_cached(file.name, pickle.dumps(value))
    script, _ = read(path)
    assert script.script.declarations
    assert file.read_bytes() == good


def test_the_tree_of_another_text_is_not_used(folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules")
    read(path)
    (file,) = folder.iterdir()
    read(write(tmp_path / "b.rules", "unit shell\n"))
    (other,) = set(folder.iterdir()) - {file}
    content = other.read_bytes()
    write_cached(file.name, content[32:])
    script, _ = read(path)
    assert len(script.script.declarations) == 2


def test_what_is_nested_too_deep_is_not_kept(folder: Path) -> None:
    deep: tuple[object, ...] = ()
    for _ in range(100_000):
        deep = (deep,)
    keep("deep", deep)
    assert read_kept("deep", tuple) is None


def test_the_oldest_of_too_many_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_FILES", 3)
    monkeypatch.setattr(kept, "_LOOK_EVERY", 1)
    for number in range(5):
        keep(f"{number}", ())
        os.utime(folder / f"{number}", (number, number))
    keep("new", ())
    assert sorted(path.name for path in folder.iterdir()) == ["3", "4", "new"]


def test_a_folder_that_cannot_be_used_is_no_trouble(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(write(tmp_path / "file") / "cache"))
    for _ in range(2):
        assert read(write(tmp_path / "a.rules"))[0].is_whole
