"""The parse tables of the rules language, made from rules.lark by Lark.

Only `table_file` imports this: Lark is needed to build the tables, not to use them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from lark import Lark
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import IntParseTable, Reduce

from dsl.syntax.tables import Production, Tables

# What a parse can begin with: a file, one value, or a block below a line that can't be read.
STARTS = (
    "start",
    "expr",
    "block",
    "fields",
    "_define_block",
    "_window_block",
    "_bullets",
    "_strategy_block",
    "_answers",
    "_scenario_block",
    "_said_block",
)

_LAYOUT = ("_NL", "COMMENT", "__IGNORE_0")


class _NoLayout:
    """Layout is made outside Lark; its terminals only have to be kept."""

    always_accept = ("BAD", "MIXED")

    def process(self, stream: object) -> object:
        return stream


def build_tables(grammar: str) -> Tables:
    """All that the lexer and the driver need to know of the grammar."""
    lark = Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(STARTS),
        maybe_placeholders=True,
        postlex=_NoLayout(),
    )
    table = lark.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    labels = {terminal.name: _label(terminal) for terminal in lark.terminals}
    labels |= {name: name for name in ("_INDENT", "_DEDENT", "BROKEN", "$END")}
    states = _in_order(table)
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in states:
        row: dict[str, int] = {}
        goto: dict[str, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is Reduce:
                row[labels[symbol]] = -1 - numbers[argument]
            elif symbol in labels:
                row[labels[symbol]] = states[argument]
            else:
                goto[str(symbol)] = states[argument]
        actions.append(row)
        gotos.append(goto)
    fixed = [label for name, label in labels.items() if label != name]
    return Tables(
        actions=actions,
        gotos=gotos,
        productions=[_production(rule) for rule in lark.rules],
        starts={name: states[table.start_states[name]] for name in STARTS},
        ends={name: states[table.end_states[name]] for name in STARTS},
        keywords=frozenset(label for label in fixed if label.isalpha()),
        words=_words(lark.terminals),
    )


def _in_order(table: IntParseTable) -> dict[int, int]:
    """The states with the numbers that they get: as they are met from the starts on. Lark's own
    numbers are others in each run."""
    found = {table.start_states[name]: None for name in STARTS}
    todo = list(found)
    for state in todo:
        for _, (action, argument) in sorted(table.states[state].items()):
            if action is not Reduce and argument not in found:
                found[argument] = None
                todo.append(argument)
    return {state: number for number, state in enumerate(found)}


def _label(terminal: TerminalDef) -> str:
    """What tokens of a terminal are called: a fixed word or sign is called by itself."""
    is_fixed = isinstance(terminal.pattern, PatternStr)
    return terminal.pattern.value if is_fixed else terminal.name


def _production(rule: object) -> Production:
    """A rule as the driver uses it; the picks follow Lark's own way with placeholders."""
    origin = str(rule.origin.name)  # type: ignore[attr-defined]
    options = rule.options  # type: ignore[attr-defined]
    alias = rule.alias  # type: ignore[attr-defined]
    expansion = rule.expansion  # type: ignore[attr-defined]
    picks: list[int] = []
    spliced: list[bool] = []
    position = 0
    for is_gap in options.empty_indices or [False] * len(expansion):
        if is_gap:
            picks.append(-1)
            spliced.append(False)
            continue
        symbol = expansion[position]
        dropped = symbol.is_term and symbol.filter_out and not options.keep_all_tokens
        if not dropped:
            picks.append(position)
            spliced.append(not symbol.is_term and symbol.name.startswith("_"))
        position += 1
    if origin.startswith("_"):
        kind = "inline"
    elif options.expand1 and alias is None and len(picks) == 1 and not spliced[0]:
        kind = "unit" if len(expansion) == 1 else "pick"
    else:
        kind = "build"
    return Production(
        origin=origin,
        size=len(expansion),
        kind=kind,
        name=str(alias or origin),
        picks=picks,
        spliced=spliced,
    )


def _words(terminals: Collection[TerminalDef]) -> str:
    """One expression for all tokens but keywords, in the order of Lark's basic lexer."""
    fixed = [t.pattern.value for t in terminals if isinstance(t.pattern, PatternStr)]
    signs = sorted((sign for sign in fixed if not sign.isalpha()), key=len, reverse=True)
    patterns = sorted(
        (t for t in terminals if t.name not in _LAYOUT and not isinstance(t.pattern, PatternStr)),
        key=lambda t: (-t.priority, t.name == "BAD", -t.pattern.max_width, -len(t.pattern.value)),
    )
    groups = [f"(?P<{t.name}>{t.pattern.value})" for t in patterns]
    groups.insert(-1, f"(?P<SIGN>{'|'.join(map(re.escape, signs))})")
    return "|".join(groups)
