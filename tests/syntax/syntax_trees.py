"""Trees of every kind of node, for properties: the tree is made first, its text after it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dsl.diagnostics.cells import is_unseen
from dsl.source import NOWHERE
from dsl.syntax import expected, nodes
from dsl.syntax.table_file import load_tables

Exprs = SearchStrategy[nodes.Expr]

PREPOSITIONS = sorted(expected.PREPOSITIONS)


def bare(node: object) -> object:
    """A tree as nested tuples without places, to be compared."""
    if is_dataclass(node):
        values = (getattr(node, field.name) for field in fields(node) if field.name != "span")
        return (type(node).__name__, *map(bare, values))
    return tuple(map(bare, node)) if isinstance(node, tuple) else node


def kinds(node: object) -> set[str]:
    """The names of all kinds of nodes in a tree."""
    if is_dataclass(node):
        inner = [kinds(getattr(node, field.name)) for field in fields(node)]
        return {type(node).__name__}.union(*inner)
    return set().union(*map(kinds, node)) if isinstance(node, tuple) else set()


def make(node_type, *values):  # type: ignore[no-untyped-def]
    """A strategy for nodes of a type, from strategies for what it has besides its place."""
    return st.builds(node_type, st.just(NOWHERE), *values)


def some(strategy, least=0, most=3):  # type: ignore[no-untyped-def]
    """Tuples of a few."""
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def maybe(strategy):  # type: ignore[no-untyped-def]
    return st.none() | strategy


# ---------------------------------------------------------------- words


@cache
def _is_reserved(word: str) -> bool:
    return word in load_tables().keywords or word in ("before", "after")


words = (
    st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True) | st.sampled_from(["count", "any", "all"])
).filter(lambda word: not _is_reserved(word))
capitals = st.from_regex(r"[A-Z][A-Za-z0-9]{0,5}", fullmatch=True)
names = make(nodes.Name, words)
kind_names = make(nodes.Name, capitals)
letters = st.characters(exclude_characters='"\n', exclude_categories=("Cs",)).filter(
    lambda char: not is_unseen(char)
)
doc_lines = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12).filter(
    lambda line: line == line.strip() and not line.startswith("-")
)
docs = st.lists(doc_lines, max_size=3).map(lambda lines: "\n".join(lines).strip("\n"))

# ---------------------------------------------------------------- expressions

name_exprs = make(nodes.NameExpr, words)
numbers = make(nodes.Number, st.integers(0, 10**15 - 1))
none = make(nodes.Literal_, st.just("none"))

_leaves = (
    numbers
    | make(nodes.Percent, st.integers(0, 999))
    | make(nodes.Literal_, st.sampled_from(["yes", "no", "none", "usual"]))
    | name_exprs
    | make(nodes.KindExpr, capitals)
)


def _clauses(inner: Exprs) -> SearchStrategy[nodes.Clause]:
    return make(nodes.Clause, names, inner, maybe(inner))


def _queries(inner: Exprs) -> Exprs:
    return make(nodes.Query, maybe(inner), some(_clauses(inner), 1, 2), maybe(inner))


def _args(inner: Exprs, least: int = 0) -> SearchStrategy[tuple[nodes.Arg, ...]]:
    plain = make(nodes.Arg, st.none(), inner | _queries(inner))
    to = st.just(nodes.Name(NOWHERE, "to"))
    return some(plain | make(nodes.Arg, names | to, inner), least)


def _branches(inner: Exprs) -> Exprs:
    ops = get_args(nodes.BinaryOp)
    return (
        make(nodes.Dot, inner, names, st.none() | _args(inner, 1))
        | make(nodes.Index, inner, inner)
        | make(nodes.Call, names, _args(inner))
        | make(nodes.New, kind_names, _args(inner))
        | make(nodes.ListExpr, some(inner))
        | make(nodes.ListExpr, st.tuples(_queries(inner)))
        | make(nodes.Binary, st.sampled_from(ops), inner, inner)
        | make(nodes.Unary, st.sampled_from(["not", "-"]), inner)
        | make(nodes.Conditional, inner, inner, inner)
        | make(nodes.Range, inner, inner, maybe(inner))
    )


# What may stand in the holes of texts: everything but texts.
plain_exprs: Exprs = st.recursive(_leaves, _branches, max_leaves=6)


def _joined(parts: list[str | nodes.Expr]) -> tuple[str | nodes.Expr, ...]:
    """Parts as the parser finds them: no two pieces of plain text in a row."""
    joined: list[str | nodes.Expr] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)


texts = make(
    nodes.Text, st.lists(st.text(letters, max_size=6) | plain_exprs, max_size=3).map(_joined)
)
exprs: Exprs = st.recursive(_leaves | texts, _branches, max_leaves=6)
small = st.recursive(_leaves, _branches, max_leaves=3)
clauses = _clauses(small)
args = _args(small)
paths = st.lists(names, max_size=2).flatmap(
    lambda tail: name_exprs.map(lambda first: _path(first, tail))
)


def _path(first: nodes.Expr, tail: list[nodes.Name]) -> nodes.Expr:
    for name in tail:
        first = nodes.Dot(NOWHERE, first, name, None)
    return first


def _is_field(path: nodes.Expr) -> bool:
    return isinstance(path, nodes.Dot)


# ---------------------------------------------------------------- types

_plain_types = (
    make(nodes.WordType, words)
    | make(nodes.KindType, capitals)
    | make(nodes.RangeType, small, small, maybe(small))
)
types = (
    _plain_types
    | make(nodes.OptionalType, _plain_types)
    | make(nodes.ChoiceType, some(names, 2))
    | make(nodes.ListType, st.booleans(), _plain_types, maybe(small))
    | make(nodes.MapType, _plain_types, _plain_types)
)

# ---------------------------------------------------------------- statements

_prep_args = some(make(nodes.PrepArg, st.sampled_from(PREPOSITIONS), small), most=2)
_extras = some(paths | numbers | none, most=2)
commands = make(nodes.Command, names, st.none(), st.just(()), _prep_args) | make(
    nodes.Command, names, exprs, _extras, _prep_args
)
_luck_gives = make(
    nodes.Command,
    st.just(nodes.Name(NOWHERE, "luck")),
    st.just(nodes.NameExpr(NOWHERE, "gives")),
    some(small, 1),
    st.just(()),
)
counts = make(nodes.Count, small, maybe(small))
_which = (st.just("which"), names, names, maybe(counts), st.booleans(), small, maybe(small))
questions = (
    make(nodes.Question, *_which, st.none(), st.none())
    | make(nodes.Question, *_which, small, maybe(texts))
    | make(
        nodes.Question,
        st.just("how much"),
        names,
        names,
        st.none(),
        st.just(False),
        small,
        st.none(),
        st.none(),
        st.none(),
    )
)
lets = make(nodes.Let, names, exprs)

_lines = (
    lets
    | commands
    | _luck_gives
    | make(nodes.Get, names, commands)
    | make(nodes.Assign, paths, exprs)
    | make(nodes.Assign, make(nodes.Index, paths.filter(_is_field), small), exprs)
    | make(nodes.OpenWindow, commands)
    | make(nodes.Luck, names, small, maybe(small))
    | make(nodes.OptionWhich, names, maybe(counts), small, maybe(small), small, maybe(texts))
    | make(nodes.OptionWhich, names, maybe(counts), small, maybe(small), st.none(), st.none())
    | make(nodes.OptionHowMuch, names, small)
    | make(nodes.Needs, exprs, maybe(texts))
    | make(nodes.Expect, exprs)
    | make(nodes.End, names)
    | make(nodes.NextPhase, names)
    | make(nodes.Return, exprs)
    | make(nodes.AsUsual, args)
    | make(nodes.Ask, paths, questions, st.none(), st.none())
    | make(nodes.Says, texts, maybe(texts))
    | make(nodes.Says, st.none(), st.none())
    | make(nodes.Label, texts)
    | make(nodes.Shows, some(small, 1))
)


def _with_blocks(inner: SearchStrategy[nodes.Stmt]) -> SearchStrategy[nodes.Stmt]:
    block = some(inner, 1)
    bullets = make(nodes.Bullet, names, some(inner))
    return (
        make(nodes.If, some(st.tuples(small, block), 1), maybe(block))
        | make(nodes.ForEach, clauses, maybe(small), block)
        | make(nodes.Repeat, block, small)
        | make(
            nodes.AskAbout,
            paths,
            names,
            maybe(make(nodes.Label, texts)),
            maybe(make(nodes.Shows, some(small, 1))),
            some(bullets, 1),
        )
        | make(nodes.Ask, paths, questions, block, maybe(block))
        | make(nodes.Secretly, clauses, questions, block)
    )


stmts = st.recursive(_lines, _with_blocks, max_leaves=4)
blocks = some(stmts, 1)

# ---------------------------------------------------------------- declarations

# `if any,` is one word wherever it stands.
_conditions = small.filter(lambda expr: not isinstance(expr, nodes.NameExpr) or expr.name != "any")
_traits = some(
    make(
        nodes.Trait,
        st.sampled_from(["ordered", "endless", "fanned", "shown", "not shown"]),
        st.none(),
        st.none(),
    )
    | make(nodes.Trait, st.just("count hidden"), st.none(), maybe(_conditions))
    | make(nodes.Trait, st.just("seen"), words, maybe(_conditions))
)
_fields = make(nodes.StateField, names, types, maybe(exprs), _traits, docs) | make(
    nodes.HolderField,
    names,
    names | kind_names,
    maybe(names),
    maybe(small),
    maybe(exprs),
    _traits,
    docs,
)
_params = make(nodes.Param, names, maybe(types))
_prep_params = some(make(nodes.PrepParam, st.sampled_from(PREPOSITIONS), _params), most=2)
_signatures = make(nodes.Signature, names, maybe(_params), _prep_params)
_heads = make(nodes.Head, maybe(_params), names, some(_params))
_buts = make(nodes.But, names, small, maybe(small))
_timings = st.sampled_from(["before", "after", "instead of"])
_closings = st.sampled_from(
    ["until all pass", "until one acts", "until nobody can", "once each", "exactly one"]
)
_set_switches = make(nodes.SetSwitch, docs, names, exprs)

named_decls = (
    make(
        nodes.KindDecl,
        docs,
        kind_names,
        maybe(kind_names),
        maybe(names),
        maybe(small),
        some(_fields),
    )
    | make(nodes.ThingDecl, docs, names, maybe(kind_names), some(_fields))
    | make(nodes.ChoiceDecl, docs, kind_names, some(names, 1))
    | make(nodes.UnitDecl, docs, names, maybe(names))
    | make(nodes.SwitchDecl, docs, names, types, exprs, maybe(texts))
    | make(nodes.Define, docs, _heads, types, maybe(names), some(lets), exprs, some(_buts))
    | make(nodes.Routine, docs, _signatures, maybe(types), blocks)
    | make(nodes.EventDecl, docs, _signatures, some(stmts))
    | make(nodes.RuleDecl, docs, names, _timings, _signatures, maybe(small), maybe(names), blocks)
    | make(nodes.WatchDecl, docs, names, small, blocks)
    | make(nodes.Always, docs, names, some(clauses, most=2), exprs, maybe(texts))
    | make(nodes.Phase, docs, names, blocks, maybe(blocks))
    | make(
        nodes.Measure,
        docs,
        names,
        maybe(texts),
        _timings,
        _signatures,
        maybe(small),
        small,
        some(small),
    )
    | make(
        nodes.Window,
        docs,
        _signatures,
        clauses,
        _closings,
        maybe(make(nodes.Label, texts)),
        maybe(make(nodes.Shows, some(small, 1))),
        some(make(nodes.PassAs, texts, maybe(small)), most=2),
    )
    | make(nodes.Option, docs, names, some(names, 1), _params, _prep_params, blocks)
    | make(nodes.Saying, docs, _params, names, maybe(_params), _prep_params, blocks)
)

_no_args = st.just(())
_rankings = some(make(nodes.WithThe, st.sampled_from(["most", "least"]), small), most=2)
_tails = (some(clauses, most=2), maybe(small), _rankings)
_preferences = (
    make(nodes.Preference, st.just("pass"), st.none(), _no_args, *_tails)
    | make(nodes.Preference, st.just("named"), names, args, *_tails)
    | make(
        nodes.Preference,
        st.just("pick"),
        st.none(),
        st.tuples(make(nodes.Arg, st.none(), small)),
        *_tails,
    )
)
_strategy_parts = make(nodes.StrategyFor, some(names, 1), some(lets), some(_preferences, 1))
_strategies = make(nodes.Strategy, docs, names, maybe(names), some(_strategy_parts, 1))

_seats = names | st.just(nodes.Name(NOWHERE, "luck"))
_answers = make(nodes.Said, maybe(exprs), maybe(names))
_said = make(nodes.SaidLine, _seats, some(_answers, 1))
_sentences = make(nodes.Command, names, name_exprs, _extras, _prep_args)
_judged = st.sampled_from(
    [
        (st.just("pass"), st.none(), _no_args),
        (st.just("named"), names, args),
        (st.just("pick"), st.none(), st.tuples(make(nodes.Arg, st.none(), small))),
    ]
)
_expected = some(
    make(nodes.Expect, exprs)
    | _judged.flatmap(lambda answer: make(nodes.May, small, st.just(False), *answer, st.none()))
    | _judged.flatmap(lambda answer: make(nodes.May, small, st.just(True), *answer, maybe(texts)))
    | make(nodes.WasAsked, small, st.booleans(), names)
    | make(nodes.GameIs, st.booleans())
    | _sentences,
    1,
)
_then = make(nodes.Then, _expected)
_rounds = st.tuples(
    some(make(nodes.Given, some(stmts, 1, 2)), most=2),
    some(make(nodes.When, commands, st.none(), some(_said)), 0, 2),
    _then,
).map(lambda parts: (*parts[0], *parts[1], parts[2]))
_stopped = st.tuples(
    make(nodes.When, commands, names, some(_said)),
    _then,
    make(nodes.When, st.none(), names, some(_said)),
    _then,
    make(nodes.When, st.none(), st.none(), some(_said, 1)),
    _then,
)
_scenarios = make(
    nodes.Scenario,
    docs,
    st.text(letters, max_size=10),
    some(names),
    some(names),
    maybe(names),
    some(_set_switches),
    some(_rounds | _stopped, 1, 2).map(lambda rounds: sum(rounds, ())),
)

decls = (
    named_decls
    | named_decls.map(lambda decl: nodes.Replace(NOWHERE, decl.doc, decl))
    | make(
        nodes.Remove,
        docs,
        st.sampled_from(["rule", "option", "exception", "window", "always", "measure", "saying"]),
        names,
        maybe(_heads),
    )
    | _set_switches
    | make(nodes.AddFields, docs, names | kind_names, some(_fields, 1))
    | make(nodes.ExceptionDecl, docs, _heads, some(lets), some(_buts, 1))
    | make(nodes.Forbid, docs, names, names, small, texts)
    | _strategies
    | _scenarios
)
scripts = make(nodes.Script, some(decls))
