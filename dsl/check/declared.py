"""The name under which a declaration is known, by which another layer replaces or removes it."""

from __future__ import annotations

from dsl.check.fit import kind_word
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@record
class Declared:
    """`what` is declared (rule, option, ...), its identity among those, and how it is shown."""

    what: str
    ident: str
    text: str
    span: Span
    # The single word that stands for it: a verb, a define's name.
    word: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all others."""
        return (self.what, self.ident)

    @property
    def short(self) -> str:
        """The single word that stands for it."""
        return self.word or self.ident

    @property
    def quoted(self) -> str:
        """Its name for a message."""
        return f'"{self.text}"' if self.what == "scenario" else f"`{self.text}`"

    @property
    def shown(self) -> str:
        """What it is and its name, for a message."""
        if self.what in ("define", "routine", "always", "saying"):
            return f"`{self.keyword}{self.text}`"
        return f"{self.what} {self.quoted}"

    @property
    def keyword(self) -> str:
        """The word with which it is declared, and a blank."""
        return {"routine": "to"}.get(self.what, self.what) + " "

    @property
    def is_replaceable(self) -> bool:
        """Whether `replace` can stand before it."""
        return self.what not in ("scenario", "strategy")


def declared(decl: syntax.Decl) -> Declared | None:
    """What a declaration is known by; None for those that only add to others."""
    match decl:
        case syntax.Define(head=head):
            subject, name = folded(head)
            ident = f"{subject}.{name}"
            return Declared("define", ident, head_text(head), head.name.span, name)
        case syntax.Routine(signature=signature) | syntax.EventDecl(signature=signature):
            verb = signature.verb
            ident = " ".join(
                [verb.text, *(["_"] if signature.param else [])]
                + [prep.preposition for prep in signature.preps]
            )
            return Declared("routine", ident, _signature_text(signature), verb.span, verb.text)
        case syntax.Window(signature=signature):
            return _plain("window", signature.verb)
        case syntax.Saying():
            return _saying(decl)
        case syntax.Scenario(title=title, span=span):
            return Declared("scenario", title, title, _first_line(span))
    return _by_name(decl)


def _by_name(decl: syntax.Decl) -> Declared | None:
    match decl:
        case syntax.RuleDecl(name=name) | syntax.WatchDecl(name=name):
            return _plain("rule", name)
        case syntax.Option(name=name):
            return _plain("option", name)
        case syntax.Always(name=name):
            return _plain("always", name)
        case syntax.Measure(name=name):
            return _plain("measure", name)
        case syntax.Phase(name=name):
            return _plain("phase", name)
        case syntax.Strategy(name=name):
            return _plain("strategy", name)
        case syntax.KindDecl(name=name) | syntax.ChoiceDecl(name=name):
            return _plain("kind", name)
        case syntax.ThingDecl(name=name):
            return _plain("thing", name)
        case syntax.UnitDecl(name=name):
            return _plain("unit", name)
        case syntax.SwitchDecl(name=name):
            return _plain("switch", name)
    return None


def folded(head: syntax.Head) -> tuple[str, str]:
    """Subject and name of a head, the same however the subject is written."""
    return _subject(head.subject), head.name.text


def heads_match(left: syntax.Head, right: syntax.Head) -> bool:
    """Whether two heads speak of the same define."""
    return folded(left) == folded(right)


def head_text(head: syntax.Head) -> str:
    """`street.price`, as a message shows it."""
    subject = head.subject
    if subject is None:
        return head.name.text
    if subject.type is None:
        return f"{subject.name.text}.{head.name.text}"
    return f"({_written(subject)}).{head.name.text}"


def _plain(what: str, name: syntax.Name) -> Declared:
    return Declared(what, name.text, name.text, name.span)


def _subject(param: syntax.Param | None) -> str:
    """The type of a parameter as one word; a parameter without type is called as its kind."""
    if param is None:
        return ""
    if param.type is None:
        return param.name.text
    if isinstance(param.type, syntax.KindType):
        return kind_word(param.type.name)
    return "".join(param.type.span.text.split())


def _saying(decl: syntax.Saying) -> Declared:
    words = [_subject(decl.subject), decl.verb.text]
    shown = [decl.subject.name.text, decl.verb.text]
    if decl.object is not None:
        words.append(_subject(decl.object))
        shown.append(decl.object.name.text)
    for prep in decl.preps:
        words += (prep.preposition, _subject(prep.param))
        shown += (prep.preposition, prep.param.name.text)
    return Declared("saying", " ".join(words), " ".join(shown), decl.verb.span, decl.verb.text)


def _signature_text(signature: syntax.Signature) -> str:
    words = [signature.verb.text]
    if signature.param is not None:
        words.append(signature.param.name.text)
    for prep in signature.preps:
        words += (prep.preposition, prep.param.name.text)
    return " ".join(words)


def _written(param: syntax.Param) -> str:
    kind = f": {' '.join(param.type.span.text.split())}" if param.type else ""
    return param.name.text + kind


def _first_line(span: Span) -> Span:
    end = span.start + len(span.text.partition("\n")[0].rstrip())
    return Span(span.source, span.start, max(end, span.start))
