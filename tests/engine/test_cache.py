"""Cached code and modules: damaged files are made again, and nothing is needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from flat_programs import num, phase, program

from dsl.cache import cache_folder, distrusted_folder, read_cached, write_cached
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as n


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def quick_program() -> n.Program:
    made = program()
    phase(made, n.Exit(num(1)))
    return made


@pytest.mark.parametrize("engine", [PythonEngine, NativeEngine])
def test_files_are_made_once_and_mended(
    engine: type[PythonEngine] | type[NativeEngine], folder: Path
) -> None:
    made = quick_program()
    assert engine(made).run_phase() == 1
    (file,) = folder.iterdir()
    good = file.read_bytes()
    for damage in (b"", good[:-1], good[:40] + bytes([good[40] ^ 1]) + good[41:], b"x" * 99):
        file.write_bytes(damage)
        assert engine(made).run_phase() == 1
        assert file.read_bytes() == good
    assert [one.name for one in folder.iterdir()] == [file.name]


def test_uncached_leaves_nothing(folder: Path) -> None:
    PythonEngine(quick_program(), cached=False)
    NativeEngine(quick_program(), cached=False)
    assert not folder.exists()


def test_a_folder_that_cannot_be_used_is_no_error(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file where the folder should be")
    write_cached("a", b"b")
    assert read_cached("a") is None
    assert PythonEngine(quick_program()).run_phase() == 1


def test_off_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    write_cached("a", b"b")
    assert read_cached("a") is None
    assert PythonEngine(quick_program()).run_phase() == 1
    assert list(tmp_path.iterdir()) == []


needs_owners = pytest.mark.skipif(os.name != "posix", reason="files have no such owners")


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_a_folder_in_which_others_can_write_is_not_used(folder: Path, mode: int) -> None:
    write_cached("a", b"b")
    assert read_cached("a") == b"b"
    assert distrusted_folder() is None
    folder.chmod(mode)
    assert distrusted_folder() == folder
    assert read_cached("a") is None
    write_cached("c", b"d")
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert PythonEngine(quick_program()).run_phase() == 1
    folder.chmod(0o755)
    assert read_cached("a") == b"b"


@needs_owners
def test_what_somebody_else_owns_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_cached("a", b"b")
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert distrusted_folder() == folder
        assert read_cached("a") is None
    (folder / "a").chmod(0o666)
    assert distrusted_folder() is None
    assert read_cached("a") is None


@needs_owners
@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_what_is_made_is_ours_alone(folder: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_cached("a", b"b")
    finally:
        os.umask(before)
    assert read_cached("a") == b"b"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_content_comes_back_whole(folder: Path) -> None:
    assert cache_folder() == folder
    assert read_cached("a") is None
    write_cached("a", b"")
    write_cached("b", b"one")
    write_cached("b", b"two")
    assert (read_cached("a"), read_cached("b")) == (b"", b"two")
