"""What is declared and never happens: a warning each, for the variant and its mods alone.

Use is looked for in what is written, so nothing is idle only because a switch is set so. What a
library or a parent offers need not be used by everybody. Scenarios use nothing: they test it.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.check.contents import Contents
from dsl.check.merged import Merged, RankedDecl
from dsl.core import nodes as core
from dsl.core.walking import walk
from dsl.diagnostics import Bag
from dsl.source import Span
from dsl.syntax import nodes as syntax

_TESTS = (syntax.Scenario, syntax.Saying, syntax.Strategy, syntax.SetSwitch)


def report_idle(bag: Bag, merged: Merged, program: core.Program, contents: Contents) -> None:
    """Warn of events and routines that nothing uses, rules that never apply, windows that are never
    opened and switches that are never read."""
    own = {merged.variant, *merged.mods}
    mine = [ranked for ranked in merged.declarations if ranked.layer in own]
    said, read = _used(contents, merged.declarations)
    for ranked in mine:
        decl = ranked.decl
        if isinstance(decl, syntax.EventDecl | syntax.Routine):
            _report_unused(bag, decl, said)
        elif isinstance(decl, syntax.Window) and decl.signature.verb.text not in said:
            name = decl.signature.verb
            bag.warning(
                "RW9003",
                name.span,
                f"the window `{name.text}` is never opened",
                help=f"open it where players may act: `open {name.text}`",
            )
        elif isinstance(decl, syntax.SwitchDecl) and decl.name.text not in read:
            bag.warning("RW9004", decl.name.span, f"no rule asks for `{decl.name.text}`")
    _report_options(bag, merged, mine, said)
    _report_rules(bag, merged, program, mine, said)


def _used(contents: Contents, declarations: Iterable[RankedDecl]) -> tuple[set[str], set[str]]:
    """The verbs of all commands and opened windows, and all words that are read."""
    words = [
        contents.words(ranked.decl)
        for ranked in declarations
        if not isinstance(ranked.decl, _TESTS)
    ]
    return set().union(*(one.verbs for one in words)), set().union(*(one.alone for one in words))


def _report_unused(bag: Bag, decl: syntax.EventDecl | syntax.Routine, said: set[str]) -> None:
    name = decl.signature.verb
    if name.text in said:
        return
    if isinstance(decl, syntax.EventDecl):
        message = f"nothing makes `{name.text}` happen"
        help_ = f"say `{name.text}` as a command where it happens"
    else:
        message, help_ = f"nothing ever does `{name.text}`", "call it, or leave it out"
    bag.warning("RW9001", name.span, message, help=help_)


def _report_options(bag: Bag, merged: Merged, mine: Iterable[RankedDecl], said: set[str]) -> None:
    """Options that stand in windows of others which are never opened."""
    windows = {
        ranked.decl.signature.verb.text: ranked
        for ranked in merged.declarations
        if isinstance(ranked.decl, syntax.Window)
    }
    reported = {ranked.decl for ranked in mine if isinstance(ranked.decl, syntax.Window)}
    for ranked in mine:
        decl = ranked.decl
        if not isinstance(decl, syntax.Option):
            continue
        places = [name for name in decl.windows if name.text not in said]
        known = all(windows[name.text].decl in reported for name in places if name.text in windows)
        if len(places) == len(decl.windows) and not known:
            bag.warning(
                "RW9003",
                decl.name.span,
                f"`{decl.name.text}` can never be chosen: `{places[0].text}` is never opened",
            )


# ---------------------------------------------------------------- rules


def _report_rules(
    bag: Bag,
    merged: Merged,
    program: core.Program,
    mine: Iterable[RankedDecl],
    said: set[str],
) -> None:
    ranks = {layer: rank for rank, layer in enumerate((merged.variant, *merged.mods))}
    declared_here = {
        ranked.decl.signature.verb.text
        for ranked in mine
        if isinstance(ranked.decl, syntax.EventDecl | syntax.Routine)
    }
    for routine in program.routines.values():
        for hook in (*routine.befores, *routine.insteads, *routine.afters):
            if hook.layer not in ranks:
                continue
            empty = [one.kind for one in hook.patterns if not program.kinds[one.kind].members]
            if routine.verb in said:
                if empty:
                    _never(bag, hook, f"there is no {empty[0]} in the data")
            elif routine.verb not in declared_here:
                _never(bag, hook, f"nothing makes `{routine.verb}` happen")
        _report_hidden(bag, routine, ranks)


def _report_hidden(bag: Bag, routine: core.Routine, ranks: dict[str, int]) -> None:
    """Rules behind an `instead of` that always applies and never says `as usual`. That a mod takes
    the place of what it is laid over is its right."""
    for place, wall in enumerate(routine.insteads):
        if not wall.patterns and wall.condition is None and not _goes_on(wall.body):
            behind = (*routine.insteads[place + 1 :], *routine.befores, *routine.afters)
            for hook in behind:
                if ranks.get(hook.layer, -2) >= ranks.get(wall.layer, -1):
                    _never(bag, hook, f"`{wall.rule}` takes its place", wall.span)
            return


def _goes_on(body: core.Block) -> bool:
    return any(isinstance(node, core.AsUsual) for node in walk(body))


def _never(bag: Bag, hook: core.Hook, why: str, place: Span | None = None) -> None:
    also = [] if place is None else [(place, "this rule")]
    bag.warning("RW9002", hook.span, f"`{hook.rule}` never applies: {why}", also=also)
