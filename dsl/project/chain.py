"""What a game is made of: the variant that was named, its parents, its mods, its modules.

Everything that can't be found or doesn't go together is refused here, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from dsl.data.node import Mapping
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.files import ScriptFile, read_data, read_script
from dsl.project.find import (
    SAYINGS,
    Folder,
    Library,
    folder_at,
    is_directory,
    is_file,
    is_path,
    typed_path,
)
from dsl.project.parts import Part, Wanted, read_part
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@record
class Module:
    """A library module. `sayings`: what scenarios can say where it is used, if they are wanted."""

    name: str
    file: ScriptFile
    sayings: ScriptFile | None = None

    @property
    def declarations(self) -> tuple[syntax.Decl, ...]:
        """What it declares."""
        own = self.file.script.declarations
        return own if self.sayings is None else own + self.sayings.script.declarations

    @property
    def is_whole(self) -> bool:
        """Whether no mistake in a text has taken something away."""
        return self.file.is_whole and (self.sayings is None or self.sayings.is_whole)


@record
class Opened:
    """What was asked for by name: a variant's folder, or one of its profiles."""

    folder: Folder
    profile: str | None = None
    by_path: bool = False


# ---------------------------------------------------------------- by name


def open_variant(library: Library, name_or_path: str | Path, span: Span, bag: Bag) -> Opened | None:
    """The variant of a name, a profile's name or a path. None, after an error, if there is none."""
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or is_path(text):
        return _opened_at(Path(text), span, bag)
    variants = library.variants()
    if text in variants:
        return Opened(variants[text])
    mods = library.mods()
    if text in mods:
        _report_mod(text, span, bag)
        return None
    profiles = all_profiles(library)
    owners = profiles.get(text, [])
    if len(owners) == 1:
        return Opened(owners[0], text)
    if owners:
        bag.error(
            "RW1011",
            span,
            f"several variants have a profile `{text}`",
            help="name the variant and the profile: "
            + " or ".join(f"`{folder.name} --profile {text}`" for folder in owners),
        )
        return None
    if is_directory(Path(text)):
        return _opened_at(Path(text), span, bag)
    bag.error(
        "RW1001",
        span,
        f"there is no variant `{text}`",
        help=did_you_mean(text, [*variants, *profiles, *mods]) or _known("variants", variants),
    )
    return None


def _opened_at(path: Path, span: Span, bag: Bag) -> Opened | None:
    folder = folder_at(typed_path(str(path)))
    if folder is None:
        reason = "no variant.yaml in it" if is_directory(path) else "nothing that belongs to one"
        bag.error("RW1001", span, f"there is no variant at `{path}`: {reason}")
        return None
    if folder.is_mod:
        _report_mod(folder.name, span, bag)
        return None
    return Opened(folder, by_path=True)


def _report_mod(name: str, span: Span, bag: Bag) -> None:
    typed = span.text if is_path(span.text) else name
    bag.error(
        "RW1004",
        span,
        f"`{name}` is a mod: it changes a variant and is no game by itself",
        help=f"name a variant and lay the mod over it: `VARIANT --with {typed}`",
    )


def _known(what: str, names: Iterable[str]) -> str | None:
    words = list(names)
    if not words or len(words) > 20:
        return None
    return f"the {what} are " + ", ".join(f"`{word}`" for word in words)


def all_profiles(library: Library) -> dict[str, list[Folder]]:
    """The variants that have a profile of a name. Mistakes in their files are not reported."""
    found: dict[str, list[Folder]] = {}
    for folder in library.variants().values():
        read = read_data(folder.file, Bag(), is_outer=True)
        data = read[1] if read else None
        profiles = data.get("profiles") if isinstance(data, Mapping) else None
        for entry in profiles.entries if isinstance(profiles, Mapping) else ():
            found.setdefault(entry.name, []).append(folder)
    return found


# ---------------------------------------------------------------- parents


def read_chain(opened: Opened, library: Library, wanted: Wanted, bag: Bag) -> list[Part] | None:
    """The variant and what it extends, the root first. None after an error."""
    chain: list[Part] = []
    places: list[Span] = []
    here = opened.folder
    while True:
        part = read_part(here, wanted, bag, is_parent=bool(chain))
        by_path = opened.by_path and not chain
        if part is None or not _is_what_it_says(part, bag, by_path=by_path):
            return None
        chain.insert(0, part)
        extends = part.word("extends")
        if extends is None:
            return chain
        places.append(extends.span)
        parent = _parent(str(extends.value), extends.span, library.beside(here), bag)
        if parent is None:
            return None
        if any(parent.path.absolute() == each.folder.path.absolute() for each in chain):
            _report_cycle(parent, chain, places, bag)
            return None
        here = parent


