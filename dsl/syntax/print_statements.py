"""Statements as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dsl.syntax import nodes
from dsl.syntax.print_expressions import (
    EXPR,
    POST,
    SUM,
    TEST,
    format_args,
    format_clause,
    format_expr,
    optional,
)

STEP = "    "

Lines = Iterator[str]


def indented(lines: Lines) -> Lines:
    """Lines, one step deeper."""
    return (STEP + line for line in lines)


def format_block(block: nodes.Block) -> Lines:
    """The lines of a block, indented."""
    for stmt in block:
        yield from indented(format_stmt(stmt))


def format_stmt(stmt: nodes.Stmt) -> Lines:
    """The lines of a statement."""
    plain = _PLAIN.get(type(stmt))
    if plain is not None:
        yield plain(stmt)
        return
    yield from _WITH_BLOCK[type(stmt)](stmt)


def format_command(command: nodes.Command) -> str:
    """`verb value, extra from value`."""
    text = command.verb.text
    if command.object is not None:
        text += f" {_free(command.object)}"
    if command.extras:
        text += f" {', '.join(format_expr(extra) for extra in command.extras)}"
    return text + "".join(f" {prep.preposition} {_free(prep.value)}" for prep in command.preps)


def _free(expr: nodes.Expr) -> str:
    """A value among words: one with `if` and `else` is easier to read in brackets."""
    return format_expr(expr, TEST)


def quoted(before: str, text: nodes.Text | None) -> str:
    """A text with what leads to it, or nothing."""
    return optional(before, text)


def _which(stmt: nodes.OptionWhich | nodes.Question, to: str) -> str:
    count = "" if stmt.count is None else f"{format_count(stmt.count)} "
    return (
        f"which {count}{stmt.picked.text}{to} in {format_expr(stmt.source, TEST)}"
        f"{optional(' where ', stmt.where, TEST)}{optional(' such that ', stmt.such_that, TEST)}"
        f"{quoted(', ', stmt.reason)}"
    )


def format_count(count: nodes.Count) -> str:
    """`1` or `0..3`."""
    return format_expr(count.low, SUM) + optional("..", count.high, SUM)


def format_question(question: nodes.Question) -> str:
    """What follows the one who is asked."""
    to = f" to {question.question.text}"
    if question.form == "which":
        return _which(question, f"{to}, if any," if question.if_any else to)
    return f"how much {question.picked.text}{to} in {format_expr(question.source, TEST)}"


def format_answer(answer: nodes.May | nodes.Preference) -> str:
    """`pass`, `pick VALUE` or an answer with what it picks."""
    if answer.form == "pick":
        return f"pick {format_expr(answer.args[0].value, TEST)}"
    args = f"({format_args(answer.args)})" if answer.args else ""
    return ("pass" if answer.answer is None else answer.answer.text) + args


def _may(stmt: nodes.May) -> str:
    word = "may not" if stmt.negative else "may"
    who = format_expr(stmt.who, POST)
    return f"{who} {word} {format_answer(stmt)}{quoted(', ', stmt.reason)}"


def _was_asked(stmt: nodes.WasAsked) -> str:
    word = "is not asked" if stmt.negative else "is asked"
    return f"{format_expr(stmt.who, POST)} {word} {stmt.question.text}"


def _as_usual(stmt: nodes.AsUsual) -> str:
    return "as usual" + (f" with {format_args(stmt.args)}" if stmt.args else "")


def _luck(stmt: nodes.Luck) -> str:
    weight = optional(" weighing ", stmt.weight, TEST)
    return f"luck picks {stmt.name.text} in {format_expr(stmt.source, TEST)}{weight}"


def _says(stmt: nodes.Says) -> str:
    if stmt.text is None:
        return "says nothing"
    return f"says{quoted(' ', stmt.text)}{quoted(' otherwise ', stmt.otherwise)}"


def format_label(label: nodes.Label) -> str:
    """`as "text"`."""
    return f"as{quoted(' ', label.text)}"


def format_shows(shows: nodes.Shows) -> str:
    """`shows card, table.pile`."""
    return f"shows {', '.join(format_expr(value, TEST) for value in shows.values)}"


_PLAIN: dict[type[nodes.Stmt], Callable[[Any], str]] = {
    nodes.Let: lambda stmt: f"let {stmt.name.text} = {format_expr(stmt.value)}",
    nodes.Command: format_command,
    nodes.Get: lambda stmt: f"get {stmt.name.text} from {format_command(stmt.command)}",
    nodes.Assign: lambda stmt: f"{format_expr(stmt.target)} = {format_expr(stmt.value)}",
    nodes.OpenWindow: lambda stmt: f"open {format_command(stmt.command)}",
    nodes.Luck: _luck,
    nodes.OptionWhich: lambda stmt: _which(stmt, ""),
    nodes.OptionHowMuch: lambda stmt: (
        f"how much {stmt.picked.text} in {format_expr(stmt.source, TEST)}"
    ),
    nodes.Needs: lambda stmt: f"needs {format_expr(stmt.condition)}{quoted(', ', stmt.reason)}",
    nodes.Expect: lambda stmt: f"expect {format_expr(stmt.condition)}",
    nodes.End: lambda stmt: f"end {stmt.name.text}",
    nodes.NextPhase: lambda stmt: f"next {stmt.name.text}",
    nodes.Return: lambda stmt: f"return {format_expr(stmt.value)}",
    nodes.AsUsual: _as_usual,
    nodes.Says: _says,
    nodes.Label: format_label,
    nodes.Shows: format_shows,
    nodes.May: _may,
    nodes.WasAsked: _was_asked,
    nodes.GameIs: lambda stmt: f"the game {'is over' if stmt.over else 'goes on'}",
    nodes.ErrorStmt: lambda stmt: stmt.span.text,
}


def _if(stmt: nodes.If) -> Lines:
    for number, (condition, block) in enumerate(stmt.branches):
        yield f"{'else if' if number else 'if'} {format_expr(condition)}"
        yield from format_block(block)
    yield from _else(stmt.otherwise)


def _else(block: nodes.Block | None) -> Lines:
    if block is not None:
        yield "else"
        yield from format_block(block)


def _for_each(stmt: nodes.ForEach) -> Lines:
    yield f"for {format_clause(stmt.clause)}{optional(' by ', stmt.by, TEST)}"
    yield from format_block(stmt.body)


def _repeat(stmt: nodes.Repeat) -> Lines:
    yield "repeat"
    yield from format_block(stmt.body)
    yield f"until {format_expr(stmt.until)}"


def _ask_about(stmt: nodes.AskAbout) -> Lines:
    yield f"ask {format_expr(stmt.asked, EXPR)} about {stmt.question.text}"
    if stmt.label is not None:
        yield STEP + format_label(stmt.label)
    if stmt.shows is not None:
        yield STEP + format_shows(stmt.shows)
    for bullet in stmt.bullets:
        yield f"{STEP}* {bullet.name.text}"
        yield from indented(format_block(bullet.body))


def _ask(stmt: nodes.Ask) -> Lines:
    yield f"ask {format_expr(stmt.asked)} {format_question(stmt.question)}"
    if stmt.body is not None:
        yield from format_block(stmt.body)
        yield from _else(stmt.otherwise)


def _secretly(stmt: nodes.Secretly) -> Lines:
    yield f"secretly ask {format_clause(stmt.asked)} {format_question(stmt.question)}"
    yield from format_block(stmt.body)


_WITH_BLOCK: dict[type[nodes.Stmt], Callable[[Any], Lines]] = {
    nodes.If: _if,
    nodes.ForEach: _for_each,
    nodes.Repeat: _repeat,
    nodes.AskAbout: _ask_about,
    nodes.Ask: _ask,
    nodes.Secretly: _secretly,
}
