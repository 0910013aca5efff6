"""Finds what was named and checks it, in one place for all commands.

Imports all of the checker: commands that can do with a cached game use `games`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from dsl.check.data_rows import check_rows
from dsl.check.merged import Merged, with_switches
from dsl.check.program import Together, check_program
from dsl.check.scenarios import scenario_header
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.chain import all_profiles
from dsl.project.find import INNER, Folder, Library, folder_at, is_directory, is_path, typed_path
from dsl.project.load import load_merged
from dsl.project.locales import Locale, read_locales
from dsl.project.summary import overlay_of, report_homeless
from dsl.syntax import nodes as syntax
from interpreter.cli.games import library_of, stop_on_errors, the_library
from interpreter.cli.options import Wish
from interpreter.cli.wording import known_keys, report_lost
from interpreter.scenario.groups import check_mods, is_in, with_scenarios
from interpreter.session.request import DEFAULT_PLAYERS

# ---------------------------------------------------------------- from words to folders


@dataclass(frozen=True, slots=True)
class Target:
    """A variant (or profile) or a mod that was named, and the library in which it is known."""

    name: str
    library: Library
    mod: Folder | None = None

    @property
    def is_mod(self) -> bool:
        """Whether it can only be laid over a variant."""
        return self.mod is not None


def targets(words: Sequence[str]) -> list[Target]:
    """What some words name. A folder that holds variants and mods stands for all of them.

    Raises click.UsageError for a word that names nothing.
    """
    library = the_library()
    found = [target for word in words for target in _targets(word, library)]
    return list({(target.name, target.is_mod): target for target in found}.values())


def here() -> tuple[str, ...]:
    """The word for this folder: the variant or mod in which one stands, or those in it.

    Raises click.UsageError where there is none.
    """
    here = Path.cwd()
    if folder_at(here) is not None or (around := Library([here])).variants() or around.mods():
        return (".",)
    if here.name in INNER and folder_at(here.parent) is not None:
        return ("..",)
    raise click.UsageError(
        "This folder is no variant or mod, and there is none in it: name one, or a path to one; "
        "`rulewright list` shows those that come along."
    )


def _targets(word: str, library: Library) -> Iterator[Target]:
    path = typed_path(word)
    if not is_path(word):
        if word in library.variants() or word in all_profiles(library):
            yield Target(word, library)
            return
        if word in library.mods():
            yield Target(word, library, library.mods()[word])
            return
    folder = folder_at(path)
    if folder is not None:
        around = library.beside(folder)
        yield Target(str(folder.path), around, folder if folder.is_mod else None)
        return
    inside = Library([path]) if is_directory(path) else None
    if inside is not None and (inside.variants() or inside.mods()):
        for each in (*inside.variants().values(), *inside.mods().values()):
            around = library.beside(each)
            yield Target(str(each.path), around, each if each.is_mod else None)
        return
    raise click.UsageError(_unknown(word, path, library))


def _unknown(word: str, path: Path, library: Library) -> str:
    if is_path(word):
        if path.exists():
            return f"There is no variant or mod at `{word}`: no variant.yaml or mod.yaml is there."
        return f"There is nothing at `{word}`."
    names = [*library.variants(), *all_profiles(library), *library.mods()]
    near = did_you_mean(word, names)
    return f"There is no variant or mod `{word}`; " + (near or f"there are {', '.join(names)}")


# ---------------------------------------------------------------- checking


@dataclass(slots=True)
class Checked:
    """What was found out about a variant with its mods. `programs`: by number of players, as far
    as there were no errors."""

    wish: Wish
    merged: Merged | None = None
    programs: dict[int, core.Program] = field(default_factory=dict)
    locales: list[Locale] = field(default_factory=list)

    @property
    def keys(self) -> dict[str, str]:
        """The keys of all its texts, with these as they are without what is given by keys."""
        return known_keys(self.merged, self.programs.values()) if self.merged else {}

    @property
    def title(self) -> str:
        """What was checked, as it would be named on the command line."""
        name = self.wish.name
        shown = Path(name).resolve().name if name in (".", "..") else name
        return shown + (f" --with {','.join(self.wish.mods)}" if self.wish.mods else "")


def check(
    library: Library, wish: Wish, bag: Bag, *, scenarios: bool = True, is_for_play: bool = False
) -> Checked:
    """Checks a variant with its mods for the number of players that is wished for; without one for
    the smallest and the largest, or for the usual one if it is to be played. Stops where errors
    leave nothing to go on with."""
    checked = Checked(wish)
    own = Bag()
    merged = load_merged(
        library,
        wish.name,
        mods=wish.mods,
        switches=dict(wish.switches),
        profile=wish.profile,
        language=wish.language,
        scenarios=scenarios,
        bag=own,
    )
    checked.merged = merged
    if merged is not None:
        check_rows(merged, own)
        if not own.has_errors:
            counts = _player_counts(merged, wish.players, is_for_play=is_for_play)
            _check_programs(checked, library, merged, counts, own, scenarios=scenarios)
    bag.extend(own)
    return checked


def _check_programs(
    checked: Checked,
    library: Library,
    merged: Merged,
    counts: Sequence[int],
    bag: Bag,
    *,
    scenarios: bool,
) -> None:
    """The programs for some numbers of players. Scenarios are checked with the most players, for
    then all their seats are there."""
    needed = {mod: overlay_of(library, mod).needed for mod in merged.mods}
    own = _own_scenarios(merged, needed)
    plain = with_scenarios(merged, [decl for decl in own if _settings_of(decl) == _AS_IT_IS])
    together = Together()
    for players in counts:
        with_them = scenarios and players == counts[-1]
        program = check_program(plain, players, bag, scenarios=with_them, together=together)
        if program is None:
            break
        checked.programs[players] = program
    if not scenarios:
        return
    known = {*library.mods(), *merged.mods}
    for ranked in merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario):
            check_mods(ranked.decl, known, bag)
    switched = [decl for decl in own if _settings_of(decl) != _AS_IT_IS]
    if switched and not bag.has_errors:
        _check_switched(library, checked.wish, merged, switched, bag, together)


_Settings = tuple[str | None, tuple[tuple[str, str], ...]]
"""The profile and the switches of a scenario, as they are written."""

_AS_IT_IS: _Settings = (None, ())


def _check_switched(
    library: Library,
    wish: Wish,
    merged: Merged,
    scenarios: list[syntax.Scenario],
    bag: Bag,
    together: Together,
) -> None:
    """Checks scenarios that set switches or name a profile.

    What a scenario says hardly ever depends on the switches that it sets, so all are first looked
    at together, under the switches of the variant. Only those in which something is wrong there,
    or whose profile has to be looked up, are checked in a game of their own.
    """
    doubtful = _doubtful(merged, scenarios, bag, together)
    for wanted, decl in {_settings_of(decl): decl for decl in doubtful}.items():
        own = Bag()
        again = _switched(library, wish, merged, decl, own)
        if again is not None and not own.has_errors:
            again = with_scenarios(again, [d for d in doubtful if _settings_of(d) == wanted])
            check_program(again, again.max_players, own, together=together)
        bag.extend(own)


def _doubtful(
    merged: Merged, scenarios: list[syntax.Scenario], bag: Bag, together: Together
) -> list[syntax.Scenario]:
    """Those that can't be right as they stand under the switches of the variant.

    A refusal whose words are nowhere to be found in the rules as they are played, but in what
    a switch has taken out of them, is for the run of the scenario to judge.
    """
    found = Bag()
    alone = with_scenarios(merged, scenarios)
    check_program(alone, merged.max_players, found, together=together)
    errors = [
        each.span
        for each in found
        if each.severity == "error"
        and not (each.code == "RW0907" and _stands_in_rules(each.span.text, merged))
    ]
    doubtful = [
        decl
        for decl in scenarios
        if decl.profile is not None or any(is_in(span, decl) for span in errors)
    ]
    bag.extend(
        each
        for each in found
        if each.severity != "error" and not any(is_in(each.span, decl) for decl in doubtful)
    )
    return doubtful


def _stands_in_rules(words: str, merged: Merged) -> bool:
    return any(
        words in ranked.decl.span.text
        for ranked in merged.declarations
        if not isinstance(ranked.decl, syntax.Scenario)
    )


def _switched(
    library: Library,
    wish: Wish,
    merged: Merged,
    scenario: syntax.Scenario,
    bag: Bag,
) -> Merged | None:
    """The variant with what a scenario sets; loaded anew for a profile, and to say that there is no
    switch of a name."""
    switches = {one.name.text: one.value for one in scenario.switches}
    decls = (ranked.decl for ranked in merged.declarations)
    known = {decl.name.text for decl in decls if isinstance(decl, syntax.SwitchDecl)}
    if scenario.profile is None and known.issuperset(switches):
        return with_switches(merged, switches)
    return load_merged(
        library,
        wish.name,
        mods=wish.mods,
        switches={**dict(wish.switches), **switches},
        profile=scenario.profile or wish.profile,
        bag=bag,
    )


def _own_scenarios(merged: Merged, needed: Mapping[str, tuple[str, ...]]) -> list[syntax.Scenario]:
    """The scenarios that are written for just the mods that are laid over the variant, besides
    those that they need (`needed`, for each mod); others need not hold."""
    own: list[syntax.Scenario] = []
    for ranked in merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario):
            wanted = {ranked.layer, *scenario_header(ranked.decl).mods} - {merged.variant}
            if set(merged.mods) == wanted.union(*(needed.get(mod, ()) for mod in wanted)):
                own.append(ranked.decl)
    return own


def _settings_of(decl: syntax.Scenario) -> _Settings:
    header = scenario_header(decl)
    switches = tuple((one.name.text, one.value.span.text) for one in header.switches)
    return header.profile, switches


def _player_counts(merged: Merged, wanted: int | None, *, is_for_play: bool) -> list[int]:
    least, most = merged.min_players, merged.max_players
    if wanted is None and is_for_play:
        return [max(least, min(most, DEFAULT_PLAYERS))]
    if wanted is None:
        return [least] if least == most else [least, most]
    if not least <= wanted <= most:
        span = str(least) if least == most else f"{least} to {most}"
        raise click.UsageError(f"{merged.title} is for {span} players, not for {wanted}.")
    return [wanted]


def check_target(target: Target, wish: Wish, bag: Bag) -> list[Checked]:
    """Checks a target; a mod with every variant that it fits.

    A mod that does not say for which variants it is has to fit one; where it does not fit, it is
    left out.
    """
    if target.mod is None:
        checked = check(target.library, replace(wish, name=target.name), bag)
        _check_locales(target.library, [checked], bag)
        return [checked]
    known = target.library.mods().get(target.mod.name)
    mod = target.mod.name if known is not None else str(target.mod.path)
    overlay = overlay_of(target.library, target.mod.name)
    is_for_all = not overlay.is_limited
    needed = [name for name in overlay.needed if name not in wish.mods]
    tried: list[tuple[Checked, Bag]] = []
    for host in overlay.variants:
        own = Bag()
        laid = replace(wish, name=host, mods=(*wish.mods, *needed, mod))
        tried.append((check(target.library, laid, own), own))
    if not tried:
        report_homeless(target.library, target.mod, bag)
        return []
    good = [pair for pair in tried if not pair[1].has_errors]
    if is_for_all and good:
        tried = good
    elif is_for_all:
        tried = [min(tried, key=lambda pair: len(pair[1].sorted()))]
    for _, own in tried:
        bag.extend(own)
    _check_locales(target.library, [checked for checked, _ in tried], bag)
    return [checked for checked, _ in tried]


def _check_locales(library: Library, found: list[Checked], bag: Bag) -> None:
    """The texts in all languages. A text of a mod is lost if none of its variants asks for it."""
    keys: dict[str, str] = {}
    are_good = all(checked.programs for checked in found)
    own = Bag()
    for checked in found:
        wish = checked.wish
        checked.locales = read_locales(library, wish.name, wish.mods, own)
        keys |= checked.keys
    bag.extend(own)
    if are_good and found:
        report_lost(found[0].locales, keys, bag)


# ---------------------------------------------------------------- one game, or the reason why not


def checked_game(wish: Wish) -> core.Program:
    """A variant without errors, for one number of players; else the process ends with the
    findings."""
    bag = Bag()
    checked = check(library_of(wish), wish, bag, scenarios=False, is_for_play=True)
    stop_on_errors(bag)
    return next(iter(checked.programs.values()))


def merged_game(wish: Wish, *, scenarios: bool = False) -> tuple[Merged, Bag]:
    """A variant put together, perhaps with mistakes in its texts; else the process ends."""
    bag = Bag()
    merged = load_merged(
        library_of(wish),
        wish.name,
        mods=wish.mods,
        switches=dict(wish.switches),
        profile=wish.profile,
        scenarios=scenarios,
        bag=bag,
    )
    if merged is None:
        stop_on_errors(bag)
        raise AssertionError("nothing was loaded, and nothing was said about it")
    return merged, bag