def _is_what_it_says(part: Part, bag: Bag, *, by_path: bool) -> bool:
    """A file named variant.yaml is of a variant, and called as its folder if found by that name."""
    is_, is_not = ("mod", "variant") if part.is_mod else ("variant", "mod")
    wrong, right = part.data.entry(is_not), part.data.entry(is_)
    if wrong is not None and right is None:
        bag.error(
            "RW1004",
            wrong.key.span,
            f"`{wrong.name}` can't stand in a file called {part.folder.file.name}",
            help=f"rename the file to {is_not}.yaml, or write `{is_}:`",
        )
        return False
    if right is None or by_path or part.name == part.folder.name:
        return True
    bag.error(
        "RW1005",
        right.value.span,
        f"the {is_} is called `{part.name}`, but its folder `{part.folder.name}`",
        help="give both the same name: it is by its folder that others find it",
    )
    return False


def _parent(name: str, span: Span, library: Library, bag: Bag) -> Folder | None:
    variants = library.variants()
    if name in variants:
        return variants[name]
    if name in library.mods():
        bag.error(
            "RW1004",
            span,
            f"`{name}` is a mod, and only a variant can be extended",
            help=f"leave `extends` out and play with the mod: `--with {name}`",
        )
        return None
    bag.error(
        "RW1001",
        span,
        f"there is no variant `{name}` to extend",
        help=did_you_mean(name, variants) or _known("variants", variants),
    )
    return None


def _report_cycle(parent: Folder, chain: list[Part], places: list[Span], bag: Bag) -> None:
    """`chain` has the root first; each of `places` is where the next parent was named."""
    names = [part.name for part in reversed(chain)]
    first = next(
        number
        for number, part in enumerate(reversed(chain))
        if part.folder.path.absolute() == parent.path.absolute()
    )
    ring = [*names[first:], names[first]]
    bag.error(
        "RW1006",
        places[-1],
        f"`{ring[0]}` extends itself"
        if len(ring) == 2
        else "these variants extend each other in a circle",
        also=[(span, "") for span in places[first:-1]],
        notes=[] if len(ring) == 2 else [" extends ".join(f"`{name}`" for name in ring)],
        help="one of them must stand on its own, without `extends`",
    )


# ---------------------------------------------------------------- mods


def read_mods(
    mods: Sequence[str | Path],
    places: Sequence[Span],
    library: Library,
    wanted: Wanted,
    bag: Bag,
) -> list[Part] | None:
    """The mods in the order given. None after an error, when all of them have been looked at."""
    parts: list[Part] = []
    is_good = True
    for mod, span in zip(mods, places, strict=True):
        by_path = isinstance(mod, Path) or is_path(mod)
        folder = _mod_folder(mod, span, library, bag)
        part = read_part(folder, wanted, bag) if folder else None
        if part is None or not _is_what_it_says(part, bag, by_path=by_path):
            is_good = False
        elif any(part.name == each.name for each in parts):
            bag.error(
                "RW1010",
                span,
                f"the mod `{part.name}` is given twice",
                help="name it once",
            )
            is_good = False
        else:
            parts.append(part)
    return parts if is_good else None


def _mod_folder(mod: str | Path, span: Span, library: Library, bag: Bag) -> Folder | None:
    text = str(mod)
    mods = library.mods()
    if not isinstance(mod, Path) and text in mods:
        return mods[text]
    folder = folder_at(typed_path(text))
    is_variant = (folder is not None and not folder.is_mod) or text in library.variants()
    if folder is not None and folder.is_mod:
        return folder
    if is_variant:
        bag.error(
            "RW1004",
            span,
            f"`{text}` is a variant, and only mods can be laid over a game",
            help="name it in place of the variant",
        )
        return None
    bag.error(
        "RW1003",
        span,
        f"there is no mod `{text}`",
        help=did_you_mean(text, mods) or _known("mods", mods),
    )
    return None


