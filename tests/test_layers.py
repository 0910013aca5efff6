"""The shape of the source: who may import whom, no game words in Python, no overlong files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("dsl", "interpreter")

# Low to high: a part may import parts of lower levels of its package, never one of its own level.
# The package's own __init__ may import whatever is below the level named "".
LAYERS: dict[str, list[set[str]]] = {
    "dsl": [
        {"cache", "records"},
        {"kept", "source"},
        {"diagnostics"},
        {"syntax", "data"},
        {"editors"},
        {"core"},
        {"check"},
        {"project"},
        {""},
    ],
    "interpreter": [
        {"bundled"},
        {"flat"},
        {"emit"},
        {"engine"},
        {"session"},
        {"table"},
        {"book"},
        {"scenario"},
        {"search"},
        {"playtest"},
        {"lab"},
        {"mutants"},
        {"api"},
        {""},
        {"lsp"},
        {"cli"},
        {"__main__"},
    ],
}

# Low to high: the rooms of large parts. A room may import those before it; what stands beside them
# may import all.
ROOMS: dict[str, tuple[str, ...]] = {
    "interpreter.flat": (
        "ir", "analysis", "plan", "passes", "context", "incremental", "expr", "instrument", "stmt",
        "ask", "agents", "program",
    ),
}  # fmt: skip
LARGEST_ROOM = 15
"""Modules of a room in which a stranger finds his way."""

# Modules that may import inside a function, each with its reason. All of interpreter/cli may, so
# that a command loads only what it uses.
LAZY_FOLDER = "interpreter/cli"
LAZY_MODULES: dict[str, str] = {
    "interpreter/api.py": "who plays one game needs neither statistics nor the native engine",
    "interpreter/playtest/conduct.py": "only games that were stopped are played again in sessions",
    "interpreter/playtest/machine.py": "only tables with search bots need sessions and samplers",
    "interpreter/session/compile.py": "a variant from the cache needs neither parser nor checker",
    "interpreter/search/playouts.py": "a cached variant is not lowered and printed again",
    "dsl/data/schema.py": "jsonschema takes 80 ms to import; data that are right do without",
    "dsl/project/files.py": "the parser and PyYAML take 20 ms to import; for kept texts neither is",
    "dsl/syntax/table_file.py": "Lark takes 90 ms to import; with its tables it is not needed",
}

MOST_LINES = 500
# Files that may be longer (tables, generated files), each with its reason.
LONG_FILES: dict[str, str] = {}

GAME_WORDS = re.compile(
    r"(?<![a-z])(?:rents?|deeds?|jails?|houses?|hotels?|mortgages?|monopoly|monopolies|auctions?"
    r"|salary|salaries|boardwalks?|cthulhu)(?![a-z])",
    re.IGNORECASE,
)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def python_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), relative(path))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for package in PACKAGES for path in python_files(package)}


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of each import of the project's own modules, wherever in the file it is."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{relative(path)}:{node.lineno}: relative import"
            base = node.module or ""
            inner = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in modules() else base for name in inner]
        else:
            continue
        for name in dict.fromkeys(names):
            if name.partition(".")[0] in PACKAGES:
                yield node.lineno, name


def part_of(module: str) -> tuple[str, str]:
    """Package and part of a module: `dsl.syntax.parser` is ("dsl", "syntax")."""
    package, _, rest = module.partition(".")
    return package, rest.partition(".")[0]


def level_of(module: str) -> int:
    package, part = part_of(module)
    for level, parts in enumerate(LAYERS[package]):
        if part in parts:
            return level
    pytest.fail(f"{module} has no place in LAYERS of tests/test_layers.py")


def test_language_never_imports_interpreter() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {name}"
        for path in python_files("dsl")
        for line, name in imported(path)
        if part_of(name)[0] == "interpreter"
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_down(package: str) -> None:
    wrong = []
    for path in python_files(package):
        importer = module_name(path)
        for line, name in imported(path):
            if part_of(name)[0] != package or part_of(name) == part_of(importer):
                level_of(importer)
            elif level_of(name) >= level_of(importer):
                wrong.append(f"{relative(path)}:{line} imports {name}, which is not below it")
    assert not wrong, "\n".join(wrong)


def room_of(module: str, part: str) -> str | None:
    """The room of a part in which a module is; None for one of another part or beside them."""
    room = module.removeprefix(f"{part}.").partition(".")[0]
    return room if module.startswith(f"{part}.") and room in ROOMS[part] else None


@pytest.mark.parametrize("part", ROOMS)
def test_rooms_import_rooms_below(part: str) -> None:
    order = ROOMS[part]
    wrong = []
    for module, path in modules().items():
        here = room_of(module, part)
        for line, name in imported(path) if here is not None else ():
            there = room_of(name, part)
            is_beside = there is None and name.startswith(f"{part}.")
            if is_beside or (there is not None and order.index(there) > order.index(here)):
                wrong.append(f"{relative(path)}:{line} imports {name}, which is not below it")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", ROOMS)
def test_rooms_are_of_a_size_to_live_in(part: str) -> None:
    sizes = {
        room: sum(
            room_of(module, part) == room and not path.name.startswith("__")
            for module, path in modules().items()
        )
        for room in ROOMS[part]
    }
    assert all(0 < size <= LARGEST_ROOM for size in sizes.values()), sizes


def test_every_module_has_a_level() -> None:
    for module in modules():
        level_of(module)


def test_no_import_cycles() -> None:
    graph = {
        module: {name for _, name in imported(path) if name != module}
        for module, path in modules().items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("modules import each other: " + " <- ".join(error.args[1]))


def inner_imports(path: Path) -> list[int]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return sorted(
        {
            inner.lineno
            for node in ast.walk(parsed(path))
            if isinstance(node, functions)
            for inner in ast.walk(node)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
    )


def test_no_import_inside_a_function() -> None:
    wrong = [
        f"{relative(path)}:{line}"
        for path in modules().values()
        if not relative(path).startswith(LAZY_FOLDER + "/") and relative(path) not in LAZY_MODULES
        for line in inner_imports(path)
    ]
    assert not wrong, "\n".join(wrong)


def test_exempt_imports_are_needed() -> None:
    idle = [name for name in LAZY_MODULES if not inner_imports(ROOT / name)]
    assert not idle, "\n".join(idle)


def test_python_names_no_game_word() -> None:
    wrong = [
        f"{relative(path)}:{number}: {match[0]}"
        for path in modules().values()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in GAME_WORDS.finditer(CAMEL.sub("_", line))
    ]
    assert not wrong, "\n".join(wrong)


def test_game_words_are_found_in_names() -> None:
    hits = ["rent", "rent_due", "RentTable", "no_houses", "JAIL", "the Mortgage"]
    misses = ["parent", "current", "different", "indeed", "warehouse", "Parent"]
    assert all(GAME_WORDS.search(CAMEL.sub("_", text)) for text in hits)
    assert not any(GAME_WORDS.search(CAMEL.sub("_", text)) for text in misses)


def counted_files() -> Iterator[Path]:
    for folder in (*PACKAGES, "variants", "tests"):
        for ending in ("py", "lark", "rules"):
            for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
                if not relative(path).startswith("tests/benchmarks/peers/"):
                    yield path


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_files_are_short() -> None:
    wrong = [
        f"{relative(path)}: {line_count(path)} lines"
        for path in counted_files()
        if line_count(path) > MOST_LINES and relative(path) not in LONG_FILES
    ]
    assert not wrong, "\n".join(wrong)


def test_exempt_files_are_long() -> None:
    idle = [name for name in LONG_FILES if line_count(ROOT / name) <= MOST_LINES]
    assert not idle, "\n".join(idle)
