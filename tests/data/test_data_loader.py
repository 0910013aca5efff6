"""Loading YAML: the strict subset, exact places, limits; no text makes it raise."""

from __future__ import annotations

import pytest
from data_reading import Golden, fixed, load, nodes, plain, problems, said, spans
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dsl.data.node import Mapping, Scalar, find, to_plain
from dsl.diagnostics.frame import render_text

WHOLE = """\
title: Old Town   # a comment
players: {min: 2, max: 6}
things:
  spaces:
    - id: go
      rents: [1, -2]
    -
      id: "5"
text: |
  Two lines,
  as they are.

note: 'it''s'
empty:
nothing: null
yes_no: [true, false]
"""

TRUTHS = ["yes", "No", "ON", "off", "y", "N", "True", "FALSE"]
NUMBER_LIKE = ["012", "00", "-012", "08", "0o17", "0x1F", "0b1", "1_000", "+5", "-0"]
NUMBER_LIKE += ["1:30", "190:20:30", "1.5", "-.5", "1.", "1e3", "1.5e+3", ".inf", "-.INF", ".nan"]
NUMBER_LIKE += ["2001-12-14", "2001-12-14t21:59:43.10-05:00"]


@pytest.mark.usefixtures("parser")
class TestValues:
    def test_whole_text(self) -> None:
        assert plain(WHOLE) == {
            "title": "Old Town",
            "players": {"min": 2, "max": 6},
            "things": {"spaces": [{"id": "go", "rents": [1, -2]}, {"id": "5"}]},
            "text": "Two lines,\nas they are.\n",
            "note": "it's",
            "empty": None,
            "nothing": None,
            "yes_no": [True, False],
        }

    @pytest.mark.parametrize("line_end", ["\n", "\r\n"])
    def test_places(self, line_end: str) -> None:
        text = WHOLE.replace("\n", line_end)
        node, _ = load(text)
        assert node is not None

        def marked(*path: str | int) -> str:
            found = find(node, path)
            assert found is not None
            return found.span.text.replace(line_end, "\n")

        assert marked() == WHOLE.rstrip()
        assert marked("title") == "Old Town"
        assert marked("players") == "{min: 2, max: 6}"
        assert marked("players", "max") == "6"
        assert marked("things", "spaces", 0) == "id: go\n      rents: [1, -2]"
        assert marked("things", "spaces", 0, "rents", 1) == "-2"
        assert marked("things", "spaces", 1, "id") == '"5"'
        assert marked("things", "spaces").startswith("- id: go")
        assert marked("text") == "|\n  Two lines,\n  as they are."
        assert marked("note") == "'it''s'"
        empty = find(node, ("empty",))
        assert empty is not None
        assert text[: empty.span.start].endswith("empty:")

    def test_places_beyond_the_basic_plane(self) -> None:
        node, _ = load("{a: '👍é', b: 日本}")
        assert isinstance(node, Mapping)
        assert [entry.span.text for entry in node.entries] == ["a: '👍é'", "b: 日本"]

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("0", 0),
            ("-7", -7),
            ("2147483647", 2147483647),
            ("-2147483648", -2147483648),
            ("true", True),
            ("false", False),
            ("null", None),
            ("'012'", "012"),
            ('"yes"', "yes"),
            ("1.2.3", "1.2.3"),
            ("2..8", "2..8"),
            ("x1", "x1"),
            ("10%", "10%"),
            ("-", [None]),
            ("- -5", [-5]),
            ("a-b", "a-b"),
            ("yesterday", "yesterday"),
            ('"\\u200B"', "\u200b"),
            ('"a\\nb"', "a\nb"),
            (">-\n  one\n  two", "one two"),
            ("{500: 2}", {"500": 2}),
            ("{a, b: 1}", {"a": None, "b": 1}),
            ("---\na: 1\n...\n", {"a": 1}),
        ],
    )
    def test_values(self, text: str, value: object) -> None:
        found = plain(text) if text != "null" else plain("[null]")[0]  # type: ignore[index]
        assert found == value
        assert type(found) is type(value)

    def test_quoted(self) -> None:
        node, _ = load("[a, 'a', \"a\", 5]")
        assert node is not None
        assert [each.quoted for each in nodes(node) if isinstance(each, Scalar)] == [
            False,
            True,
            True,
            False,
        ]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            *((f"[{word}]", [("RW0303", word)]) for word in TRUTHS),
            *((f"[{word}]", [("RW0304", word)]) for word in NUMBER_LIKE),
            ("[2001-12-14 21:59:43]", [("RW0304", "2001-12-14 21:59:43")]),
            ("[2147483648]", [("RW0305", "2147483648")]),
            ("[-2147483649]", [("RW0305", "-2147483649")]),
            ("[" + "9" * 5000 + "]", [("RW0305", "9" * 5000)]),
            ("[~, Null, NULL]", [("RW0306", "~"), ("RW0306", "Null"), ("RW0306", "NULL")]),
            ("a: &x 5", [("RW0307", "&x")]),
            ("a: &x {b: 1}\nc: *x", [("RW0307", "&x"), ("RW0307", "*x")]),
            ("<<: {a: 1}", [("RW0307", "<<")]),
            ("'<<': 1", []),
            ("*a : 1", [("RW0307", "*a")]),
            ("a: !!int 5", [("RW0308", "!!int")]),
            ("a: !x &y [1]", [("RW0308", "!x"), ("RW0307", "&y")]),
            ("%YAML 1.1\n---\na: 1", [("RW0308", "%YAML 1.1")]),
            ("%TAG ! x\n---\na: 1", [("RW0308", "%TAG ! x")]),
            ("a: 1\n---\nb: 2\n", [("RW0309", "---")]),
            ("[" * 41 + "]" * 41, [("RW0310", "[")]),
            ("[" * 40 + "]" * 40, []),
            ("{a: " * 41 + "1" + "}" * 41, [("RW0310", "{")]),
            ("- " * 41 + "x", [("RW0310", "-")]),
            ("[a]: 1", [("RW0311", "[a]")]),
            ("true: 1", [("RW0311", "true")]),
            ("? \n: 1", [("RW0311", "")]),
            ("y: 1", [("RW0303", "y")]),
            ("012: 1", [("RW0304", "012")]),
            ("a: 1\na: 2\na: 3", [("RW0302", "a"), ("RW0302", "a")]),
            ("1: 1\n'1': 2", [("RW0302", "'1'")]),
            ("", [("RW0312", "")]),
            ("# nothing\n", [("RW0312", "")]),
            ("null", [("RW0312", "")]),
            ("a: b\n  c\nd: e", [("RW0313", "b\n  c")]),
        ],
    )
    def test_what_is_refused(self, text: str, expected: list[tuple[str, str]]) -> None:
        assert problems(text) == expected

    def test_a_repeated_name_marks_the_first(self) -> None:
        _, bag = load("a: 1\nb: 2\na: 3")
        (found,) = bag.sorted()
        assert found.span.start == 10
        assert [label.span.start for label in found.secondary] == [0]

    def test_independent_mistakes_are_all_reported(self) -> None:
        text = "a: yes\nb: 012\nc: &x 1\na: 2\nd: [1, 2\n"
        assert [code for code, _ in problems(text)] == [
            "RW0303",
            "RW0304",
            "RW0307",
            "RW0302",
            "RW0301",
        ]

    def test_what_is_left_after_errors(self) -> None:
        node, bag = load("a: 1\na: 2\n<<: *b\nc: *d\ne: 012\n")
        assert bag.has_errors
        assert isinstance(node, Mapping)
        assert to_plain(node) == {"a": 1, "c": None, "e": "012"}
        assert not node.is_complete
        complete, _ = load("a: 1\na: 2\n")
        assert isinstance(complete, Mapping)
        assert complete.is_complete


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("a: yes", "a: true"),
        ("a: OFF", "a: false"),
        ("a: ~", "a: null"),
        ("a: 012", "a: 12"),
        ("a: -1_000", "a: -1000"),
        ("a: +5", "a: 5"),
        ("a: -0", "a: 0"),
        ("y: 1", '"y": 1'),
        ("a: b: c's", "a: 'b: c''s'"),
        ("a: b\n  c", "a: 'b\n  c'"),
        ("a\u00a0: 1\u00a02", "a : 1 2"),
        ("\ufeffa: x\u200by", "a: xy"),
        ("a: e\u0301, u\u0308", "a: é, ü"),
        ("a: 1\rb: 2", "a: 1\nb: 2"),
    ],
)
def test_fixes(text: str, mended: str) -> None:
    for diagnostic in reversed(load(text)[1].sorted()):
        text = fixed(text, diagnostic)
    assert text == mended
    assert problems(mended) == []


