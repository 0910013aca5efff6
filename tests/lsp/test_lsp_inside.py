"""What the language server knows, asked without the protocol: of all games, and of broken texts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lsp_desk import copied

from dsl.check.notes import Notes, StoppedError, noting
from dsl.check.program import check_program
from dsl.check.uses import Use, Uses, find_uses
from dsl.diagnostics import Bag
from dsl.project.files import open_text, read_script
from dsl.project.find import Folder, folder_at
from dsl.project.load import load_merged
from dsl.source import Span
from interpreter import api
from interpreter.bundled import variants_dir
from interpreter.cli.lsp import whole_check
from interpreter.lsp.analysis import Analysis, analyse, library_around
from interpreter.lsp.colours import semantic_tokens
from interpreter.lsp.completing import complete
from interpreter.lsp.describing import describe
from interpreter.lsp.hints import inlay_hints, lenses
from interpreter.lsp.outlining import folds, outline
from interpreter.lsp.places import path_of_source
from interpreter.lsp.renaming import NoRenameError, edited_text, renamed


def bundled(name: str) -> Folder:
    folder = folder_at(variants_dir() / name)
    assert folder is not None
    return folder


def scripts(folder: Folder) -> list[Path]:
    return sorted(folder.path.rglob("*.rules"))


@pytest.mark.parametrize("name", api.variants())
def test_every_word_of_every_game_is_known(name: str) -> None:
    folder = bundled(name)
    for path in scripts(folder):
        found = analyse(folder, path)
        assert found.diagnostics == []
        read = read_script(path, Bag())
        assert read is not None
        source, script = read.source, read.script
        assert outline(script) or "scenarios" in path.parts
        assert folds(source)
        assert len(semantic_tokens(source, found.uses)) % 5 == 0
        inlay_hints(found, source, 0, len(source.text))
        lenses(found, source, script, path.as_uri())
        for use in found.uses.by_source.get(source.name, ()):
            described = describe(found, use.meaning, use.span.text)
            assert described is not None, use.span.text
            assert described.markdown()


@pytest.mark.parametrize("name", api.variants())
def test_what_is_used_is_declared(name: str) -> None:
    """Except what the language brings along, and the answers that belong to no declaration."""
    folder = bundled(name)
    found = analyse(folder, scripts(folder)[0])
    lost = [
        (sort, name)
        for (sort, name), uses in found.uses.by_meaning.items()
        if not any(use.is_declared for use in uses) and (sort, name) != ("unit", "money")
    ]
    assert lost == []


def uses_of(text: str, tmp_path: Path) -> tuple[Uses, str]:
    folder = copied("classic", tmp_path)
    path = folder / "rules" / "more.rules"
    path.write_text(text, encoding="utf-8")
    notes, bag = Notes(), Bag()
    library = library_around(Folder("classic", folder, is_mod=False))
    merged = load_merged(library, folder, bag=bag)
    assert merged is not None
    check_program(merged, 4, bag, scenarios=False, checker=noting(notes))
    return find_uses(notes), str(path)


def test_a_word_means_what_it_means_where_it_stands(tmp_path: Path) -> None:
    text = (
        "rule one: after landing by player on space: Go\n"
        "    let boardwalk = 5\n"
        '    say "{boardwalk}"\n'
        "rule two: after landing by player on space: Go\n"
        '    say "{boardwalk}"\n'
    )
    uses, name = uses_of(text, tmp_path)
    first, second = (text.index("{boardwalk}") + 1, text.rindex("{boardwalk}") + 1)
    one, two = uses.at(name, first), uses.at(name, second)
    assert one is not None
    assert two is not None
    assert (one.meaning.sort, two.meaning.sort) == ("local", "entity")
    assert [use.span.start for use in uses.of(one.meaning)] == [text.index("boardwalk"), first]


def test_a_check_can_be_stopped() -> None:
    folder = bundled("bid")
    asked = 0

    def is_stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 50

    with pytest.raises(StoppedError):
        analyse(folder, scripts(folder)[0], is_stopped=is_stopped)
    assert asked == 51


def test_broken_texts_break_nothing(tmp_path: Path) -> None:
    """A text is cut anywhere, and something is asked at its end."""
    path = copied("bid", tmp_path)
    folder = folder_at(path)
    assert folder is not None
    drawn = random.Random(5)
    for file in scripts(folder):
        text = file.read_text(encoding="utf-8")
        for _ in range(6):
            offset = drawn.randrange(len(text))
            open_text(file, text[:offset])
            found = analyse(folder, file)
            assert isinstance(found, Analysis)
            read = read_script(file, Bag())
            assert read is not None
            semantic_tokens(read.source, found.uses)
            folds(read.source)
            outline(read.script)
            complete(folder, file, text[:offset], offset)
        open_text(file, None)


def test_a_long_file(tmp_path: Path) -> None:
    """Two thousand lines and more, all of them open."""
    path = copied("classic", tmp_path)
    folder = folder_at(path)
    assert folder is not None
    file = path / "rules" / "long.rules"
    rule = "rule gift_{n}: after landing by player on space: Go\n    pay {n} from bank to player\n"
    text = "".join(rule.format(n=number) for number in range(1, 1101))
    file.write_text(text, encoding="utf-8")
    found = analyse(folder, file)
    assert [each.code for each in found.diagnostics if each.severity == "error"] == []
    open_text(file, text + "rule gift_2")
    assert [each.code for each in analyse(folder, file).diagnostics][-1] in ("RW0207", "RW0201")
    open_text(file, None)
    read = read_script(file, Bag())
    assert read is not None
    assert len(outline(read.script)) == 1100
    assert len(semantic_tokens(read.source, found.uses)) > 5 * 8 * 1100


@pytest.mark.parametrize("name", ["classic", "bid", "deal"])
def test_renamed_everywhere(name: str, tmp_path: Path) -> None:
    """Names of every sort get another one; then all is as right as before, scenarios too."""
    path = copied(name, tmp_path)
    folder = folder_at(path)
    assert folder is not None
    found = analyse(folder, scripts(folder)[0], scenarios=True)
    declared: dict[str, list[Use]] = {}
    for uses in found.uses.by_meaning.values():
        use = found.uses.declaration(uses[0].meaning)
        if use is not None and path_of_source(use.span.source.name).is_relative_to(path):
            declared.setdefault(use.meaning.sort, []).append(use)
    drawn = random.Random(1)
    done: set[str] = set()
    for sort, known in declared.items():
        for use in drawn.sample(known, min(2, len(known))):
            old = use.span.text
            try:
                edits = renamed(found, use.meaning, old, "Zed" if old[0].isupper() else "zed")
            except NoRenameError:
                continue
            done.add(sort)
            by_source: dict[str, list[tuple[Span, str]]] = {}
            for span, text in edits:
                by_source.setdefault(span.source.name, []).append((span, text))
            texts = {
                str(path_of_source(source)): edited_text(own[0][0].source.text, own)
                for source, own in by_source.items()
            }
            errors = [each.message for each in whole_check(str(path), texts)]
            assert errors == [], f"{sort} {old}"
            whole_check(str(path), {})
    assert {"entity", "switch", "saying"} <= done
    assert len(done) > 4
