"""Programs for the tests: a small game, and what a test adds to it."""

from __future__ import annotations

from pathlib import Path

import yaml

from dsl.check import fit
from dsl.check.merged import Merged, RankedDecl, Row, Switching
from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.data import node as data
from dsl.diagnostics import Bag
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from dsl.syntax.parser import parse_script

BASE = (Path(__file__).parent / "base.rules").read_text(encoding="utf-8")
IDLE = "RW90"  # the area of what never happens: most tests declare what nothing uses
SEATS = (("ann", "Ann"), ("ben", "Ben"), ("cleo", "Cleo"))
DATA = """
fields:
  - {id: go, kind: Start, toll: 0}
  - {id: rose, kind: Garden, toll: 10, blooms: [10, 20, 30, 40]}
  - {id: tulip, kind: Garden, toll: 20, blooms: [20, 40, 60, 80]}
cards:
  - {id: two, value: 2}
  - {id: five, value: 5}
  - {id: joker, kind: Joker, value: 9}
"""


def rows_of(text: str) -> dict[str, tuple[Row, ...]]:
    """Sections of data, every value with its place."""
    source = Source("variant.yaml", text)

    def place(node: yaml.Node) -> Span:
        return Span(source, node.start_mark.index, node.end_mark.index)

    def value(node: yaml.Node) -> data.DataNode:
        if isinstance(node, yaml.SequenceNode):
            return data.Sequence(tuple(value(item) for item in node.value), place(node))
        if isinstance(node, yaml.MappingNode):
            entries = [data.Entry(scalar(key), value(item)) for key, item in node.value]
            return data.Mapping({entry.name: entry for entry in entries}, place(node))
        return scalar(node)

    def scalar(node: yaml.Node) -> data.Scalar:
        return data.Scalar(yaml.safe_load(node.value), place(node))

    sections: dict[str, tuple[Row, ...]] = {}
    tree = yaml.compose(text)
    for key, listed in tree.value if tree is not None else ():
        rows = []
        for item in listed.value:
            fields = {name.value: value(inner) for name, inner in item.value}
            id_ = fields.pop("id")
            kind, title = fields.pop("kind", None), fields.pop("name", None)
            assert isinstance(id_, data.Scalar)
            assert title is None or isinstance(title, data.Scalar)
            shown = str(title.value if title else id_.value).replace("_", " ")
            of = str(kind.value) if isinstance(kind, data.Scalar) else None
            text = fields.pop("text", None)
            printed = str(text.value) if isinstance(text, data.Scalar) else None
            rows.append(Row(str(id_.value), id_.span, of, fields, shown, printed, place(item)))
        sections[key.value] = tuple(rows)
    return sections


def merge(
    *texts: str,
    bag: Bag,
    base: str = BASE,
    things: str = DATA,
    mods: tuple[str, ...] = (),
    settings: dict[str, str] | None = None,
    library: bool = False,
    money_limit: int = fit.MOST_MONEY,
) -> Merged:
    """The small game with more scripts: the first belongs to the variant, the others to mods."""
    declarations: list[RankedDecl] = []
    layers = ["std/more" if library else "game", *mods]
    scripts = [(base, 0, "game")]
    scripts += [
        (text, index + 1, layers[min(index, len(mods))]) for index, text in enumerate(texts)
    ]
    for text, rank, layer in scripts:
        for decl in parse_script(Source(f"{layer}.rules", text), bag).declarations:
            if isinstance(decl, syntax.Replace):
                replaced = _replaced(decl.declaration, declarations, layer)
                if replaced is None:
                    continue
                decl = replaced
            declarations.append(RankedDecl(decl, rank, layer))
    spot = Span(Source("command line", ""), 0, 0)
    switchings = [Switching(name, value, spot, "game") for name, value in (settings or {}).items()]
    switchings += [
        Switching(ranked.decl.name.text, ranked.decl.value, ranked.decl.name.span, ranked.layer)
        for ranked in declarations
        if isinstance(ranked.decl, syntax.SetSwitch)
    ]
    return Merged(
        colours={},
        language="en",
        forms={},
        variant="game", title="A game", description="", mods=mods, min_players=2, max_players=3,
        seats=SEATS, declarations=tuple(declarations), switchings=tuple(switchings),
        sections=rows_of(things), currency={}, terms={}, texts={}, board={}, phase_limit=1000,
        act_limit=10000, money_limit=money_limit, assumed=(), digest="0",
    )  # fmt: skip


def _replaced(decl: syntax.Decl, declarations: list[RankedDecl], layer: str) -> syntax.Decl | None:
    """Put a declaration in the place of the one with its name; give it back where there is none."""
    for index, ranked in enumerate(declarations):
        if type(ranked.decl) is type(decl) and _name(ranked.decl) == _name(decl):
            declarations[index] = RankedDecl(decl, ranked.rank, layer)
            return None
    return decl


def _name(decl: syntax.Decl) -> str:
    if isinstance(decl, syntax.Define):
        subject = decl.head.subject
        return f"{subject.name.text if subject else ''}.{decl.head.name.text}"
    if isinstance(decl, syntax.Routine | syntax.EventDecl | syntax.Window):
        return decl.signature.verb.text
    name = getattr(decl, "name", None)
    return name.text if isinstance(name, syntax.Name) else ""


def check(
    *texts: str,
    base: str = BASE,
    things: str = DATA,
    mods: tuple[str, ...] = (),
    players: int = 2,
    settings: dict[str, str] | None = None,
    library: bool = False,
) -> tuple[core.Program | None, Bag]:
    """Check the small game with more scripts."""
    bag = Bag()
    merged = merge(
        *texts,
        bag=bag,
        base=base,
        things=things,
        mods=mods,
        settings=settings,
        library=library,
    )
    return check_program(merged, players, bag), bag


def program_of(*texts: str, **options: object) -> core.Program:
    """The program of the small game with more scripts; it must be without faults."""
    program, bag = check(*texts, **options)  # type: ignore[arg-type]
    assert program is not None, "\n".join(f"{d.code} {d.message}: {d.span.text}" for d in bag)
    return program


def codes_of(*texts: str, **options: object) -> list[str]:
    """The codes of all that is said of the small game with more scripts, but for what is idle."""
    _, bag = check(*texts, **options)  # type: ignore[arg-type]
    return [found.code for found in bag.sorted() if not found.code.startswith(IDLE)]
