"""What is used again in a program with other switches is what would be made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

import pytest
from check_games import merge

from dsl.check.gathered import Gathered, pieces
from dsl.check.merged import Merged, Switching, with_switches
from dsl.check.program import Together, check_program
from dsl.check.reuse import are_next
from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from dsl.syntax.parser import parse_expression
from interpreter.bundled import variants_dir

VARIANTS = ("bid", "card_game", "classic", "crooked_cash", "deal", "jackpot")


def same(one: object, other: object) -> bool:
    """Whether two values have the same structure: nodes by class, parts and places."""
    if one is other:
        return True
    if isinstance(one, Span) and isinstance(other, Span):
        name, its_name = one.source.name, other.source.name
        return (name, one.start, one.end) == (its_name, other.start, other.end)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if is_dataclass(one) and not isinstance(one, Type) and type(one) is type(other):
        names = [part.name for part in fields(one)]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    return one == other


def told(bag: Bag, severity: str | None = None) -> set[tuple[str, str, int]]:
    return {
        (one.code, one.message, one.span.start)
        for one in bag
        if severity is None or one.severity == severity
    }


class Compared:
    """A game as it is, beside which it is checked with other switches."""

    def __init__(self, plain: Merged) -> None:
        self.plain = plain
        self.together, self.bag = Together(), Bag()
        program = check_program(plain, plain.max_players, self.bag, together=self.together)
        assert program is not None, told(self.bag)

    def check(self, switched: Merged) -> set[str]:
        """Checks it with what is known and without; gives the codes of its errors."""
        players = switched.max_players
        bag, fresh = Bag(), Bag()
        bag.extend(self.bag)
        again = check_program(switched, players, bag, together=self.together)
        anew = check_program(switched, players, fresh)
        assert told(fresh) <= told(bag)
        assert told(bag, "error") == told(fresh, "error")
        assert same(again, anew)
        return {code for code, _, _ in told(fresh, "error")}


# ---------------------------------------------------------------- the variants


def load(name: str, switches: dict[str, str]) -> Merged:
    """Without its scenarios: each holds only with the switches it is written for."""
    library = Library([variants_dir()])
    merged = load_merged(library, name, switches=switches, scenarios=False, bag=Bag())
    assert merged is not None
    return merged


def values(decl: syntax.SwitchDecl) -> Iterator[str]:
    """Another value that a switch may have."""
    text = decl.default.span.text
    match decl.type:
        case syntax.WordType(name="flag"):
            yield "no" if text == "yes" else "yes"
        case syntax.ChoiceType(values=words):
            yield next(word.text for word in words if word.text != text)
        case _ if text.isdigit():
            yield str(int(text) + 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_with_other_switches_it_is_as_if_checked_anew(name: str) -> None:
    """With every switch of Classic, and with every third one of other games."""
    plain = Compared(load(name, {}))
    decls = [ranked.decl for ranked in plain.plain.declarations]
    switches = [decl for decl in decls if isinstance(decl, syntax.SwitchDecl)]
    for decl in switches[:: 1 if name == "classic" else 3]:
        for value in values(decl):
            plain.check(load(name, {decl.name.text: value}))


def test_with_switches_is_as_if_loaded_with_them() -> None:
    plain = load("classic", {})
    for decl in (ranked.decl for ranked in plain.declarations):
        for text in values(decl) if isinstance(decl, syntax.SwitchDecl) else ():
            value = parse_expression(Source("scenario", text), Bag())
            made = with_switches(plain, {decl.name.text: value})
            loaded = load("classic", {decl.name.text: text})
            for part in ("sections", "texts", "terms", "seats", "currency", "board", "title"):
                assert same(getattr(made, part), getattr(loaded, part))
            names = [[one.name for one in each.switchings] for each in (made, loaded)]
            assert names[0] == names[1]
            assert made.digest not in (plain.digest, loaded.digest)


def test_most_of_a_game_is_used_again() -> None:
    plain, switched = load("classic", {}), load("classic", {"rent_claim": "automatic"})
    together = Together()
    one = check_program(plain, 8, Bag(), together=together)
    other = check_program(switched, 8, Bag(), together=together)
    assert one is not None
    assert other is not None
    mine, others = list(pieces(one)), list(pieces(other))
    same = [piece for piece in mine if any(piece is each for each in others)]
    assert len(mine) - 10 < len(same) < len(mine)


def test_what_opens_a_window_twice_is_used_again() -> None:
    """The second place is a new one only after the first."""
    plain, switched = load("classic", {}), load("classic", {"rent_claim": "automatic"})
    together = Together()
    one = check_program(plain, 8, Bag(), together=together)
    other = check_program(switched, 8, Bag(), together=together)
    assert one is not None
    assert other is not None
    twice = [piece for piece in pieces(one) if opens_twice(piece)]
    assert twice
    others = list(pieces(other))
    assert all(any(piece is each for each in others) for piece in twice)


def opens_twice(piece: object) -> bool:
    opened = [node.window for node in Gathered().of(core.OpenWindow, piece)]
    return len(set(opened)) < len(opened)


# ---------------------------------------------------------------- what a switch can change

PACE = "switch pace: 0..9 = 1\n"
LANDING = "after landing by player on field: Garden"
SHARE = 'let share = player.cash / pace\n    say "{share}"'
CASES = {
    "a rule": (f"rule a: {LANDING}\n    {SHARE}", "0", "RW0617"),
    "a rule that comes to apply": (f"rule a: {LANDING} if pace > 3\n    end game", "5", None),
    "a routine": (f"to part by player\n    {SHARE}", "0", "RW0617"),
    "a phase": (f"phase more\n    let player = first(Player)\n    {SHARE}", "0", "RW0617"),
    "what comes after a phase": (
        'phase more\n    say "hm"\nthen\n    if pace > 2\n        next start\n    next more',
        "5",
        None,
    ),
    "a watch": ("rule bare: whenever bank.tokens < 10 / pace\n    end game", "0", "RW0617"),
    "a watch that may fire": ("rule bare: whenever pace > 5\n    end game", "6", None),
    "a define": ("define player.share: money = player.cash / pace", "0", "RW0617"),
    "a define by way of another": (
        "define part: 0..9 = pace\ndefine player.share: money = player.cash / part",
        "0",
        "RW0617",
    ),
    "a rule by way of two defines": (
        (
            "define last: 0..9 = pace\ndefine part: 0..9 = last\n"
            f"rule a: {LANDING}\n    {SHARE.replace('pace', 'part')}"
        ),
        "0",
        "RW0617",
    ),
    "an exception": (
        "exception to field.fee\n    but often: usual / pace if field.toll > 100",
        "0",
        "RW0617",
    ),
    "an option": (f"option part in market by player\n    {SHARE}", "0", "RW0617"),
    "a refusal": ('forbid buy_token in market if 9 / pace > 3, "not now"', "0", "RW0617"),
    "a refusal that comes to hold": ('forbid buy_token in market if pace > 3, "no"', "5", None),
    "a strategy": (
        (
            "strategy bold\n    for market\n        buy_token(number: 1)\n"
            "            if me.cash / pace > 1"
        ),
        "0",
        "RW0617",
    ),
    "the head of an option that a strategy speaks of": (
        (
            'option grow in market by player\n    how much size in 0..pace\n    say "{size}"\n'
            "strategy bold\n    for market\n        grow(size: 1) with the most size"
        ),
        "5",
        None,
    ),
    "a question that a strategy answers": (
        (
            f"rule a: {LANDING}\n    ask player how much size to grow in 0..pace\n"
            '    say "{size}"\nstrategy bold\n    for grow\n        pick size with the most size'
        ),
        "5",
        None,
    ),
    "a field": ("kind Tree\n    size: 0..pace", "5", None),
    "what is made in play": (
        (
            "kind Tree, made in play up to 3\n    size: 0..9 starts pace\n"
            'to plant by player\n    let tree = new Tree()\n    say "{tree.size}"'
        ),
        "5",
        None,
    ),
}


def switched(merged: Merged, value: str) -> Merged:
    spot = Span(Source("command line", ""), 0, 0)
    return replace(merged, switchings=(Switching("pace", value, spot, "command line"),))


@pytest.mark.parametrize("case", CASES)
def test_what_depends_on_a_switch_is_checked_anew(case: str) -> None:
    text, value, code = CASES[case]
    bag = Bag()
    plain = merge(PACE + text + "\n", bag=bag)
    assert not told(bag)
    assert Compared(plain).check(switched(plain, value)) == ({code} if code else set())


def test_what_is_used_again_needs_the_same_names_of_questions() -> None:
    """A site's name has a number where there is one of that name already."""
    text = (
        f'rule a: {LANDING}\n    ask player how much size to grow in 0..pace\n    say "{{size}}"\n'
        f'rule b: {LANDING}\n    ask player how much size to grow in 0..3\n    say "{{size}}"\n'
    )
    plain = merge(PACE + text, bag=Bag())
    assert not Compared(plain).check(switched(plain, "5"))


@pytest.mark.parametrize(
    ("names", "there", "are"),
    [
        (["a/grow", "a/grow#2", "a/grow#3"], [], True),
        (["a/grow#2", "a/grow#3"], ["a/grow"], True),
        (["a/grow"], ["a/grow"], False),
        (["a/grow", "a/grow#2"], ["a/grow"], False),
        (["a/grow#2"], [], False),
        (["a/grow", "a/grow#3"], [], False),
    ],
)
def test_names_of_new_questions(names: list[str], there: list[str], are: bool) -> None:
    assert are_next(names, there) is are


def test_another_game_is_checked_anew() -> None:
    bag = Bag()
    plain = merge(PACE + "define fee: 0..9 = pace", bag=bag)
    other = merge(PACE + "define fee: 0..9 = pace + 1", bag=bag)
    together = Together()
    check_program(plain, 3, bag, together=together)
    program = check_program(other, 3, bag, together=together)
    assert program is not None
    assert isinstance(program.defines["fee"].variants[0].base, core.Arith)
