"""Who has to be asked again at an any-time window, and which lines of a strategy looked at again.

One bit stands for one line of one seat's strategy: it is set when something that line read has
changed. A line that gave no answer is not looked at until then; a seat without a bit is not asked.

The lowest bits say which seats have bits at all, twice over: whichever seat comes first, all of
them follow it in order. They are set together with those of the lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl.core import nodes as core
from interpreter.flat.context.layout import HeldFamily
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental.reads import BEING, Read
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat

NO_FLOOR = 1 << 30
WAKING = "wake_"
"""How the bits of windows are called."""
ROUNDS = 2
"""How often the bits of the seats themselves stand before those of their lines."""


@dataclass(slots=True)
class _Waking:
    """What is noted of who waits for what. `lines`: how many lines each window has bits for.
    `masks`: the scalars of lines that wait for something together, and `things` of some of them.
    `lasting`: the lines that wait for something in all of the game. `floors`: by window and purse.
    """

    lines: dict[str, int] = field(default_factory=dict)
    masks: dict[tuple[str, frozenset[Read], bool], str] = field(default_factory=dict)
    things: dict[str, Things] = field(default_factory=dict)
    lasting: dict[tuple[str, Read], set[int]] = field(default_factory=dict)
    floors: dict[tuple[str, str], Floor] = field(default_factory=dict)


def lines_of(low: Lowering, wake: str) -> int:
    """For how many lines each seat has a bit at a window."""
    return low.own(_Waking).lines[wake]


def wake_scalar(low: Lowering, window: core.Window) -> str | None:
    """The bits of an any-time window; None for windows that ask everybody every time.

    A window that picks whom it asks by a condition is open for something special: there seats have
    to be asked anyway, and waking them would burden every transfer.
    """
    if not low.does("waking") or not is_any_time(window) or window.asked.where is not None:
        return None
    name = low.names.of(f"{WAKING}{low.safe(window.name)}", "wake", window.name)
    known = low.own(_Waking).lines
    if name not in known:
        players = low.program.players
        lines = known[name] = _most_lines(low, window)
        bits = flat.Set(players * (lines + ROUNDS))
        everything = (1 << bits.bits) - 1
        low.out.scalars[name] = flat.ScalarDecl(name, bits, everything, "scratch")
        _by_seat(low, name, frozenset(range(lines)))
    return name


def is_any_time(window: core.Window) -> bool:
    """Whether everybody may act as often as he likes, in a window that is about nothing special."""
    return not window.params and window.closing == "until all pass"


def _most_lines(low: Lowering, window: core.Window) -> int:
    most = 1
    wanted = low.options.strategies
    for strategy in low.program.strategies.values():
        if wanted is not None and strategy.name not in wanted:
            continue
        for site, (_, preferences) in strategy.sites.items():
            known = low.program.sites.get(site)
            if known is not None and known.window == window.name:
                waiting = [
                    number
                    for number, line in enumerate(preferences, 1)
                    if line.answer != "pass" or line.condition is not None
                ]
                most = max([most, *waiting])
    return most


def bits_of(low: Lowering, wake: str) -> flat.Set:
    """The type of a window's bits."""
    return flat.Set(low.program.players * (lines_of(low, wake) + ROUNDS))


def everything(low: Lowering, wake: str) -> flat.Expr:
    """All bits that are set."""
    return flat.Scalar(wake, bits_of(low, wake))


def of_seat(low: Lowering, wake: str, seat: flat.Expr) -> flat.Expr:
    """All bits of a seat."""
    return flat.Cell(f"{wake}_seats", seat, bits_of(low, wake))


def asleep(low: Lowering, wake: str, seat: flat.Expr) -> flat.Stmt:
    """Takes away all bits of a seat."""
    lines = range(lines_of(low, wake))
    everyone = _bits(range(low.program.players), lines, low.program.players)
    own = low.out.tables[_by_seat(low, wake, frozenset(lines))].values
    table = low.table(f"{wake}_but", bits_of(low, wake), tuple(everyone & ~bits for bits in own))
    rest = build.set_and(everything(low, wake), flat.Cell(table, seat, bits_of(low, wake)))
    return set_bits(low, wake, rest)


