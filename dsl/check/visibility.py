"""Nobody's answers may depend on what he can't see: to be refused would tell him.

Looks at the heads of options and answers and at the candidates of picks. `everyone` may be read;
`owner` only of the seat that is asked; `nobody` never. How many things lie in a zone is public,
unless the zone says `count hidden`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.check.keys import walk
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.source import Span

# Whose secret is read: a parameter of a define by its place, or nobody's in particular.
_SOMEBODY = -1


@dataclass(frozen=True, slots=True)
class _Secret:
    """A read of something hidden: what it is, and by which parameter its owner is reached."""

    name: str
    owner: int
    declared: Span


class Visibility:
    """Answers for one program."""

    def __init__(
        self,
        columns: Mapping[str, core.Column],
        zones: Mapping[str, core.Zone],
        defines: Mapping[str, core.Define],
    ) -> None:
        self._columns = columns
        self._zones = zones
        self._defines = defines
        self._known: dict[str, tuple[_Secret, ...]] = {}

    def check_head(self, bag: Bag, head: tuple[core.HeadItem, ...], seat: str) -> None:
        """Report reads of what the seat (a local) can't see."""
        own = {seat}
        for item in head:
            if isinstance(item, core.HeadLet):
                self._report(bag, item.value, own)
            elif isinstance(item, core.HeadNeeds):
                self._report(bag, item.condition, own)
            else:
                self.check_pick(bag, item, own)

    def check_pick(self, bag: Bag, pick: core.HeadPick, own: set[str]) -> None:
        """Report reads of what the seat can't see in the candidates of a pick."""
        for part in (pick.source, pick.where, pick.such_that, pick.low, pick.high):
            if part is not None:
                self._report(bag, part, own)

    def _report(self, bag: Bag, expr: core.Expr, own: set[str]) -> None:
        for secret, span in self._reads(expr, own):
            bag.error(
                "RW0621",
                span,
                f"the player who is asked can't see `{secret.name}`",
                label="being allowed or refused would tell him",
                also=[(secret.declared, "hidden here")],
                help="ask by what he can see, and look at the rest in the body",
            )
            return

    def check_strategy(self, bag: Bag, expr: core.Expr, own: set[str]) -> None:
        """Report the first read in a strategy of what its seat can't see."""
        for secret, span in self._reads(expr, own):
            bag.error(
                "RW0908",
                span,
                f"`me` can't see `{secret.name}`",
                label="a player in this seat would not know",
                also=[(secret.declared, "hidden here")],
                help="decide by what everybody sees and by what is in the own hand",
            )
            return

    def _reads(self, expr: core.Expr, own: set[str]) -> Iterator[tuple[_Secret, Span]]:
        for part in _outside_counts(expr, self._zones):
            if isinstance(part, core.CallDefine):
                for secret in self._of_define(part.define):
                    if secret.owner == _SOMEBODY or not _is_own(part.args[secret.owner], own):
                        yield secret, part.span
            else:
                found = self._direct(part)
                if found is not None and not _is_own(found[1], own):
                    yield _Secret(found[0], _SOMEBODY, found[2]), part.span

    def _direct(self, part: core.Expr) -> tuple[str, core.Expr | None, Span] | None:
        """A hidden field or zone that is read, its owner if one may see it, and its place."""
        if isinstance(part, core.Field):
            column = self._columns.get(part.column)
            if column is None or column.seen_by == "everyone":
                return None
            owner = part.subject if column.seen_by == "owner" else None
            return column.field, owner, column.span
        if isinstance(part, core.ZoneItems):
            zone = self._zones.get(part.zone)
            if zone is None or zone.seen_by == "everyone" or zone.fanned:
                return None
            return zone.field, part.holder if zone.seen_by == "owner" else None, zone.span
        return None

    def _of_define(self, name: str) -> tuple[_Secret, ...]:
        if name in self._known:
            return self._known[name]
        self._known[name] = ()  # circles are reported elsewhere
        found: dict[_Secret, None] = {}
        define = self._defines.get(name)
        for variant in define.variants if define is not None else ():
            places = {local: place for place, (local, _) in enumerate(variant.params)}
            for secret in self._of_variant(variant, places):
                found[secret] = None
        self._known[name] = tuple(found)
        return self._known[name]

    def _of_variant(self, variant: core.DefineVariant, places: dict[str, int]) -> Iterator[_Secret]:
        parts = [let.value for let in variant.lets] + [variant.base]
        parts += [part for but in variant.buts for part in (but.value, but.condition)]
        for expr in parts:
            for part in _outside_counts(expr, self._zones):
                if isinstance(part, core.CallDefine):
                    for secret in self._of_define(part.define):
                        owner = None if secret.owner == _SOMEBODY else part.args[secret.owner]
                        yield _Secret(secret.name, _place(owner, places), secret.declared)
                else:
                    found = self._direct(part)
                    if found is not None:
                        yield _Secret(found[0], _place(found[1], places), found[2])


