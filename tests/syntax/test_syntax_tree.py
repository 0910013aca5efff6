"""What the parser makes of valid scripts: nodes, their places, docs, texts; every construct."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from syntax_trees import bare, kinds

from dsl.diagnostics.record import Bag
from dsl.source import NOWHERE, Source
from dsl.syntax import driver, nodes
from dsl.syntax.builder import BuildOf
from dsl.syntax.parser import parse_expression, parse_script
from dsl.syntax.print_expressions import format_expr
from dsl.syntax.printer import format_script
from dsl.syntax.table_file import load_tables

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.rules"))
EACH = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def parsed(text: str, name: str = "test.rules") -> nodes.Script:
    bag = Bag()
    script = parse_script(Source(name, text), bag)
    assert [(each.code, each.span.text, each.message) for each in bag] == []
    return script


def only(text: str) -> nodes.Decl:
    (decl,) = parsed(text).declarations
    return decl


def value(text: str) -> nodes.Expr:
    bag = Bag()
    expr = parse_expression(Source("value", text), bag)
    assert not list(bag)
    return expr


def everything(node: object, parent: nodes.Node | None = None) -> Iterator[tuple[object, object]]:
    """Each node with the node around it."""
    if isinstance(node, nodes.Node):
        yield node, parent
        for field in fields(node):
            yield from everything(getattr(node, field.name), node)
    elif isinstance(node, tuple):
        for item in node:
            yield from everything(item, parent)


# ---------------------------------------------------------------- all there is


def test_examples_have_all_kinds_of_nodes() -> None:
    found = set().union(*(kinds(parsed(path.read_text(encoding="utf-8"))) for path in EXAMPLES))
    all_kinds = {
        name
        for name, thing in vars(nodes).items()
        if is_dataclass(thing) and isinstance(thing, type)
    }
    bases = {"Node", "ExprBase", "TypeNodeBase", "StmtBase", "DeclBase"}
    assert all_kinds - found == bases | {"ErrorExpr", "ErrorStmt"}


def test_examples_use_all_rules_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    building = driver.building

    def noting(rule: str) -> BuildOf:
        build = building(rule)
        return lambda builder, span, parts: (used.add(rule), build(builder, span, parts))[1]

    monkeypatch.setattr(driver, "_STEPS", {})
    monkeypatch.setattr(driver, "building", noting)
    for path in EXAMPLES:
        parsed(path.read_text(encoding="utf-8"))
    rules = {each.name for each in load_tables().productions if each.kind == "build"}
    assert rules - used == {"broken_decl", "broken_line", "broken_stmt"}


@EACH
def test_examples_survive_formatting(path: Path) -> None:
    script = parsed(path.read_text(encoding="utf-8"), path.name)
    text = format_script(script)
    assert bare(parsed(text)) == bare(script)
    assert format_script(parsed(text)) == text


# ---------------------------------------------------------------- places


@EACH
def test_places_lie_in_each_other(path: Path) -> None:
    script = parsed(path.read_text(encoding="utf-8"), path.name)
    for node, parent in everything(script):
        assert isinstance(node, nodes.Node)
        if isinstance(parent, nodes.Node):
            assert parent.span.start <= node.span.start <= node.span.end <= parent.span.end, node


@EACH
def test_places_begin_and_end_with_words(path: Path) -> None:
    script = parsed(path.read_text(encoding="utf-8"), path.name)
    for node, parent in everything(script):
        assert isinstance(node, nodes.Node)
        if parent is not None:
            assert node.span.text, node
            assert node.span.text == node.span.text.strip()
            assert not node.span.text.rpartition("\n")[2].strip().startswith("--")
        if isinstance(node, nodes.Name):
            assert node.span.text == node.text
        if isinstance(node, nodes.NameExpr | nodes.KindExpr | nodes.WordType | nodes.KindType):
            assert node.span.text == node.name


@EACH
def test_places_of_values_hold_the_values(path: Path) -> None:
    script = parsed(path.read_text(encoding="utf-8"), path.name)
    for node, _ in everything(script):
        if isinstance(node, nodes.ExprBase) and not isinstance(node, nodes.Query):
            if node.span.text == "gives":  # in "luck gives", not a value of its own
                continue
            assert bare(value(node.span.text)) == bare(node)


@EACH
def test_places_of_declarations_hold_the_declarations(path: Path) -> None:
    script = parsed(path.read_text(encoding="utf-8"), path.name)
    for decl in script.declarations:
        end = decl.span.source.text.find("\n", decl.span.end)
        again = only(decl.span.source.text[decl.span.start : end])
        docless = {"doc": ""}
        if isinstance(decl, nodes.Replace):
            docless["declaration"] = replace(decl.declaration, doc="")  # type: ignore[assignment]
        assert bare(again) == bare(replace(decl, **docless))


def test_place_of_a_statement_ends_with_its_block() -> None:
    text = "rule x: after y\n    if a -- why\n        b\n    -- after\n\nunit z\n"
    script = parsed(text)
    rule, unit = script.declarations
    assert rule.span.text == "rule x: after y\n    if a -- why\n        b"
    assert unit.span.text == "unit z"
    assert (script.span.start, script.span.end) == (0, len(text))


def test_brackets_belong_to_the_value_around() -> None:
    expr = value("(a + b) * c")
    assert isinstance(expr, nodes.Binary)
    assert expr.span.text == "(a + b) * c"
    assert expr.left.span.text == "a + b"


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a or b and not c", "a or (b and (not c))"),
        ("not a is b", "not (a is b)"),
        ("a is not b", "(a) is not (b)"),
        ("a otherwise b otherwise c", "a otherwise (b otherwise c)"),
        ("a if b else c if d else e", "a if b else (c if d else e)"),
        ("-a.b[1] + 1..2", "((-(a.b[1])) + 1)..2"),
        ("a not in b + c", "a not in (b + c)"),
        ("1_000", "1000"),
    ],
)
def test_order_of_operators(text: str, same: str) -> None:
    assert bare(value(text)) == bare(value(same))


def test_minus_signs_make_no_comment() -> None:
    expr = nodes.Unary(NOWHERE, "-", nodes.Unary(NOWHERE, "-", nodes.NameExpr(NOWHERE, "a")))
    assert format_expr(expr) == "-(-a)"
    assert bare(value("-(-a)")) == bare(expr)


def test_texts() -> None:
    text = value('"{{a}} {b.c} {1 + 2}{d}"')
    assert isinstance(text, nodes.Text)
    assert [part if isinstance(part, str) else part.span.text for part in text.parts] == [
        "{a} ",
        "b.c",
        " ",
        "1 + 2",
        "d",
    ]
    assert bare(value('""')) == ("Text", ())


def test_words_with_other_uses_stay_free() -> None:
    assert isinstance(value("count(any(x, hidden_x) for each x in y)"), nodes.Call)


# ---------------------------------------------------------------- layout


def test_lines_go_on() -> None:
    text = """\