def fits(chain: Sequence[Part], mods: Sequence[Part], library: Library, bag: Bag) -> bool:
    """Whether variant and mods can be played together; each refusal is reported."""
    own = Bag()
    variant = chain[-1]
    lineage = {part.name for part in chain}
    known = {*library.variants(), *library.mods(), *lineage, *(mod.name for mod in mods)}
    for number, mod in enumerate(mods):
        _check_overlay(mod, variant, lineage, known, own)
        _check_needs(mod, mods[:number], mods, own)
    parts = [*chain, *mods]
    for part in parts:
        for name, span in part.words("conflicts"):
            if name not in known:
                _warn_unknown(name, span, known, own)
            elif name in lineage | {mod.name for mod in mods} and name != part.name:
                own.error(
                    "RW1008",
                    span,
                    f"`{part.name}` can't be played with `{name}`",
                    help="leave one of them out",
                )
    bag.extend(own)
    return not own.has_errors


def _check_overlay(mod: Part, variant: Part, lineage: set[str], known: set[str], bag: Bag) -> None:
    wanted = mod.words("overlay_for")
    for name, span in wanted:
        if name not in known:
            _warn_unknown(name, span, known, bag)
    if mod.data.get("overlay_for") is None or any(name in lineage for name, _ in wanted):
        return
    entry = mod.data.entry("overlay_for")
    assert entry is not None
    names = " and ".join(f"`{name}`" for name, _ in wanted) or "no variant at all"
    bag.error(
        "RW1007",
        entry.value.span,
        f"the mod `{mod.name}` is made for {names}, not for `{variant.name}`",
        help=f"if it works there too, add `{variant.name}` to `overlay_for`",
    )


def _check_needs(mod: Part, before: Sequence[Part], mods: Sequence[Part], bag: Bag) -> None:
    for name, span in mod.words("needs_mods"):
        if any(other.name == name for other in before):
            continue
        if name == mod.name:
            cure = "take it out of `needs_mods`"
            bag.error("RW1009", span, f"the mod `{name}` needs itself", help=cure)
            continue
        rest = [other.name for other in mods if other.name != name]
        rest.insert(rest.index(mod.name), name)
        is_late = any(other.name == name for other in mods)
        bag.error(
            "RW1009",
            span,
            f"the mod `{mod.name}` needs the mod `{name}`" + (" before it" if is_late else ""),
            help=f"play with `--with {','.join(rest)}`",
        )


def _warn_unknown(name: str, span: Span, known: set[str], bag: Bag) -> None:
    bag.warning(
        "RW1016",
        span,
        f"no variant or mod `{name}` is known here",
        help=did_you_mean(name, sorted(known)),
    )


# ---------------------------------------------------------------- modules


def read_modules(
    parts: Sequence[Part], library: Library, wanted: Wanted, bag: Bag
) -> list[Module] | None:
    """The library modules that the parts use, each once, in order. None after an error."""
    modules: dict[str, Module] = {}
    places: dict[str, Span] = {}
    is_good = True
    for part in parts:
        paths = library.beside(part.folder).modules()
        for name, span in part.words("uses"):
            if name in modules:
                continue
            path = paths.get(name)
            if path is None:
                bag.error(
                    "RW1002",
                    span,
                    f"the library has no module `{name}`",
                    help=did_you_mean(name, paths) or _known("modules", paths),
                )
                is_good = False
                continue
            read = read_script(path, bag)
            if read is None:
                is_good = False
                continue
            sayings = path.parent / SAYINGS / path.name
            said = read_script(sayings, bag) if wanted.scenarios and is_file(sayings) else None
            modules[name] = Module(name, read, said)
            places[name] = span
    return list(modules.values()) if is_good and _are_served(modules, places, bag) else None


_NEEDS = re.compile(r"\bNeeds ((?:\w+, )*\w+(?: or \w+)?)\.")


def needs_of(module: ScriptFile) -> list[tuple[str, ...]]:
    """The modules that a module needs, as the comment at its head says: `Needs a, b, c or d.` Of
    several names together one is enough."""
    head: list[str] = []
    for line in module.source.text.splitlines():
        if not line.startswith("--"):
            break
        head.append(line.removeprefix("--").strip())
    found = _NEEDS.search(" ".join(head))
    return [tuple(each.split(" or ")) for each in found[1].split(", ")] if found else []


def _are_served(modules: dict[str, Module], places: dict[str, Span], bag: Bag) -> bool:
    """Whether every module has those that it needs; each that has not is reported."""
    is_good = True
    for name, module in modules.items():
        missing = [each for each in needs_of(module.file) if not any(n in modules for n in each)]
        if not missing:
            continue
        is_good = False
        words = [" or ".join(f"`{one}`" for one in each) for each in missing]
        listing = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
        bag.error(
            "RW1019",
            places[name],
            f"the module `{name}` needs {listing}",
            help=f"add {listing} to `uses`",
        )
    return is_good
