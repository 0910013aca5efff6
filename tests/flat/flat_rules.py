"""Rules for the small game, made up from pieces: trees first, words last, so that they shrink."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

Names = Mapping[str, str]
"""What is in scope, by name: `stall`, `player` or `lane`."""

SOURCES = {
    "stall": ("Stall", "bank.stalls"),
    "player": ("players",),
    "lane": ("Lane",),
}
STATE = """
add to game
    one: 0..999 starts 0
    two: 0..999 starts 0
define game.sum: 0..1998 = game.one + game.two
"""
_comparisons = st.sampled_from(["<", "<=", ">", ">=", "is", "is not"])


def _of(names: Names, kind: str) -> list[str]:
    return [name for name, what in names.items() if what == kind]


@st.composite
def _source(draw: st.DrawFn, names: Names) -> tuple[str, str, Names]:
    """A fresh name, what it goes through, and the names inside."""
    kind = draw(st.sampled_from(sorted(SOURCES)))
    places = list(SOURCES[kind])
    if kind == "stall":
        places += [f"{name}.stalls" for name in (*_of(names, "player"), *_of(names, "lane"))]
    name = f"{kind[0]}{len(names)}"
    return name, draw(st.sampled_from(places)), {**names, name: kind}


@st.composite
def numbers(draw: st.DrawFn, names: Names, depth: int = 1) -> str:
    """A number."""
    simple = ["game.one", "game.sum"]
    simple += [f"{one}.{part}" for one in _of(names, "stall") for part in ("size", "price")]
    simple += [f"count({one}.stalls)" for one in _of(names, "player")]
    simple += [f"{one}.gifts" for one in _of(names, "player")]
    simple += [f"{one}.rent" for one in _of(names, "lane")]
    if depth and draw(st.booleans()):
        name, place, inner = draw(_source(names))
        where = draw(flags(inner, depth - 1))
        if draw(st.booleans()):
            return f"count([each {name} in {place} where {where}])"
        value = draw(numbers(inner, 0))
        fold = draw(st.sampled_from(["sum({})", "max({}, default: 0)", "min({}, default: 3)"]))
        return str(fold).format(f"{value} for each {name} in {place} where {where}")
    return draw(st.sampled_from(simple))


@st.composite
def flags(draw: st.DrawFn, names: Names, depth: int = 2) -> str:
    """A condition."""
    simple = [f"{one}.lit" for one in _of(names, "stall")]
    simple += [f"{one}.is_smallest" for one in _of(names, "stall")]
    simple += [f"{one}.owner is none" for one in _of(names, "stall")]
    simple += [f"{one}.is_dark" for one in _of(names, "lane")]
    simple += [f"{one}.tired" for one in _of(names, "player")]
    simple += [f"{one}.cash > 20" for one in _of(names, "player")]
    for player in _of(names, "player"):
        simple += [f"{one}.owner is {player}" for one in _of(names, "stall")]
        simple += [f"{one} in {player}.good_lanes" for one in _of(names, "lane")]
        simple += [f"{player}.has_all_of({one})" for one in _of(names, "lane")]
    for lane in _of(names, "lane"):
        simple += [f"{one}.lane is {lane}" for one in _of(names, "stall")]
    form = draw(st.integers(0, 6 if depth else 1))
    if form == 0 and simple:
        return draw(st.sampled_from(simple))
    if form <= 1:
        number, bound = draw(numbers(names, min(depth, 1))), draw(st.integers(0, 12))
        return f"{number} {draw(_comparisons)} {bound}"
    if form == 2:
        return f"not ({draw(flags(names, depth - 1))})"
    if form == 3:
        joined = draw(st.sampled_from(["and", "or"]))
        return f"({draw(flags(names, depth - 1))}) {joined} ({draw(flags(names, depth - 1))})"
    name, place, inner = draw(_source(names))
    quantifier = draw(st.sampled_from(["any", "all"]))
    where = f" where {draw(flags(inner, 0))}" if form == 4 else ""
    return f"{quantifier}({draw(flags(inner, depth - 1))} for each {name} in {place}{where})"


@st.composite
def blocks(draw: st.DrawFn, names: Names, indent: str, depth: int = 2) -> str:
    """Lines of statements."""
    count = draw(st.integers(1, 3))
    return "".join(draw(statements(names, indent, depth)) for _ in range(count))


@st.composite
def statements(draw: st.DrawFn, names: Names, indent: str, depth: int) -> str:
    """One statement, perhaps with a block."""
    simple = [f"game.{one} = min(900, game.{one} + min(9, {{number}}))" for one in ("one", "two")]
    for stall in _of(names, "stall"):
        simple += [f"{stall}.lit = yes", f"{stall}.lit = no", f"{stall}.size = {{small}}"]
        simple += [f"move {stall} to {player}.stalls" for player in _of(names, "player")]
        simple += [f"move {stall} to bank.stalls"]
    for player in _of(names, "player"):
        simple += [f"{player}.tired = yes", f"{player}.tired = no"]
        simple += [f"move {{small}} from bank to {player}"]
    form = draw(st.integers(0, 4 if depth else 1))
    if form <= 1:
        chosen = draw(st.sampled_from(simple))
        number, small = draw(numbers(names)), draw(st.integers(1, 3))
        return f"{indent}{chosen.format(number=number, small=small)}\n"
    if form == 2:
        body = draw(blocks(names, indent + "    ", depth - 1))
        return f"{indent}if {draw(flags(names))}\n{body}"
    name, place, inner = draw(_source(names))
    where = f" where {draw(flags(inner, 1))}" if draw(st.booleans()) else ""
    body = draw(blocks(inner, indent + "    ", depth - 1))
    return f"{indent}for each {name} in {place}{where}\n{body}"


@st.composite
def _lines(draw: st.DrawFn) -> str:
    """The lines of a strategy."""
    me: Names = {"me": "player"}
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        answer = draw(st.sampled_from(["buy", "light", "enlarge", "give"]))
        if answer == "give":
            line = "give(other: p1, amount: 1) for each p1 in players where p1 is not me"
            inner: Names = {**me, "p1": "player"}
        else:
            line = f"{answer}(stall: s1) for each s1 in Stall"
            inner = {**me, "s1": "stall"}
            line += f" where {draw(flags(inner, 1))}" if draw(st.booleans()) else ""
        line += f" if {draw(flags(inner, 1))}" if draw(st.booleans()) else ""
        if draw(st.booleans()):
            line += f" with the {draw(st.sampled_from(['most', 'least']))} {draw(numbers(inner))}"
        lines.append(f"        {line}\n")
    return "".join(lines)


@st.composite
def rules(draw: st.DrawFn) -> str:
    """Rules, a value, a watch and a strategy."""
    player: Names = {"player": "player"}
    text = STATE
    for number in range(draw(st.integers(1, 2))):
        head = f" if {draw(flags(player))}" if draw(st.booleans()) else ""
        body = draw(blocks(player, "    "))
        text += f"rule made_{number}: after take_turn by player{head}\n{body}"
    if draw(st.booleans()):
        text += f"rule noticed: whenever {draw(flags({}, 2))}\n{draw(blocks({}, '    ', 1))}"
    lines = f"    for market\n{draw(_lines())}        pass\n    for paying\n        sell\n"
    return f"{text}strategy made\n{lines}"