def set_bits(low: Lowering, wake: str, value: flat.Expr) -> flat.Stmt:
    """Sets a window's bits."""
    return flat.SetScalar(wake, value, bits_of(low, wake))


def wake_always(low: Lowering, wake: str) -> flat.Stmt:
    """Wakes the seats whose answers are not a compiled strategy's."""
    seats = flat.Set(low.program.players)
    always = flat.Scalar("always", seats)
    add = set_bits(
        low, wake, build.set_or(everything(low, wake), of_seat(low, wake, flat.Var("waking")))
    )
    return flat.If(build.negate(build.is_empty(always)), (flat.ForSet("waking", always, (add,)),))


def lines_of_seat(low: Lowering, wake: str, seat: flat.Expr, lines: Iterable[int]) -> flat.Expr:
    """The bits of a seat and of some of its lines."""
    return flat.Cell(_by_seat(low, wake, frozenset(lines)), seat, bits_of(low, wake))


def only_lines(low: Lowering, wake: str, lines: Iterable[int]) -> flat.Bits:
    """The bits of some lines of all seats, without those of the seats."""
    players = low.program.players
    bits = sum(((1 << players) - 1) << (line + ROUNDS) * players for line in lines)
    return flat.Bits(bits, bits_of(low, wake).bits)


def next_awake(low: Lowering, wake: str, loop: flat.ForTable) -> flat.Body | None:
    """Of a loop over all seats in order, from one that has a number on: what puts the first of them
    that has bits into the loop's local, or leaves a loop around it; None where its table has other
    orders."""
    players = low.program.players
    cells = low.out.tables[loop.table].values
    places: list[int] = []
    for start in range(0, len(cells), loop.width):
        order = cells[start : start + loop.width]
        if order != tuple((order[0] + step) % players for step in range(players)):
            return None
        places.append(((1 << players) - 1) << order[0])
    rounds, seats = f"{wake}_rounds", f"{wake}_seat_of"
    round_type = flat.Set(players * ROUNDS)
    low.out.tables[rounds] = flat.Table(rounds, round_type, tuple(places))
    low.out.tables[seats] = flat.Table(seats, flat.INT, tuple(range(players)) * ROUNDS)
    there = build.set_and(everything(low, wake), flat.Cell(rounds, loop.index, round_type))
    ahead = flat.Var(low.temp("ahead"), round_type)
    return (
        flat.SetVar(ahead.name, there, round_type),
        flat.If(build.is_empty(ahead), (flat.Break(),)),
        flat.SetVar(loop.name, flat.Cell(seats, flat.First(ahead))),
    )


def is_awake(low: Lowering, wake: str, seat: flat.Expr) -> flat.Expr:
    """Whether a seat has bits."""
    mine = build.set_and(everything(low, wake), of_seat(low, wake, seat))
    return build.negate(build.is_empty(mine))


# ---------------------------------------------------------------- masks


@dataclass(frozen=True, slots=True)
class Things:
    """The things of a family that those who wait have asked about, as a scalar."""

    scalar: str
    type: flat.Set


def mask(
    low: Lowering, wake: str, reads: tuple[Read, ...], family: HeldFamily | None = None
) -> str:
    """The scalar of the lines that wait for a change of something they read together. `family`:
    they ask who holds single things of it, which are noted too (see `things_of`)."""
    key = (wake, frozenset(reads), family is not None)
    if key not in low.own(_Waking).masks:
        name = f"reads_{len(low.own(_Waking).masks) + 1}"
        low.own(_Waking).masks[key] = name
        low.out.scalars[name] = flat.ScalarDecl(name, bits_of(low, wake), 0, "scratch")
        if family is not None:
            things = Things(f"{name}_things", flat.Set(family.bits))
            low.own(_Waking).things[name] = things
            low.out.scalars[things.scalar] = flat.ScalarDecl(
                things.scalar, things.type, 0, "scratch"
            )
    return low.own(_Waking).masks[key]


