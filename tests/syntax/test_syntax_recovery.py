"""After a mistake: the rest of the file is read, and one cause gives one error."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax import nodes
from dsl.syntax.parser import parse_expression, parse_script

HERE = Path(__file__).parent
EXAMPLES = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob("examples/*.rules"))]


def read(text: str) -> tuple[nodes.Script, list[tuple[int, str]]]:
    """The tree, and line and code of each mistake."""
    bag = Bag()
    source = Source("test.rules", text)
    script = parse_script(source, bag)
    return script, [(source.position(each.span.start)[0], each.code) for each in bag.sorted()]


def test_independent_mistakes_are_all_found_and_nothing_else() -> None:
    text = (HERE / "errors/independent.rules").read_text(encoding="utf-8")
    script, found = read(text)
    assert [code for _, code in found] == [
        "RW0206",
        "RW0210",
        "RW0203",
        "RW0207",
        "RW0204",
        "RW0209",
        "RW0201",
        "RW0204",
    ]
    assert [decl.span.text.split("\n")[0] for decl in script.declarations] == [
        line for line in text.split("\n") if line[:1].isalpha() and line != "then"
    ]


def test_what_was_not_understood_is_marked_in_the_tree() -> None:
    script, found = read("rule x: after y\n    a\n    let = 3\n    b\n")
    assert found == [(3, "RW0201")]
    (rule,) = script.declarations
    assert isinstance(rule, nodes.RuleDecl)
    assert [type(stmt) for stmt in rule.body] == [nodes.Command, nodes.ErrorStmt, nodes.Command]
    assert rule.body[1].span.text == "let = 3"


def test_a_comparison_with_the_wrong_sign_is_understood() -> None:
    script, found = read("rule x: after y\n    if a = b\n        c\n    else\n        d\n")
    assert found == [(2, "RW0203")]
    (rule,) = script.declarations
    assert isinstance(rule, nodes.RuleDecl)
    (stmt,) = rule.body
    assert isinstance(stmt, nodes.If)
    assert isinstance(stmt.branches[0][0], nodes.Binary)
    assert stmt.branches[0][0].op == "is"
    assert stmt.otherwise is not None


def test_mistakes_in_the_block_of_a_broken_line_are_found() -> None:
    _, found = read("rule x: after y\n    if a b c d\n        let = 3\n    else\n        let = 4\n")
    assert found == [(2, "RW0201"), (3, "RW0201"), (5, "RW0201")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a value is missing here"),
        ("a b", "`b` can't follow `a`: the value should end there"),
        ("a = b", "`=` does not compare: it gives a name or sets a field"),
        ("(a", "`)` is missing here"),
        ("a)", "`)` can't follow `a`: the value should end there"),
    ],
)
def test_values(text: str, message: str) -> None:
    bag = Bag()
    assert isinstance(parse_expression(Source("value", text), bag), nodes.ErrorExpr)
    assert [each.message for each in bag] == [message]


def test_a_piece_of_a_text_is_read_in_its_place() -> None:
    source = Source("log", "why: a.b + 1 (asked)")
    expr = parse_expression(source, Bag(), start=5, end=12)
    assert expr.span.text == "a.b + 1"
    assert expr.span.source is source


def mistakes_after(change: random.Random) -> int:
    """How many mistakes are found after one word of an example was lost, doubled or exchanged."""
    text = change.choice(EXAMPLES)
    words = [
        word
        for word in re.finditer(r"\w+|[^\w\s]", text)
        if "--" not in text[text.rfind("\n", 0, word.start()) + 1 : word.end()]
    ]
    word, other = change.choice(words), change.choice(words)[0]
    new = change.choice(["", other, f"{word[0]} {other}", f"{word[0]} {word[0]}"])
    return len(read(text[: word.start()] + new + text[word.end() :])[1])


def test_one_cause_gives_one_error() -> None:
    change = random.Random(1)
    counts = [mistakes_after(change) for _ in range(300)]
    assert sum(count > 1 for count in counts) < 0.02 * len(counts)


@pytest.mark.parametrize(
    "text",
    [
        "define x: 0..1 = " + "(" * 20_000,
        "define x: 0..1 = " + "(" * 5_000 + "1" + ")" * 5_000,
        "define x: 0..1 = " + "1 + " * 20_000 + "1",
        "define x: flag = " + "not " * 20_000 + "yes",
        "define x: flag = a" + ".b" * 20_000,
        'define x: text = "' + "{" * 9_999,
        'define x: text = "' + "{a b}" * 1_000 + '"',
        "rule x: after y\n" + "".join("    " * n + "if a\n" for n in range(1, 300)),
        "rule x: after y\n" + "    let = 3\n" * 2_000,
        "rule x: after y\n" + "    a\n        b\n" * 2_000,
        "rule x: after y\n" + "    repeat\n        b\n" * 2_000,
        "rule x: after y\n" * 2_000,
        "let x = (\n" * 2_000,
        ")" * 20_000,
        "".join(map(chr, range(256))) * 100,
    ],
    ids=range(15),
)
def test_hostile_texts_are_read_in_a_moment(text: str) -> None:
    start = time.process_time()
    _, found = read(text)
    assert found
    assert time.process_time() - start < 5