define a: flag = b
    and c

    -- between
  or d
define e: list of 0..9 = [
    1,  -- one
    2
]
"""
    first, second = parsed(text).declarations
    assert isinstance(first, nodes.Define)
    assert bare(first.base) == bare(value("b and c or d"))
    assert isinstance(second, nodes.Define)
    assert bare(second.base) == bare(value("[1, 2]"))


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n  \n", "\n-- end", "\n    -- end\n"])
def test_ends_of_files(end: str) -> None:
    body = "rule x: after y\n    z"
    assert bare(only(body + end)) == bare(only(body + "\n"))


def test_line_ends_of_windows_and_byte_order_mark() -> None:
    text = "-- doc\nrule x: after y\n    z\n    w\n"
    assert bare(only("\ufeff" + text.replace("\n", "\r\n"))) == bare(only(text))


@pytest.mark.parametrize("text", ["", "\n", "-- only this", "   ", "\ufeff"])
def test_empty_files(text: str) -> None:
    assert parsed(text).declarations == ()


# ---------------------------------------------------------------- docs


def test_docs_of_declarations() -> None:
    script = parsed(
        "-- Far away.\n\n-- Above.\n--   - indented\n--\n-- Last.\nunit a -- not this\nunit b\n"
    )
    assert [decl.doc for decl in script.declarations] == [
        "Above.\n  - indented\n\nLast.",
        "",
    ]


def test_docs_of_replaced_declarations() -> None:
    decl = only("-- Why.\nreplace unit a\n")
    assert isinstance(decl, nodes.Replace)
    assert (decl.doc, decl.declaration.doc) == ("Why.", "Why.")


def test_docs_of_fields() -> None:
    decl = only(
        "kind A\n"
        "    -- Above.\n"
        "    a: flag -- Beside.\n"
        "    b: flag\n"
        "    c: holds money -- Only beside.\n"
        "                   -- And below.\n"
        "    d: list of 0..9 starts [1,\n"
        "        2] -- At the end.\n"
    )
    assert isinstance(decl, nodes.KindDecl)
    assert [field.doc for field in decl.fields] == [
        "Above.\nBeside.",
        "",
        "Only beside.\nAnd below.",
        "At the end.",
    ]


# ---------------------------------------------------------------- speed


def test_fourteen_hundred_lines_take_a_moment() -> None:
    """About 0.1 s of one core of 2020; the bar is what a slow and busy machine may take."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES)
    text *= 1400 // text.count("\n") + 1
    parsed("unit warm\n")
    start = time.process_time()
    parse_script(Source("long.rules", text), Bag())
    assert time.process_time() - start < 1


def test_a_line_without_if_always_applies() -> None:
    decl = only("define x: 0..9\n    1\n    but more: usual + 1\n")
    assert isinstance(decl, nodes.Define)
    assert decl.buts[0].condition is None


def test_places_of_tables_are_set() -> None:
    decl = only("to act\n    player.tally[k + 1] = 3\n")
    assert isinstance(decl, nodes.Routine)
    (assign,) = decl.body
    assert isinstance(assign, nodes.Assign)
    assert isinstance(assign.target, nodes.Index)
    assert assign.target.subject.span.text == "player.tally"
    assert assign.target.span.text == "player.tally[k + 1]"
