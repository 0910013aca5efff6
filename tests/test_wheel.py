"""The wheel works alone: built, installed beside nothing but its declared needs, run elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = {"dsl": "dsl", "interpreter": "interpreter", "variants": "interpreter/variants"}


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command without anything that could lead it back to the checkout; its output."""
    hidden = ("PYTHON", "RULEWRIGHT", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    env |= {"XDG_CACHE_HOME": str(cwd / "cache"), "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT),
        cwd=folder,
    )
    (built,) = folder.glob("*.whl")
    return built


def needs_of(name: str, seen: dict[str, Distribution]) -> dict[str, Distribution]:
    """The distributions that `name` declares as needed without extras, and theirs in turn."""
    for text in distribution(name).requires or ():
        need = Requirement(text)
        key = canonicalize_name(need.name)
        if key not in seen and (need.marker is None or need.marker.evaluate({"extra": ""})):
            seen[key] = distribution(key)
            needs_of(key, seen)
    return seen


def link_needs(site: Path) -> None:
    """Put the declared needs, and nothing else of this environment, into another one.

    Links, not downloads: the test also runs without a network.
    """
    for found in needs_of("rulewright", {}).values():
        assert found.files is not None
        for top in {Path(file).parts[0] for file in found.files}:
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(Path(str(found.locate_file(top))))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of a fresh environment that holds the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    scripts = folder / "bin"
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python")
    run(*pip, "install", "--no-index", "--no-deps", "--quiet", wheel, cwd=folder)
    site = run(
        scripts / "python", "-c", "import sysconfig as s; print(s.get_path('purelib'))", cwd=folder
    )
    link_needs(Path(site.strip()))
    run(*pip, "check", cwd=folder)
    return scripts


def test_wheel_holds_every_file(wheel: Path) -> None:
    expected = {
        f"{target}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, target in SHIPPED.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected


def test_packages_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = (
        "import dsl, interpreter, interpreter.bundled as b;"
        "print(dsl.__file__, interpreter.__file__, b.variants_dir(), sep='\\n')"
    )
    places = run(installed / "python", "-c", code, cwd=tmp_path).splitlines()
    home = installed.parent.resolve()
    assert [place for place in places if not Path(place).resolve().is_relative_to(home)] == []


def test_bundled_variants_are_listed(installed: Path, tmp_path: Path) -> None:
    listing = run(installed / "rulewright", "list", cwd=tmp_path)
    assert "classic" in listing.split()


def test_bundled_variant_is_checked(installed: Path, tmp_path: Path) -> None:
    run(installed / "rulewright", "check", "classic", cwd=tmp_path)