def _place(owner: core.Expr | None, places: dict[str, int]) -> int:
    return places.get(owner.name, _SOMEBODY) if isinstance(owner, core.Local) else _SOMEBODY


def _is_own(owner: core.Expr | None, own: set[str]) -> bool:
    return isinstance(owner, core.Local) and owner.name in own


def _outside_counts(expr: core.Expr, zones: Mapping[str, core.Zone]) -> Iterator[core.Expr]:
    """All parts, but for zones that are only counted."""
    counted: set[int] = set()
    for part in walk(expr):
        if isinstance(part, core.Fold) and part.kind == "count" and len(part.generators) == 1:
            source, where = part.generators[0].source, part.generators[0].where
            if isinstance(source, core.ZoneItems) and where is None:
                zone = zones.get(source.zone)
                if zone is not None and not zone.count_hidden:
                    counted.add(id(source))
        if isinstance(part, core.Expr) and id(part) not in counted:
            yield part


def check_visibility(bag: Bag, program: core.Program) -> None:
    """Check the heads of all options, all questions, and all strategies."""
    seen = Visibility(program.columns, program.zones, program.defines)
    for option in program.options.values():
        seen.check_head(bag, option.head, option.params[0][0])
    asked: dict[str, set[str]] = {}
    bodies = (program.routines, program.phases, program.options)
    parts = (*(part for named in bodies for part in named.values()), *program.watches)
    for node in walk(parts):
        if isinstance(node, core.AskAbout) and isinstance(node.asked, core.Local):
            asked[node.site] = {node.asked.name}
            for answer in node.answers:
                seen.check_head(bag, answer.head, node.asked.name)
        elif isinstance(node, core.Ask) and isinstance(node.asked, core.Local):
            asked[node.site] = {node.asked.name}
            seen.check_pick(bag, node.pick, asked[node.site])
        elif isinstance(node, core.Gather):
            asked[node.site] = {node.asked.variable}
            seen.check_pick(bag, node.pick, asked[node.site])
    for strategy in program.strategies.values():
        _check_strategy(bag, seen, program, strategy, asked)


def _check_strategy(
    bag: Bag,
    seen: Visibility,
    program: core.Program,
    strategy: core.Strategy,
    asked: Mapping[str, set[str]],
) -> None:
    for site, (lets, lines) in strategy.sites.items():
        own = {"me"} | asked.get(site, set())
        for let in lets:
            seen.check_strategy(bag, let.value, own)
        for line in lines:
            option = program.options.get(line.answer)
            mine = own if option is None else own | {option.params[0][0]}
            for expr in _parts_of(line):
                seen.check_strategy(bag, expr, mine)


def _parts_of(line: core.Preference) -> Iterator[core.Expr]:
    for _, value in line.args:
        yield value
    for generator in line.generators:
        yield generator.source
        if generator.where is not None:
            yield generator.where
    for key in line.ranking:
        yield key.value
    for part in (line.value, line.condition):
        if part is not None:
            yield part
