"""A variant by name or path, with its mods and switches, as one merged whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dsl.check.data_kinds import read_kinds
from dsl.check.fit import MOST_MONEY
from dsl.check.merge import Layer, merge_layers
from dsl.check.merged import Merged, Switching
from dsl.data.node import Mapping as DataMapping
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.chain import (
    Module,
    fits,
    open_variant,
    read_chain,
    read_mods,
    read_modules,
)
from dsl.project.find import Library
from dsl.project.given import Given, write_given
from dsl.project.parts import LOCALE, Part, TextLine, Wanted, read_locale
from dsl.project.rows import Things
from dsl.project.texts import DEFAULT_ACTS, DEFAULT_PHASES, Facts
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

SwitchValue = str | syntax.Expr

# The language in which variants are written; it needs no texts of its own.
WRITTEN = "en"


def load_merged(
    library: Library,
    name_or_path: str | Path,
    *,
    mods: Sequence[str | Path] = (),
    switches: Mapping[str, SwitchValue] | None = None,
    profile: str | syntax.Name | None = None,
    language: str = WRITTEN,
    scenarios: bool = True,
    bag: Bag,
) -> Merged | None:
    """Read a variant with all it needs and put its layers together.

    `name_or_path` may also be the name of a profile. `switches` win over everything else; a value
    is a text as it was typed, or an expression of a scenario. `profile` may be a scenario's: it
    says more than the name that the variant was called by. Without `scenarios` the folders of that
    name are not read, and the digest does not depend on them.

    None, with at least one error in the bag, when something is missing or refused. After mistakes
    inside the texts there is a result all the same, so that later checks find more: look at the
    bag too.
    """
    switches = switches or {}
    typed = profile if isinstance(profile, str) else None
    given = _given(name_or_path, mods, typed, language, switches)
    named = _Named(typed, given.profile)
    opened = open_variant(library, name_or_path, given.variant, bag)
    if opened is None:
        return None
    if named.name is not None and opened.profile not in (None, named.name):
        bag.error(
            "RW1011",
            named.span,
            f"`{opened.profile}` is a profile already; a game can't have two",
            help=f"leave `--profile {named.name}` out, or name the variant `{opened.folder.name}`",
        )
        return None
    wanted = Wanted(language, scenarios)
    around = library.beside(opened.folder)
    chain = read_chain(opened, around, wanted, bag)
    laid = read_mods(mods, given.mods, around, wanted, bag)
    if chain is None or laid is None:
        return None
    is_good = fits(chain, laid, around, bag)
    modules = read_modules([*chain, *laid], around, wanted, bag)
    named = _Named(named.name or opened.profile, named.span)
    if isinstance(profile, syntax.Name):
        named = _Named(profile.text, profile.span)
    chosen = _profile(named, chain, bag)
    if not is_good or modules is None or chosen is None:
        return None
    project = _Project(library, modules, chain, laid, named.name, chosen, wanted, given)
    return _merge(project, switches, bag)


def _given(
    variant: str | Path,
    mods: Sequence[str | Path],
    profile: str | None,
    language: str,
    switches: Mapping[str, SwitchValue],
) -> Given:
    typed = {name: value for name, value in switches.items() if isinstance(value, str)}
    spoken = None if language == WRITTEN else language
    return write_given(str(variant), [str(mod) for mod in mods], profile, spoken, typed)


@record
class _Project:
    """All that was read."""

    library: Library
    modules: list[Module]
    chain: list[Part]
    mods: list[Part]
    profile: str | None
    chosen: tuple[Switching, ...]
    wanted: Wanted
    given: Given

    @property
    def variant(self) -> Part:
        """The variant itself."""
        return self.chain[-1]

    @property
    def parts(self) -> list[Part]:
        """Parents, the variant, mods."""
        return [*self.chain, *self.mods]

    @property
    def is_complete(self) -> bool:
        """Whether no mistake in a text has taken something away that others may refer to."""
        return all(part.is_complete for part in self.parts) and all(
            module.is_whole for module in self.modules
        )


# ---------------------------------------------------------------- switches


@record
class _Named:
    """The profile that is asked for, and where."""

    name: str | None
    span: Span


def _profile(named: _Named, chain: Sequence[Part], bag: Bag) -> tuple[Switching, ...] | None:
    """What a profile sets; the variant's own before those of its parents. None after an error."""
    name = named.name
    if name is None:
        return ()
    known: dict[str, None] = {}
    for part in reversed(chain):
        for entry in part.entries("profiles"):
            if entry.name == name:
                return tuple(_switchings(entry.value, f"profile {name}"))
            known[entry.name] = None
    listing = ", ".join(f"`{each}`" for each in known)
    bag.error(
        "RW1011",
        named.span,
        f"`{chain[-1].name}` has no profile `{name}`",
        help=did_you_mean(name, known) or (f"its profiles are {listing}" if known else None),
    )
    return None


def _switchings(node: object, layer: str) -> Iterator[Switching]:
    for entry in node.entries if isinstance(node, DataMapping) else ():
        yield Switching(entry.name, entry.value, entry.span, layer)


