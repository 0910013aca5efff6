"""Layers of declarations to one program: what replaces, removes or doubles what, by name.

`dsl.project` reads the layers and calls `merge_layers`; names inside declarations are not looked
at here. A declaration that replaces another takes its place in the order; everything else stands
where its own layer does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from dsl.check.contents import walk_syntax
from dsl.check.declared import Declared, declared, folded, head_text, heads_match
from dsl.check.merged import RankedDecl, Switching
from dsl.check.otherwise import form_of
from dsl.check.settings import check_settings, name_span
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.records import mutable, record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@record
class Layer:
    """The declarations of a library module, a variant or a mod, and the switches it sets.

    `settings` come before the `set` lines of `declarations`. `is_mod`: two such layers know
    nothing of each other, so one that undoes the other's work is worth a warning.
    """

    name: str
    rank: int
    declarations: tuple[syntax.Decl, ...] = ()
    settings: tuple[Switching, ...] = ()
    is_mod: bool = False


@record
class MergedLayers:
    """What is left of the layers: declarations in order, and switch values, later ones winning."""

    declarations: tuple[RankedDecl, ...]
    switchings: tuple[Switching, ...]


def merge_layers(
    layers: Sequence[Layer],
    bag: Bag,
    *,
    spare: Iterable[Switching] = (),
    is_complete: bool = True,
) -> MergedLayers:
    """Apply what each layer replaces and removes, and report names that clash or don't exist.

    `layers` go from the library outwards. `spare` are settings that are not in force (of profiles
    that were not chosen); only their names are checked. Not `is_complete` when mistakes in the
    texts took declarations away; a name that is missing is then not reported.
    """
    merger = _Merger(bag, is_complete)
    for layer in layers:
        merger.lay(layer)
    merger.check_exception_labels()
    merger.report_left_behind()
    switchings = [setting for layer in layers for setting in _settings(layer)]
    check_settings(switchings, {layer.name for layer in layers if layer.is_mod}, bag)
    merger.check_switch_names((*switchings, *spare))
    return MergedLayers(tuple(merger.ranked()), tuple(switchings))


@mutable
class _Slot:
    """A place in the order, and the declaration that holds it at present."""

    rank: int
    number: int
    decl: syntax.Decl
    layer: Layer
    name: Declared | None
    is_gone: bool = False


@mutable
class _Merger:
    bag: Bag
    is_complete: bool
    slots: list[_Slot] = field(default_factory=list)
    named: dict[tuple[str, str], _Slot] = field(default_factory=dict)
    replaced: list[tuple[_Slot, int]] = field(default_factory=list)  # and by which rank

    def lay(self, layer: Layer) -> None:
        """Lay a layer over those before it."""
        own = [(decl, name) for decl in layer.declarations if (name := declared(decl)) is not None]
        for decl in layer.declarations:
            if isinstance(decl, syntax.Replace):
                self._replace(decl, layer, own)
            elif isinstance(decl, syntax.Remove):
                if decl.what == "exception":
                    self._remove_exception(decl, layer)
                else:
                    self._remove(decl, layer, own)
        for decl in layer.declarations:
            if not isinstance(decl, syntax.Replace | syntax.Remove | syntax.SetSwitch):
                self._add(decl, layer)

    def ranked(self) -> Iterator[RankedDecl]:
        """What is left, in order."""
        for slot in sorted(self.slots, key=lambda slot: slot.rank):
            if not slot.is_gone:
                yield RankedDecl(slot.decl, slot.rank, slot.layer.name)

    def _add(self, decl: syntax.Decl, layer: Layer) -> None:
        name = declared(decl)
        slot = _Slot(layer.rank, len(self.slots), decl, layer, name)
        if name is None:
            self.slots.append(slot)
            return
        key = name.key if name.what != "scenario" else (name.what, f"{layer.name}: {name.ident}")
        first = self.named.get(key)
        if first is not None and not first.is_gone:
            self._report_double(name, layer, first)
            return
        self.named[key] = slot
        self.slots.append(slot)

    def _report_double(self, name: Declared, layer: Layer, first: _Slot) -> None:
        assert first.name is not None
        is_own = first.layer is layer
        where = "" if is_own else f" in {_shown_layer(first.layer)}"
        if is_own:
            way_out = "give one of them another name, or take it out"
        elif layer.is_mod and first.layer.is_mod:
            way_out = "these two can't be used together unless one of them takes another name"
        elif name.is_replaceable:
            way_out = f"write `replace {name.keyword}...` to put this one in its place"
        else:
            way_out = "give this one another name"
        self.bag.error(
            "RW0801",
            name.span,
            f"{name.shown} is declared already{where}",
            label="declared again here",
            also=[(first.name.span, "first declared here")],
            help=way_out,
        )

    def _replace(
        self,
        decl: syntax.Replace,
        layer: Layer,
        own: list[tuple[syntax.Decl, Declared]],
    ) -> None:
        name = declared(decl.declaration)
        if name is None:
            return
        slot = self.named.get(name.key)
        if slot is None or slot.is_gone:
            self._report_unknown("RW0802", "replace", name.what, name, layer, own)
            return
        assert slot.name is not None
        if slot.layer is layer:
            self.bag.error(
                "RW0801",
                name.span,
                f"{name.shown} is replaced twice",
                label="replaced again here",
                also=[(slot.name.span, "replaced here first")],
                help="keep one of the two",
            )
            return
        self._warn_undone(slot, layer, name.span, "replace")
        slot.decl, slot.layer, slot.name = decl.declaration, layer, name
        self.replaced.append((slot, layer.rank))

    def _remove(
        self,
        decl: syntax.Remove,
        layer: Layer,
        own: list[tuple[syntax.Decl, Declared]],
    ) -> None:
        slots = [
            slot
            for (what, ident), slot in self.named.items()
            if what == decl.what and _is_called(slot, ident, decl.name.text)
        ]
        present = [slot for slot in slots if not slot.is_gone]
        if not present:
            if any(slot.layer.is_mod and layer.is_mod for slot in slots):
                return
            name = Declared(decl.what, decl.name.text, decl.name.text, decl.name.span)
            self._report_unknown("RW0803", "remove", decl.what, name, layer, own)
            return
        for slot in present:
            if slot.layer is layer and slot.name is not None:
                self._report_own("remove", slot.name.shown, decl.name.span, slot.name.span)
                continue
            self._warn_undone(slot, layer, decl.name.span, "remove")
            slot.is_gone, slot.layer = True, layer
            if decl.what == "option":
                self._drop_forbids(decl.name.text, layer)

    def _drop_forbids(self, option: str, layer: Layer) -> None:
        """With an option goes what earlier layers forbid of it."""
        for slot in self.slots:
            decl = slot.decl
            if isinstance(decl, syntax.Forbid) and decl.option.text == option:
                slot.is_gone = slot.is_gone or slot.layer is not layer

    def _report_own(self, verb: str, shown: str, span: Span, place: Span) -> None:
        is_remove = verb == "remove"
        self.bag.error(
            "RW0804",
            span,
            f"{shown} is declared in the same place that {verb}s it",
            also=[(place, "declared here")],
            help="take out both" if is_remove else "take out the one that you don't want",
            notes=[f"`{verb}` is for what a parent, a library module or an earlier mod declares"],
        )

    def _report_unknown(
        self,
        code: str,
        verb: str,
        what: str,
        name: Declared,
        layer: Layer,
        own: list[tuple[syntax.Decl, Declared]],
    ) -> None:
        """There is nothing of that name to replace or remove in the layers before."""
        if not self.is_complete:
            return
        for _, mine in own:
            if mine.what == what and name.ident in (mine.ident, mine.short):
                self._report_own(verb, mine.shown, name.span, mine.span)
                return
        gone = self.named.get((what, name.ident))
        also = []
        if gone is not None and gone.name is not None:
            also = [(gone.name.span, f"{_shown_layer(gone.layer)} takes this out")]
        self.bag.error(
            code,
            name.span,
            f"there is no {_WORDS.get(what, what)} {name.quoted} to {verb}",
            also=also,
            help=None if also else self._near(verb, what, name),
        )

    def _near(self, verb: str, what: str, name: Declared) -> str | None:
        present = [slot.name for slot in self.slots if slot.name and not slot.is_gone]
        same = [each for each in present if each.what == what]
        shapes = [each for each in same if each.short == name.short and each.ident != name.ident]
        if shapes and what in ("define", "routine", "saying"):
            return f"there is {shapes[0].quoted}; subject and prepositions belong to the name"
        other = next((each for each in present if each.short == name.ident), None)
        if other is not None and other.what != what:
            return f"`{other.short}` is {_WITH_ARTICLE.get(other.what, other.what)}"
        texts = {each.text: None for each in same}
        help_text = did_you_mean(name.text, texts)
        if help_text is None:
            short = did_you_mean(name.short, {each.short: None for each in same})
            help_text = short if name.short != name.text else None
        return help_text

    def _warn_undone(self, slot: _Slot, layer: Layer, span: Span, verb: str) -> None:
        """Two mods that change the same thing: the later one has its way."""
        if not (layer.is_mod and slot.layer.is_mod) or slot.name is None:
            return
        self.bag.warning(
            "RW0809",
            span,
            f"{_shown_layer(layer)} {verb}s what {_shown_layer(slot.layer)} has put here",
            also=[(slot.name.span, "this has no effect any more")],
            help="the later mod has its way; change the order, or leave one of them out",
        )

    def _remove_exception(self, decl: syntax.Remove, layer: Layer) -> None:
        """Take a `but` line out of the define or the exceptions that have it."""
        head, label = decl.head, decl.name
        if head is None:
            return
        lines = [
            (slot, but)
            for slot in self.slots
            if not slot.is_gone and _has_head(slot.decl, head)
            for but in _buts(slot.decl)
        ]
        matching = [(slot, but) for slot, but in lines if but.name.text == label.text]
        if matching:
            for slot, but in matching:
                _take_out(slot, but)
            return
        own = [
            but
            for other in layer.declarations
            if _has_head(other, head)
            for but in _buts(other)
            if but.name.text == label.text
        ]
        if own:
            self._report_own("remove", f"the line `{label.text}`", label.span, own[0].name.span)
            return
        if not self.is_complete:
            return
        shown = head_text(head)
        if any(_has_head(slot.decl, head) for slot in self.slots):
            names = {but.name.text: None for _, but in lines}
            self.bag.error(
                "RW0803",
                label.span,
                f"`{shown}` has no line `but {label.text}` to remove",
                help=did_you_mean(label.text, names) or _listing("its lines are", names),
            )
            return
        heads = {
            head_text(slot.decl.head): None
            for slot in self.slots
            if isinstance(slot.decl, syntax.Define)
        }
        self.bag.error(
            "RW0803",
            head.span,
            f"there is no define `{shown}` that could have the line `{label.text}`",
            help=did_you_mean(shown, heads),
        )

    def check_exception_labels(self) -> None:
        """Each line of a value has a name of its own, so that it can be pointed at."""
        labels: dict[tuple[str, str, str], tuple[syntax.But, Layer]] = {}
        for slot in sorted(self.slots, key=lambda slot: slot.rank):
            if slot.is_gone or not isinstance(slot.decl, syntax.Define | syntax.ExceptionDecl):
                continue
            for but in slot.decl.buts:
                subject, name = folded(slot.decl.head)
                key = (subject, name, but.name.text)
                first, layer = labels.setdefault(key, (but, slot.layer))
                if first is but:
                    continue
                where = "" if layer is slot.layer else f" in {_shown_layer(layer)}"
                owner = f"`{head_text(slot.decl.head)}`"
                self.bag.error(
                    "RW0805",
                    but.name.span,
                    f"{owner} has a line `but {but.name.text}` already{where}",
                    label="named again here",
                    also=[(first.name.span, "first named here")],
                    help="give this line another name",
                )

    def report_left_behind(self) -> None:
        """Warn of lines of earlier layers that still take the place of a value that was replaced.
        What is worked out of `usual` is made for any value."""
        for slot, rank in self.replaced:
            decl, name = slot.decl, slot.name
            if slot.is_gone or slot.layer.rank != rank or not isinstance(decl, syntax.Define):
                continue
            left = [
                (other.layer, but)
                for other in self.slots
                if isinstance(other.decl, syntax.ExceptionDecl)
                and not other.is_gone
                and other.layer.rank < rank
                and heads_match(other.decl.head, decl.head)
                for but in other.decl.buts
                if not _reads_usual(but.value)
            ]
            if not left or name is None:
                continue
            label = left[0][1].name.text
            self.bag.warning(
                "RW0812",
                name.span,
                f"{name.shown} is replaced, and lines of earlier layers still go before it",
                also=[(but.name.span, f"this line of {_shown_layer(of)}") for of, but in left],
                help=f"`remove exception {label} to {head_text(decl.head)}`; what is still meant, "
                "say again in an exception of your own",
            )

    def check_switch_names(self, settings: Sequence[Switching]) -> None:
        """Every setting must be of a switch that is declared."""
        if not self.is_complete:
            return
        names = {
            slot.name.text: None
            for slot in self.slots
            if slot.name and slot.name.what == "switch" and not slot.is_gone
        }
        for setting in settings:
            if setting.name not in names:
                self.bag.error(
                    "RW0806",
                    name_span(setting),
                    f"there is no switch `{setting.name}` to set",
                    help=did_you_mean(setting.name, names)
                    or form_of((slot.decl for slot in self.slots), setting.name, is_value=True),
                )


_WORDS = {
    "define": "define",
    "routine": "routine or event",
    "always": "`always`",
    "exception": "exception",
}
_WITH_ARTICLE = {
    "option": "an option",
    "always": "an `always` line",
    "unit": "a unit",
    "routine": "a routine or event",
} | {
    what: f"a {what}"
    for what in (
        *("rule", "window", "measure", "saying", "define", "phase", "strategy", "kind"),
        *("thing", "switch", "scenario"),
    )
}


def _shown_layer(layer: Layer) -> str:
    return f"the mod `{layer.name}`" if layer.is_mod else f"`{layer.name}`"


def _is_called(slot: _Slot, ident: str, word: str) -> bool:
    """A saying is removed by its verb alone; everything else by its whole name."""
    return word == ident or (slot.name is not None and word == slot.name.short)


def _has_head(decl: syntax.Decl, head: syntax.Head) -> bool:
    return isinstance(decl, syntax.Define | syntax.ExceptionDecl) and heads_match(decl.head, head)


def _buts(decl: syntax.Decl) -> tuple[syntax.But, ...]:
    return decl.buts if isinstance(decl, syntax.Define | syntax.ExceptionDecl) else ()


def _reads_usual(value: syntax.Expr) -> bool:
    return any(
        isinstance(node, syntax.Literal_) and node.word == "usual" for node in walk_syntax(value)
    )


def _take_out(slot: _Slot, but: syntax.But) -> None:
    assert isinstance(slot.decl, syntax.Define | syntax.ExceptionDecl)
    left = tuple(each for each in slot.decl.buts if each is not but)
    slot.decl = replace(slot.decl, buts=left)
    slot.is_gone = isinstance(slot.decl, syntax.ExceptionDecl) and not left


def _listing(words: str, names: Iterable[str]) -> str | None:
    shown = ", ".join(f"`{name}`" for name in names)
    return f"{words} {shown}" if shown else None


def _settings(layer: Layer) -> Iterator[Switching]:
    yield from layer.settings
    for decl in layer.declarations:
        if isinstance(decl, syntax.SetSwitch):
            yield Switching(decl.name.text, decl.value, decl.span, layer.name)