BROKEN = {
    "colon": "title: Old Town: a game\n",
    "indent": "players:\n  min: 2\n    max: 6\n",
    "dedent": "players:\n    min: 2\n  max: 6\n",
    "bracket": "uses: [seats, board\ntitle: x\n",
    "comma": "players: {min: 2 max: 6}\n",
    "closer": "uses: [seats]]\n",
    "wrong closer": "players: {min: 2]\n",
    "quote": 'title: "Old Town\nplayers: 2\n',
    "apostrophe": "title: 'The mayor's game'\n",
    "mixed": "uses:\n  - seats\n  board: 1\n",
    "item": "uses: - seats\n",
    "no colon": "title: x\nplayers\nuses: [a]\n",
    "sign": "symbol: @\n",
    "backtick": "symbol: `x`\n",
    "escape": 'title: "C:\\game"\n',
    "block": "text: | Hello\n  you\n",
    "anchor": "symbol: &\n",
    "directive": "%\n",
    "after the end": "a: 1\n... b\n",
    "unfinished": "uses: [a,\n",
    "stray": "]\n",
    "key": "- a\n? b\n",
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("name", BROKEN)
def test_broken_layout_is_one_error(name: str) -> None:
    node, bag = load(BROKEN[name])
    (found,) = bag
    assert node is None
    assert found.code == ("RW0308" if name == "directive" else "RW0301")
    assert "from here on" not in found.message


def test_broken_layout_golden(golden: Golden) -> None:
    frames = [render_text(load(text)[1].sorted()) for text in BROKEN.values()]
    golden("broken.txt", "\n".join(frames))


def test_deep_nesting_is_refused_at_once() -> None:
    for opening in ("[", "{a: ", "- ", "? ", "[{a: "):
        _, bag = load(opening * 20_000)
        assert [each.code for each in bag] == ["RW0310"]


def test_aliases_do_not_multiply() -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    node, bag = load("\n".join(lines))
    assert {code for code, _ in said(bag)} == {"RW0307"}
    assert node is not None
    assert sum(1 for _ in nodes(node)) < 200


ODD = st.text(
    st.sampled_from(
        "a1: -?[]{},#&*!|>'\"%@`~<\\\n\t\r \ufeff\u200b\u00a0\u0301e\ud800\x00é日👍=.+_0yn"
    ),
    max_size=60,
)
WORDS = ["a: ", "b: ", "- ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", ", "x", "'", '"', "|\n"]
WORDS += [">-\n", "&x ", "*x", "!t ", "<<: ", "# c", "---\n", "...\n", "%Y 1\n", "? ", ": ", "012"]
WORDS += [
    "yes",
    "null",
    "\\",
    "\r\n",
    "\t",
    "e\u0301",
    "\u200b",
    "1.5",
    '"\\ud800"',
    '"\\0"',
    "\x85",
]
PIECES = st.lists(st.sampled_from(WORDS), max_size=25).map("".join)


@settings(deadline=None)
@given(ODD | PIECES | st.text(max_size=40))
@example("a: 'x\n---\ny'")
@example("\ufeff\ufeff\r\ra: \u2028")
@example('a: "\\U0001F600\\ud83d\\ude00"')
@example("\ud800: \udfff")
@example("a: !<tag:x> &b\n")
@example("? - a\n: - b\n")
def test_no_text_raises_and_all_places_are_inside(text: str) -> None:
    node, bag = load(text)
    assert node is not None or bag.has_errors
    for diagnostic in bag:
        for span in spans(diagnostic):
            assert 0 <= span.start <= span.end <= len(text)
    for each in nodes(node) if node is not None else ():
        assert 0 <= each.span.start <= each.span.end <= len(text)
    render_text(bag.sorted()).encode()


KEYS = st.from_regex(r"[a-z_]{2,8}", fullmatch=True).filter(
    lambda key: key not in ("yes", "no", "on", "off", "null", "true", "false")
)
TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=10).map(
    lambda text: "".join(char for char in text if char.isascii())
)
TREES = st.recursive(
    st.booleans() | st.integers(-(2**31), 2**31 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def written(tree: object) -> str:
    if isinstance(tree, bool):
        return str(tree).lower()
    if isinstance(tree, str):
        return "'" + tree.replace("'", "''") + "'"
    if isinstance(tree, list):
        return "[" + ", ".join(map(written, tree)) + "]"
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key}: {written(value)}" for key, value in tree.items()) + "}"
    return str(tree)


@settings(deadline=None)
@given(TREES)
def test_what_was_written_is_read(tree: object) -> None:
    assert plain(f"all: {written(tree)}") == {"all": tree}