def _idle_settings(project: _Project) -> Iterator[Switching]:
    """Settings of profiles that were not chosen; their names are checked all the same."""
    for part in project.chain:
        for entry in part.entries("profiles"):
            if entry.name != project.profile:
                yield from _switchings(entry.value, f"profile {entry.name}")


def _typed(switches: Mapping[str, SwitchValue], given: Given) -> Iterator[Switching]:
    """What was set on the command line or by a scenario."""
    for name, value in switches.items():
        span = given.switches[name] if isinstance(value, str) else value.span
        yield Switching(name, value, span, "command line")


# ---------------------------------------------------------------- layers


def _layers(project: _Project, switches: Mapping[str, SwitchValue]) -> Iterator[Layer]:
    said = {
        _shape(decl)
        for part in project.parts
        for decl in part.declarations
        if isinstance(decl, syntax.Saying)
    }
    for module in project.modules:
        own = tuple(
            each
            for each in module.declarations
            if not isinstance(each, syntax.Scenario)
            and not (isinstance(each, syntax.Saying) and _shape(each) in said)
        )
        yield Layer(f"std/{module.name}", 0, own)
    for rank, part in enumerate(project.parts, 1):
        settings = tuple(_switchings(part.data.get("set"), part.name))
        yield Layer(part.name, rank, part.declarations, settings, part.is_mod)
        if part is project.variant and project.chosen:
            yield Layer(f"profile {project.profile}", rank, (), project.chosen)
    yield Layer("command line", len(project.parts) + 1, (), tuple(_typed(switches, project.given)))


def _shape(decl: syntax.Saying) -> tuple[object, ...]:
    """How a saying is said. One of a variant or mod takes the place of the library's."""
    prepositions = frozenset(prep.preposition for prep in decl.preps)
    return decl.verb.text, decl.object is None, prepositions


def _merge(project: _Project, switches: Mapping[str, SwitchValue], bag: Bag) -> Merged:
    layers = list(_layers(project, switches))
    spare = tuple(_idle_settings(project))
    merged = merge_layers(layers, bag, spare=spare, is_complete=project.is_complete)
    things, facts = Things(bag), Facts(bag)
    library_texts = _library_texts(project, bag)
    facts.translate(library_texts)
    for part in project.parts:
        things.lay(part)
        facts.lay(part)
    sections = things.rows(read_kinds(merged.declarations, merged.switchings))
    facts.check(dict(sections))
    least, most = facts.players or (1, max(len(facts.seats), 1))
    assumed = {what: (what, why, span) for what, why, span in things.assumptions()}
    return Merged(
        variant=project.variant.name,
        title=facts.title,
        description=facts.description,
        mods=tuple(mod.name for mod in project.mods),
        min_players=least,
        max_players=most,
        seats=tuple(facts.seats.items()),
        declarations=merged.declarations,
        switchings=merged.switchings,
        sections=sections,
        currency=facts.currency,
        terms=facts.terms,
        texts=facts.texts,
        board=facts.board,
        colours=facts.colours,
        language=project.wanted.language or WRITTEN,
        forms=things.forms() | facts.forms(),
        phase_limit=facts.limits.get("phases", DEFAULT_PHASES),
        act_limit=facts.limits.get("acts", DEFAULT_ACTS),
        money_limit=facts.limits.get("money", MOST_MONEY),
        assumed=(*facts.assumed.values(), *assumed.values()),
        digest=_digest(project, switches),
        parents=tuple(part.name for part in project.chain[:-1]),
        profile=project.profile,
        section_places=things.places,
        is_complete=project.is_complete,
        unread=tuple(span for part in project.parts for span in part.unread),
    )


def _library_texts(project: _Project, bag: Bag) -> dict[str, TextLine]:
    """The library's own texts; and an error if nothing at all is in the wanted language."""
    language = project.wanted.language
    languages, texts = read_locale(project.library.std / LOCALE, language, bag)
    known = dict.fromkeys((WRITTEN, *languages))
    for part in project.parts:
        known |= dict.fromkeys(part.languages)
    if language not in known:
        listing = ", ".join(f"`{each}`" for each in known)
        bag.error(
            "RW1017",
            project.given.language,
            f"`{project.variant.name}` has no texts in the language `{language}`",
            help=did_you_mean(language, known) or f"it has {listing}",
        )
    return texts


def _digest(project: _Project, switches: Mapping[str, SwitchValue]) -> str:
    """A hash over every text and choice that decides how the game goes."""
    digest = hashlib.sha256()

    def take(*texts: str) -> None:
        for text in texts:
            content = text.encode("utf-8", errors="surrogatepass")
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)

    for module in project.modules:
        take("module", module.name, module.file.source.text)
        if module.sayings is not None:
            take("sayings", module.sayings.source.text)
    for part in project.parts:
        take("mod" if part.is_mod else "variant", part.name)
        for name, source in part.sources:
            take(name, source.text)
    take("profile", project.profile or "")
    for name, value in sorted(switches.items()):
        take("set", name, value if isinstance(value, str) else value.span.text)
    return digest.hexdigest()
