"""Ways through a body: whether each gives what it must, and each says what comes next."""

from __future__ import annotations

from dsl.check import build, fit
from dsl.check.contents import walk_syntax
from dsl.check.context import Context
from dsl.check.world import RoutineInfo
from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.syntax import nodes as syntax


def check_routine_gives(ctx: Context, info: RoutineInfo, body: core.Block) -> None:
    """A routine that gives something does so on every way."""
    if info.gives is None or fit.is_poison(info.gives) or build.leaves(body):
        return
    ctx.error(
        "RW0704",
        info.decl.signature.span,
        f"`{info.verb}` must give {fit.describe(info.gives)} in every case",
        help="not every way through it ends with `return`",
    )


def check_rule_gives(
    ctx: Context, decl: syntax.RuleDecl, gives: Type | None, body: core.Block
) -> None:
    """So does a rule instead of one, where it applies."""
    if gives is None or fit.is_poison(gives) or build.leaves(body):
        return
    verb = decl.signature.verb.text
    ctx.error(
        "RW0704",
        decl.name.span,
        f"`{decl.name.text}` takes the place of `{verb}`, which must give "
        f"{fit.describe(gives)} in every case",
        help="end every way through it with `return`, or with `as usual`, which gives what "
        f"`{verb}` gives without this rule",
    )


def check_next(ctx: Context, phase: syntax.Phase) -> None:
    """A `then` that says what is next says so on every way."""
    then = phase.then or ()
    said = [node for node in walk_syntax(then) if isinstance(node, syntax.NextPhase)]
    if said and not _goes_on(then):
        ctx.error(
            "RW0713",
            said[0].span,
            "not every way through `then` says what comes next",
            label="only said in this case" if len(said) == 1 else "said in some cases only",
            help="say it in the other cases, too (`else` and `next ...`), or `end game`",
        )


def _goes_on(block: syntax.Block) -> bool:
    """Whether every way through a block says what is next, however switches are set."""
    for stmt in block:
        match stmt:
            case syntax.NextPhase():
                return True
            case syntax.End(name=name) if name.text == "game":
                return True
            case syntax.Ask(body=None, question=question) if not question.if_any:
                return False  # with nothing to pick, the rest is skipped
            case syntax.Ask(body=body, otherwise=otherwise) if body and otherwise:
                if _goes_on(body) and _goes_on(otherwise):
                    return True
            case syntax.If(branches=branches, otherwise=otherwise) if otherwise is not None:
                if all(_goes_on(body) for body in (*(body for _, body in branches), otherwise)):
                    return True
            case syntax.AskAbout(bullets=bullets):
                if all(_goes_on(one.body) for one in bullets) and not all(
                    any(isinstance(line, syntax.Needs) for line in one.body) for one in bullets
                ):
                    return True
            case _:
                pass
    return False
