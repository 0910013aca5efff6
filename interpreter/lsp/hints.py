"""What an editor shows beside the text: values of switches, lenses, and how a command is said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from dsl.check import fit
from dsl.check.notes import Meaning
from dsl.check.signatures import written
from dsl.check.world import World
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from interpreter.lsp.analysis import Analysis
from interpreter.lsp.describing import switch_value
from interpreter.lsp.places import location_of, position_of, range_of

RUN_SCENARIO = "rulewright.runScenario"
SHOW_REFERENCES = "rulewright.showReferences"


# ---------------------------------------------------------------- what a switch decides


def inlay_hints(analysis: Analysis, source: Source, start: int, end: int) -> list[types.InlayHint]:
    """Behind a switch its value here; behind a condition that switches decide how it comes out."""
    world = analysis.notes.world
    if world is None:
        return []
    switches = [
        use
        for use in analysis.uses.by_source.get(source.name, ())
        if use.meaning.sort == "switch" and start <= use.span.start <= end
    ]
    found = [
        _hint(use.span, f" = {switch_value(world, use.meaning.name)}")
        for use in switches
        if not use.is_declared and use.meaning.name in world.switches
    ]
    decided = [
        (span, outcome)
        for (name, _, _), (span, outcome) in analysis.notes.decided.items()
        if name == source.name and any(span.start <= use.span.start < span.end for use in switches)
    ]
    for span, outcome in decided:
        if not any(_is_inside(span, other) for other, _ in decided if other is not span):
            found.append(_hint(span, " always" if outcome else " never"))
    return sorted(found, key=lambda hint: (hint.position.line, hint.position.character))


def _is_inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end


def _hint(span: Span, label: str) -> types.InlayHint:
    return types.InlayHint(
        position=position_of(span.source, span.end),
        label=label,
        padding_left=True,
        tooltip="as the switches are set here",
    )


# ---------------------------------------------------------------- lenses


def lenses(
    analysis: Analysis | None, source: Source, script: syntax.Script, uri: str
) -> list[types.CodeLens]:
    """`Run this scenario` above scenarios; who hooks it above what can be hooked."""
    return [lens for decl in script.declarations for lens in _lenses(analysis, source, decl, uri)]


def _lenses(
    analysis: Analysis | None, source: Source, decl: syntax.Decl, uri: str
) -> Iterator[types.CodeLens]:
    top = Span(source, decl.span.start, decl.span.start)
    if isinstance(decl, syntax.Scenario):
        command = types.Command(
            title="Run this scenario", command=RUN_SCENARIO, arguments=[uri, decl.title]
        )
        yield types.CodeLens(range=range_of(top), command=command)
        return
    name = _hookable(decl)
    if name is None or analysis is None or analysis.merged is None:
        return
    use = analysis.uses.at(source.name, name.span.start)
    hooks = list(_hooks(analysis, use.meaning)) if use is not None else []
    if hooks:
        many = "1 rule hooks this" if len(hooks) == 1 else f"{len(hooks)} rules hook this"
        places = [location_of(span) for span in hooks]
        at = position_of(source, name.span.start)
        yield types.CodeLens(
            range=range_of(top),
            command=types.Command(title=many, command=SHOW_REFERENCES, arguments=[uri, at, places]),
        )


def _hookable(decl: syntax.Decl) -> syntax.Name | None:
    match decl:
        case syntax.Routine() | syntax.EventDecl() | syntax.Window():
            return decl.signature.verb
        case syntax.Phase():
            return decl.name
    return None


def _hooks(analysis: Analysis, meaning: Meaning) -> Iterator[Span]:
    assert analysis.merged is not None
    places = {(use.span.source.name, use.span.start) for use in analysis.uses.of(meaning)}
    for ranked in analysis.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.RuleDecl):
            verb = decl.signature.verb.span
            if (verb.source.name, verb.start) in places:
                yield decl.name.span


# ---------------------------------------------------------------- how it is said

_CALL = re.compile(r"(?:(\w+)\.)?(\w+)\(([^()]*)\Z")


def signature_help(analysis: Analysis, text: str, offset: int) -> types.SignatureHelp | None:
    """How the command or the value in which the cursor stands is said."""
    world = analysis.notes.world
    line = text[:offset].rpartition("\n")[2]
    if world is None:
        return None
    call = _CALL.search(line)
    if call is not None:
        return _values_in_brackets(world, call[2], call[3].count(","))
    words = line.split()
    verb = next((word for word in words if word in world.verbs), None)
    if verb is None:
        return None
    given = words[words.index(verb) + 1 :]
    return _of_routines(world, verb, given)


def _of_routines(world: World, verb: str, given: list[str]) -> types.SignatureHelp:
    infos = world.verbs[verb]
    signatures = []
    for info in infos:
        params = [f"{name}: {fit.describe(type_)}" for name, type_ in info.params]
        signatures.append(
            types.SignatureInformation(
                label=written(info) + (f" gives {fit.describe(info.gives)}" if info.gives else ""),
                documentation=info.decl.doc or None,
                parameters=[
                    types.ParameterInformation(label=name, documentation=said)
                    for (name, _), said in zip(info.params, params, strict=True)
                ],
            )
        )
    best = max(
        range(len(infos)), key=lambda n: sum(word in infos[n].prepositions for word in given)
    )
    info = infos[best]
    active = 0
    for word in given:
        if word in info.prepositions:
            active = info.prepositions.index(word) + info.has_object
    return types.SignatureHelp(signatures, active_signature=best, active_parameter=active)


def _values_in_brackets(world: World, name: str, active: int) -> types.SignatureHelp | None:
    signatures = []
    for info in world.defines_by_word.get(name, ()):
        if info.params:
            params = [fit.describe(type_) for type_ in info.params]
            signatures.append(_information(name, params, info.doc))
    option = world.options.get(name)
    if option is not None:
        picks = [f"{word}: {fit.describe(type_)}" for word, (_, type_) in option.names.items()]
        signatures.append(_information(name, picks, option.decl.doc))
    if not signatures:
        return None
    return types.SignatureHelp(signatures, active_signature=0, active_parameter=active)


def _information(name: str, params: list[str], doc: str) -> types.SignatureInformation:
    return types.SignatureInformation(
        label=f"{name}({', '.join(params)})",
        documentation=doc or None,
        parameters=[types.ParameterInformation(label=each) for each in params],
    )
