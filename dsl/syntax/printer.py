"""Syntax trees as canonical text: `parse_script` of it gives the tree again, but for places.

Comments that are no docs are not in the tree: files that people write are for `formatter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dsl.syntax import nodes
from dsl.syntax.print_expressions import (
    SUM,
    TEST,
    format_clause,
    format_expr,
    format_type,
    optional,
)
from dsl.syntax.print_statements import (
    STEP,
    Lines,
    format_answer,
    format_block,
    format_command,
    format_label,
    format_shows,
    format_stmt,
    indented,
    quoted,
)


def format_script(script: nodes.Script) -> str:
    """The canonical text of a file."""
    lines: list[str] = []
    last: nodes.Decl | None = None
    was_long = False
    for decl in script.declarations:
        body = list(format_decl(decl))
        is_long = len(body) > 1
        if last is not None and (is_long or was_long or type(decl) is not type(last)):
            lines.append("")
        lines += body
        last, was_long = decl, is_long
    return "".join(f"{line}\n" for line in lines)


def format_decl(decl: nodes.Decl) -> Lines:
    """The lines of a declaration, its doc first."""
    yield from _doc(decl.doc)
    yield from _BODIES[type(decl)](decl)


def _doc(doc: str) -> Lines:
    for line in doc.split("\n") if doc else ():
        yield f"-- {line}".rstrip()


def _names(names: Iterable[nodes.Name], between: str = ", ") -> str:
    return between.join(name.text for name in names)


def _named(before: str, name: nodes.Name | None) -> str:
    return "" if name is None else before + name.text


# ---------------------------------------------------------------- overlays


def _replace(decl: nodes.Replace) -> Lines:
    body = _BODIES[type(decl.declaration)](decl.declaration)
    yield f"replace {next(body)}"
    yield from body


def _remove(decl: nodes.Remove) -> Lines:
    head = "" if decl.head is None else f" to {_head(decl.head)}"
    yield f"remove {decl.what} {decl.name.text}{head}"


def _set_switch(decl: nodes.SetSwitch) -> Lines:
    yield f"set {decl.name.text} = {format_expr(decl.value)}"


def _add_fields(decl: nodes.AddFields) -> Lines:
    yield f"add to {decl.owner.text}"
    yield from _fields(decl.fields)


def _exception(decl: nodes.ExceptionDecl) -> Lines:
    yield f"exception to {_head(decl.head)}"
    yield from format_block(decl.lets)
    yield from _buts(decl.buts)


def _forbid(decl: nodes.Forbid) -> Lines:
    condition = format_expr(decl.condition, TEST)
    place, reason = decl.place.text, format_expr(decl.reason)
    yield f"forbid {decl.option.text} in {place} if {condition}, {reason}"


# ---------------------------------------------------------------- what exists


def _kind(decl: nodes.KindDecl) -> Lines:
    yield (
        f"kind {decl.name.text}{_named(' is ', decl.base)}{_named(', plural ', decl.plural)}"
        f"{optional(', made in play up to ', decl.pool, SUM)}"
    )
    yield from _fields(decl.fields)


def _thing(decl: nodes.ThingDecl) -> Lines:
    yield f"thing {decl.name.text}{_named(' is ', decl.base)}"
    yield from _fields(decl.fields)


def _unit(decl: nodes.UnitDecl) -> Lines:
    yield f"unit {decl.name.text}{_named(', plural ', decl.plural)}"


def _choice(decl: nodes.ChoiceDecl) -> Lines:
    yield f"choice {decl.name.text} = {_names(decl.values, ' | ')}"


def _switch(decl: nodes.SwitchDecl) -> Lines:
    default, question = format_expr(decl.default), quoted(", ", decl.question)
    yield f"switch {decl.name.text}: {format_type(decl.type)} = {default}{question}"


def _fields(fields: Iterable[nodes.Field]) -> Lines:
    for field in fields:
        yield from indented(_doc(field.doc))
        yield STEP + _field(field)


def _field(field: nodes.Field) -> str:
    if isinstance(field, nodes.StateField):
        what = format_type(field.type)
    else:
        bound = optional(" up to ", field.bound, SUM)
        what = f"holds {field.what.text}{_named(' as ', field.back)}{bound}"
    starts = optional(" starts ", field.starts)
    return f"{field.name.text}: {what}{starts}{''.join(map(_trait, field.traits))}"


def _trait(trait: nodes.Trait) -> str:
    by = "" if trait.by is None else f" by {trait.by}"
    return f", {trait.word}{by}{optional(' if ', trait.condition, TEST)}"


# ---------------------------------------------------------------- derived values


def _param(param: nodes.Param) -> str:
    return param.name.text + ("" if param.type is None else f": {format_type(param.type)}")


def _head(head: nodes.Head) -> str:
    text = head.name.text
    if head.subject is not None:
        subject = _param(head.subject)
        text = f"{subject if head.subject.type is None else f'({subject})'}.{text}"
    return text + (f"({', '.join(map(_param, head.params))})" if head.params else "")


def _define(decl: nodes.Define) -> Lines:
    head = f"define {_head(decl.head)}: {format_type(decl.type)}"
    if decl.seen_by is not None:
        head += f", seen by {decl.seen_by.text}"
    base = format_expr(decl.base)
    if not decl.lets and not decl.buts:
        yield f"{head} = {base}"
        return
    yield head
    yield from format_block(decl.lets)
    yield STEP + base
    yield from _buts(decl.buts)


def _buts(buts: Iterable[nodes.But]) -> Lines:
    for but in buts:
        value = format_expr(but.value, TEST)
        yield f"{STEP}but {but.name.text}: {value}{optional(' if ', but.condition, TEST)}"


# ---------------------------------------------------------------- what happens


def _preps(preps: Iterable[nodes.PrepParam]) -> str:
    return "".join(f" {prep.preposition} {_param(prep.param)}" for prep in preps)


def _signature(signature: nodes.Signature) -> str:
    param = "" if signature.param is None else f" {_param(signature.param)}"
    return f"{signature.verb.text}{param}{_preps(signature.preps)}"


def _routine(decl: nodes.Routine) -> Lines:
    gives = "" if decl.gives is None else f" gives {format_type(decl.gives)}"
    yield f"to {_signature(decl.signature)}{gives}"
    yield from format_block(decl.body)


def _event(decl: nodes.EventDecl) -> Lines:
    yield f"event {_signature(decl.signature)}"
    yield from format_block(decl.body)


def _rule(decl: nodes.RuleDecl) -> Lines:
    yield (
        f"rule {decl.name.text}: {decl.timing} {_signature(decl.signature)}"
        f"{optional(' if ', decl.condition, TEST)}{_named(' ahead of ', decl.ahead_of)}"
    )
    yield from format_block(decl.body)


def _watch(decl: nodes.WatchDecl) -> Lines:
    yield f"rule {decl.name.text}: whenever {format_expr(decl.condition, TEST)}"
    yield from format_block(decl.body)


def _always(decl: nodes.Always) -> Lines:
    each = "".join(f" for {format_clause(clause)}" for clause in decl.clauses)
    condition = format_expr(decl.condition)
    yield f"always {decl.name.text}{each}: {condition}{quoted(', ', decl.reason)}"


def _phase(decl: nodes.Phase) -> Lines:
    yield f"phase {decl.name.text}"
    yield from format_block(decl.body)
    if decl.then is not None:
        yield "then"
        yield from format_block(decl.then)


def _measure(decl: nodes.Measure) -> Lines:
    per = ", ".join(format_expr(key, TEST) for key in decl.per)
    yield (
        f"measure {decl.name.text}{quoted(' ', decl.title)}: {decl.timing} "
        f"{_signature(decl.signature)}{optional(' if ', decl.condition, TEST)} "
        f"add {format_expr(decl.value, TEST)}{f' per {per}' if per else ''}"
    )


# ---------------------------------------------------------------- windows and options


def _window(decl: nodes.Window) -> Lines:
    yield f"window {_signature(decl.signature)}"
    yield f"{STEP}ask {format_clause(decl.asked)}"
    yield STEP + decl.closing
    if decl.label is not None:
        yield STEP + format_label(decl.label)
    if decl.shows is not None:
        yield STEP + format_shows(decl.shows)
    for way in decl.passes:
        condition = optional(" if ", way.condition, TEST)
        yield f"{STEP}pass as{quoted(' ', way.text)}{condition}"


def _option(decl: nodes.Option) -> Lines:
    given = f" by {_param(decl.by)}{_preps(decl.given)}"
    yield f"option {decl.name.text} in {_names(decl.windows)}{given}"
    yield from format_block(decl.body)


# ---------------------------------------------------------------- strategies and scenarios


def _strategy(decl: nodes.Strategy) -> Lines:
    yield f"strategy {decl.name.text}{_named(' is ', decl.base)}"
    for part in decl.parts:
        yield f"{STEP}for {_names(part.questions)}"
        yield from indented(format_block(part.lets))
        for preference in part.preferences:
            yield STEP * 2 + _preference(preference)


def _preference(line: nodes.Preference) -> str:
    text = format_answer(line)
    text += "".join(f" for {format_clause(clause)}" for clause in line.clauses)
    text += optional(" if ", line.condition, TEST)
    ranking = ", ".join(f"{the.extreme} {format_expr(the.value, TEST)}" for the in line.ranking)
    return f"{text} with the {ranking}" if ranking else text


def _saying(decl: nodes.Saying) -> Lines:
    object_ = "" if decl.object is None else f" {_param(decl.object)}"
    yield f"saying {_param(decl.subject)} {decl.verb.text}{object_}{_preps(decl.preps)}"
    yield from format_block(decl.body)


def _scenario(decl: nodes.Scenario) -> Lines:
    yield f'scenario "{decl.title}"'
    if decl.seats:
        yield f"{STEP}seats {_names(decl.seats)}"
    if decl.mods:
        yield f"{STEP}with {_names(decl.mods)}"
    if decl.profile is not None:
        yield f"{STEP}profile {decl.profile.text}"
    for switch in decl.switches:
        yield from indented(format_decl(switch))
    for step in decl.steps:
        yield from indented(_step(step))


def _step(step: nodes.Given | nodes.When | nodes.Then) -> Lines:
    match step:
        case nodes.Given(block=(stmt,)):
            first, *rest = format_stmt(stmt)
            yield f"given {first}"
            yield from rest
        case nodes.Given():
            yield "given"
            yield from format_block(step.block)
        case nodes.When():
            command = "" if step.command is None else f" {format_command(step.command)}"
            yield f"when{command}{_named(' up to ', step.stop)}"
            for line in step.said:
                answers = ", ".join(_said(answer) for answer in line.answers)
                yield f"{STEP}{line.who.text}: {answers}"
        case nodes.Then():
            yield "then"
            for stmt in step.expected:
                yield from indented(_expectation(stmt))


def _said(said: nodes.Said) -> str:
    value = "pass" if said.value is None else format_expr(said.value)
    return value + _named(" at ", said.question)


def _expectation(stmt: nodes.Stmt) -> Lines:
    if isinstance(stmt, nodes.Expect):
        yield format_expr(stmt.condition)
    else:
        yield from format_stmt(stmt)


_BODIES: dict[type[nodes.Decl], Callable[[Any], Lines]] = {
    nodes.Replace: _replace,
    nodes.Remove: _remove,
    nodes.SetSwitch: _set_switch,
    nodes.AddFields: _add_fields,
    nodes.ExceptionDecl: _exception,
    nodes.Forbid: _forbid,
    nodes.KindDecl: _kind,
    nodes.ThingDecl: _thing,
    nodes.ChoiceDecl: _choice,
    nodes.UnitDecl: _unit,
    nodes.SwitchDecl: _switch,
    nodes.Define: _define,
    nodes.Routine: _routine,
    nodes.EventDecl: _event,
    nodes.RuleDecl: _rule,
    nodes.WatchDecl: _watch,
    nodes.Always: _always,
    nodes.Phase: _phase,
    nodes.Measure: _measure,
    nodes.Window: _window,
    nodes.Option: _option,
    nodes.Strategy: _strategy,
    nodes.Saying: _saying,
    nodes.Scenario: _scenario,
}
