"""What a scenario would have to say to notice a change."""

from __future__ import annotations

from dsl.check.merged import Row
from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit
from interpreter.mutants.writing import short

THEN = "then"


def sketch(decl: syntax.Decl, edit: Edit) -> tuple[str, ...]:
    """When something must happen, and what must be expected, as far as that can be said."""
    return (*_when(decl), *_then(edit))


def data_sketch(row: Row, name: str | None, edit: Edit) -> tuple[str, ...]:
    """The same for a value of the data."""
    if name is None:
        return (f"when somebody goes on from `{row.id}` by one space", f"{THEN} where he is")
    if name == "kind":
        return (
            f"when something happens with `{row.id}` as {edit.before}, {THEN} what comes of it",
        )
    return (f"{THEN} `{row.id}.{name}` is {edit.before}, or an exact amount that comes of it",)


def _when(decl: syntax.Decl) -> tuple[str, ...]:
    match decl:
        case syntax.RuleDecl(signature=signature):
            return (f"when this happens: {short(signature.span.text)}",)
        case syntax.Routine(signature=signature) | syntax.EventDecl(signature=signature):
            return (f"when this happens: {short(signature.span.text)}",)
        case syntax.Option(name=name, by=by):
            return (f"when the {by.name.text} takes `{name.text}`, or may not",)
        case syntax.Phase(name=name):
            return (f"when the phase `{name.text}` is played",)
        case syntax.Window(signature=signature):
            return (f"when `{short(signature.span.text)}` is open",)
        case syntax.WatchDecl(condition=condition):
            return (f"when it comes to be so: {short(condition.span.text)}",)
        case syntax.Define(head=head) | syntax.ExceptionDecl(head=head):
            return (f"where `{short(head.span.text)}` decides something",)
        case _:
            return ()


def _then(edit: Edit) -> tuple[str, ...]:
    match edit.what:
        case "one more" | "one less":
            return (f"{THEN} an exact number that comes of {edit.before}",)
        case "bound moved":
            return (f"{THEN} what is so exactly at the bound of `{edit.before}`",)
        case "condition dropped":
            return (f"{THEN} what is so where `{edit.before}` does not hold",)
        case "condition negated" | "turned round":
            return (f"{THEN} what is so where `{edit.before}` holds, and where it does not",)
        case "statement left out" | "left out" | "answer left out" | "branch left out":
            return (f"{THEN} something that only comes of `{edit.before}`",)
        case "`but` line left out":
            return (f"{THEN} what is so where `{edit.before}` applies",)
        case "neighbours exchanged":
            return (f"{THEN} something that comes of their order: {edit.before}",)
        case "payer and payee exchanged":
            return (f"{THEN} what both of them have, compared with before",)
        case _:
            return ()