def things_of(low: Lowering, mask: str) -> Things | None:
    """The things that the lines of a mask ask about, where single ones are noted."""
    return low.own(_Waking).things.get(mask)


def is_purse(low: Lowering, read: Read) -> bool:
    """Whether a purse is read, which changes often."""
    columns = low.program.columns
    return read.key in columns and columns[read.key].role == "purse"


def changes_often(low: Lowering, read: Read) -> bool:
    """Whether a purse is read, or whether it is the seat's turn."""
    return is_purse(low, read) or read.key.startswith(BEING)


def for_good(low: Lowering, wake: str, read: Read, lines: tuple[int, ...] | None) -> None:
    """Some lines, None for all, wait for what belongs to their own seat, in all of the game."""
    every = range(lines_of(low, wake))
    low.own(_Waking).lasting.setdefault((wake, read), set()).update(
        every if lines is None else lines
    )


def waited_for(low: Lowering) -> set[str]:
    """The keys of all changes for which some line waits."""
    noted = {read.key for _, reads, _ in low.own(_Waking).masks for read in reads}
    return noted | {read.key for _, read in low.own(_Waking).lasting}


def after_write(low: Lowering, stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """What a write wakes at every window. Lines that are awake need not wait for anything: they
    note again what they read when they are looked at.
    """
    stmts: list[flat.Stmt] = []
    for wake in low.own(_Waking).lines:
        stmts += _wake_lasting(low, wake, stmt)
        for (window, reads, _), mask in low.own(_Waking).masks.items():
            if window == wake:
                heeding = _heeding(low, wake, reads, stmt)
                stmts += _wake_readers(low, wake, mask, heeding, stmt.thing)
    return [*stmts, *_over_floors(low, stmt)]


def _wake_lasting(low: Lowering, wake: str, stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """Wakes the lines that wait for a part of their own seat, in all of the game."""
    came: set[int] = set()
    went: set[int] = set()
    came_with: dict[tuple[str, bool], set[int]] = {}
    for (window, read), lines in low.own(_Waking).lasting.items():
        if window != wake or read.key != stmt.key:
            continue
        if stmt.left is not None and read.heeds(grew=False):
            went |= lines
        if not read.heeds(grew=True if stmt.left is not None else stmt.grew):
            continue
        if read.where is None or stmt.thing is None:
            came |= lines
        else:
            came_with.setdefault(read.where, set()).update(lines)
    woken = _lines_of(low, wake, came, stmt.seats)
    if stmt.left is not None:
        woken = build.set_or(_lines_of(low, wake, went, stmt.left), woken)
    stmts = _wake(low, wake, woken)
    for (flag, wanted), lines in came_with.items():
        assert stmt.thing is not None
        place = low.layout.fields[flag]
        has = flat.Has(flat.Scalar(place.name, place.type), stmt.thing)
        some = tuple(_wake(low, wake, _lines_of(low, wake, lines - came, stmt.seats)))
        if some:
            stmts.append(flat.If(has if wanted else build.negate(has), some))
    return stmts


def _wake(low: Lowering, wake: str, woken: flat.Expr) -> list[flat.Stmt]:
    if woken == build.empty(bits_of(low, wake).bits):
        return []
    return [set_bits(low, wake, build.set_or(everything(low, wake), woken))]


def _heeding(
    low: Lowering, wake: str, reads: Iterable[Read], stmt: flat.WriteMarker
) -> flat.Expr | None:
    """The bits of those among which are all that wait for one of these reads and heed a write; None
    for all bits."""
    every = set(range(lines_of(low, wake)))
    heeding: flat.Expr = build.empty(bits_of(low, wake).bits)
    for read in reads:
        if read.key != stmt.key:
            continue
        came = read.heeds(grew=True if stmt.left is not None else stmt.grew)
        went = stmt.left is not None and read.heeds(grew=False)
        if (came or went or stmt.left is not None) and (not read.own or stmt.seats is None):
            return None
        if went:
            heeding = build.set_or(heeding, _lines_of(low, wake, every, stmt.left))
        if came:
            heeding = build.set_or(heeding, _lines_of(low, wake, every, stmt.seats))
    return heeding


def _wake_readers(
    low: Lowering, wake: str, mask: str, heeding: flat.Expr | None, thing: flat.Expr | None
) -> list[flat.Stmt]:
    """Wakes those of a mask that heed a write; they wait no more. `thing`: what was moved."""
    type_ = bits_of(low, wake)
    waiting = flat.Scalar(mask, type_)
    nobody: flat.Expr = build.empty(type_.bits)
    if heeding == nobody:
        return []
    woken = waiting if heeding is None else build.set_and(waiting, heeding)
    rest = nobody if heeding is None else build.set_minus(waiting, heeding)
    wake_them = (*_wake(low, wake, woken), flat.SetScalar(mask, rest, type_))
    concerned = build.negate(build.is_empty(waiting))
    things = things_of(low, mask)
    if things is not None:
        asked = flat.Scalar(things.scalar, things.type)
        if heeding is None:
            nothing = build.empty(things.type.bits)
            wake_them = (*wake_them, flat.SetScalar(things.scalar, nothing, things.type))
        if thing is not None:
            concerned = build.both(concerned, flat.Has(asked, thing))
    return [flat.If(concerned, wake_them)]


# ---------------------------------------------------------------- floors


@dataclass(slots=True)
class Floor:
    """What a `purse` must hold to wake somebody. `least`: the column of the least of all floors by
    owner; `lines`: that of each line that waits for its own seat's purse; `others`: that of lines
    that wait for somebody else's, which are in the scalar `waiting`."""

    purse: str
    least: str
    others: str
    waiting: str
    wake_up: str
    lines: dict[int, str] = field(default_factory=dict)


def floor(low: Lowering, wake: str, column: str) -> Floor:
    """The floors of a purse, at a window."""
    key = (wake, column)
    if key not in low.own(_Waking).floors:
        number = len(low.own(_Waking).floors) + 1
        name = f"floor_{number}"
        made = Floor(column, name, f"{name}_others", f"lacking_{number}", f"wake_rich_{number}")
        low.own(_Waking).floors[key] = made
        _floor_column(low, column, made.least)
        _floor_column(low, column, made.others)
        low.out.scalars[made.waiting] = flat.ScalarDecl(
            made.waiting, bits_of(low, wake), 0, "scratch"
        )
    return low.own(_Waking).floors[key]


def floor_of_line(low: Lowering, floor: Floor, line: int) -> str:
    """The column of the floors of one line."""
    if line not in floor.lines:
        floor.lines[line] = f"{floor.least}_{line + 1}"
        _floor_column(low, floor.purse, floor.lines[line])
    return floor.lines[line]


def _floor_column(low: Lowering, column: str, name: str) -> None:
    family = low.program.families[low.program.columns[column].family]
    cells = (NO_FLOOR,) * family.size
    low.out.columns[name] = flat.ColumnDecl(name, flat.INT, cells, "scratch")


def _over_floors(low: Lowering, stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """Wakes the lines that lacked units of a purse, once it holds as many as the least of them
    lacked."""
    if stmt.grew is False or not isinstance(stmt.seats, flat.Single):
        return []
    stmts: list[flat.Stmt] = []
    owner = stmt.seats.index
    family = low.program.families[low.program.kinds[low.program.player_kind].family]
    seats = build.num(low.program.players)
    is_everyone = family.size == seats.value  # else some have purses for which nobody waits
    is_seat: flat.Expr = build.YES if is_everyone else build.binary("<", owner, seats)
    for (wake, column), found in low.own(_Waking).floors.items():
        if column == stmt.key:
            purse = flat.Cell(low.layout.fields[column].name, owner)
            woken = flat.Do(flat.Call(_wake_up(low, wake, column, found), (owner,)))
            is_enough = flat.Bin(">=", purse, flat.Cell(found.least, owner))
            stmts.append(flat.If(build.both(is_seat, is_enough), (woken,)))
    return stmts


def _wake_up(low: Lowering, wake: str, column: str, floor: Floor) -> str:
    """The function that wakes the lines that a purse is full enough for."""
    if floor.wake_up in low.out.functions:
        return floor.wake_up
    type_ = bits_of(low, wake)
    owner, holds, least = flat.Var("owner"), flat.Var("holds"), flat.Var("least")
    waiting: list[tuple[str, flat.Expr]] = [
        (name, flat.Cell(_by_seat(low, wake, frozenset((line,))), owner, type_))
        for line, name in sorted(floor.lines.items())
    ]
    waiting.append((floor.others, flat.Scalar(floor.waiting, type_)))
    body: list[flat.Stmt] = [
        flat.SetVar("holds", flat.Cell(low.layout.fields[column].name, owner)),
        flat.SetVar("least", build.num(NO_FLOOR)),
    ]
    for name, lines in waiting:
        here = flat.Cell(name, owner)
        reached = (
            set_bits(low, wake, build.set_or(everything(low, wake), lines)),
            flat.SetCell(name, owner, build.num(NO_FLOOR)),
        )
        nearer = flat.If(flat.Bin("<", here, least), (flat.SetVar("least", here),))
        body.append(flat.If(flat.Bin(">=", holds, here), reached, (nearer,)))
    body.append(flat.SetCell(floor.least, owner, least))
    low.add(floor.wake_up, (("owner", flat.INT),), tuple(body), None, "who has enough money now")
    return floor.wake_up


# ---------------------------------------------------------------- bits


def _lines_of(low: Lowering, wake: str, lines: Iterable[int], seats: flat.Expr | None) -> flat.Expr:
    """The bits of some lines of the seats of a write, None for all seats."""
    type_ = bits_of(low, wake)
    players = low.program.players
    lines = frozenset(lines)
    if not lines:
        return build.empty(type_.bits)
    match seats:
        case None:
            return flat.Bits(_bits(range(players), lines, players), type_.bits)
        case flat.Single(index=index, may_be_none=may_be_none):
            one: flat.Expr = flat.Cell(_by_seat(low, wake, lines), index, type_)
            there = flat.Bin(">=", index, build.NO)
            return build.choose(there, one, build.empty(type_.bits)) if may_be_none else one
        case flat.SetBin(op=op, left=left, right=right):
            one, other = _lines_of(low, wake, lines, left), _lines_of(low, wake, lines, right)
            return flat.SetBin(op, one, other)
        case flat.Cell(column=table, index=index):
            cells = [
                _bits([seat for seat in range(players) if value >> seat & 1], lines, players)
                for value in low.out.tables[table].values
            ]
            return flat.Cell(low.table(f"{table}_{wake}", type_, tuple(cells)), index, type_)
        case _:
            raise AssertionError("the seats of a write are one seat or those of two places")


def _bits(seats: Iterable[int], lines: Iterable[int], players: int) -> int:
    of_seat = sum(
        1 << line * players for line in (*range(ROUNDS), *(one + ROUNDS for one in lines))
    )
    return sum(of_seat << seat for seat in seats)


def _by_seat(low: Lowering, wake: str, lines: frozenset[int]) -> str:
    """The table of the bits of some lines, by seat; of what is no seat there are none."""
    players = low.program.players
    family = low.program.families[low.program.kinds[low.program.player_kind].family]
    cells = [_bits([seat], lines, players) if seat < players else 0 for seat in range(family.size)]
    return low.table(f"{wake}_seats", bits_of(low, wake), tuple(cells))
