"""Defines with their exceptions, switches, lists and rows, narrowing."""

from __future__ import annotations

import pytest
from check_games import check, codes_of, program_of

from dsl.check.evaluate import Evaluator
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, SeqType, SetType
from dsl.core.walking import walk

RULE = "rule probe: after landing by player on field: Start\n"


def body(text: str) -> str:
    """A rule with these lines as its body."""
    return RULE + "\n".join("    " + line for line in text.splitlines()) + "\n"


def hook(program: core.Program) -> core.Hook:
    hooks = program.routines["landing by on"].afters
    return next(found for found in hooks if found.rule == "probe")


def test_narrower_variant_comes_first() -> None:
    fee = program_of().defines["Field.fee"]
    assert [variant.kind for variant in fee.variants] == ["Garden", "Field"]
    assert fee.type == IntType(0, 1_000_000, "money")


def test_exception_of_a_base_holds_for_narrower_kinds() -> None:
    program = program_of("exception to field.fee\n    but free: 0 if table.mood is wild\n")
    labels = [[but.label for but in v.buts] for v in program.defines["Field.fee"].variants]
    assert labels == [["free"], ["free"]]


def test_exception_of_a_narrower_kind_holds_only_there() -> None:
    program = program_of(
        "define card.worth: 0..9 = card.value\n"
        "exception to joker.worth\n    but wild: usual / 2 if table.mood is wild\n"
    )
    worth = program.defines["Card.worth"]
    assert [v.kind for v in worth.variants] == ["Joker", "Card"]
    assert [len(v.buts) for v in worth.variants] == [1, 0]


def test_exception_turns_a_field_into_a_define() -> None:
    program = program_of("exception to field.toll\n    but free: 0 if table.mood is wild\n")
    toll = program.defines["Field.toll"]
    assert isinstance(toll.variants[0].base, core.Field)
    fee = program.defines["Field.fee"].variants[-1]
    assert isinstance(fee.base, core.CallDefine)


def test_field_and_define_of_related_kinds_are_one_value() -> None:
    program = program_of("define joker.value: 1..9 = 9\n")
    value = program.defines["Card.value"]
    assert [v.kind for v in value.variants] == ["Joker", "Card"]
    assert isinstance(value.variants[1].base, core.Field)


def test_lines_that_a_switch_rules_out_are_gone() -> None:
    assert program_of().defines["Field.fee"].variants[-1].buts == ()
    program = program_of(settings={"high_toll": "yes"})
    assert len(program.defines["Field.fee"].variants[-1].buts) == 1
    assert ("high_toll", "yes") in program.switches


def test_branches_and_rules_that_a_switch_rules_out_are_gone() -> None:
    text = body('if high_toll\n    say "high"\nelse\n    say "low"')
    (say,) = hook(program_of(text)).body
    assert isinstance(say, core.Say)
    assert say.text.parts == ("low",)
    idle = 'rule idle: after landing by player on field if high_toll\n    say "high"\n'
    assert [h.rule for h in program_of(idle).routines["landing by on"].afters] == ["toll"]


def test_switch_that_is_a_table() -> None:
    text = "switch prizes: money per 1..3 = [5, 10, 20]\ndefine prize: money = prizes[2]\n"
    base = program_of(text).defines["prize"].variants[0].base
    assert isinstance(base, core.Const)
    assert base.value == 10


def test_lists_and_rows() -> None:
    program = program_of(
        "define a: list of Player = [each p in Player where not p.out]\n"
        "define b: row of Player = [each p in Player by p.cash]\n"
        "define c: row of Player = rotated(a, table.active)\n"
        "define d: list of Player = a + [table.active]\n"
        "define e: money = sum(p.cash for each p in b)\n"
        "define f: 0..9 = count(distinct_cards)\n"
        "define distinct_cards: list of Card = [c for each p in a for each c in p.hand]\n"
    )
    bases = {name: program.defines[name].variants[0].base for name in "abcdef"}
    assert bases["a"].type == SetType("Player")
    assert bases["b"].type == SeqType(RefType("Player"), 2)
    assert isinstance(bases["c"], core.Builtin)
    assert isinstance(bases["d"], core.SetOp)
    assert isinstance(bases["f"].type, IntType)


def test_define_of_a_list() -> None:
    program = program_of(
        "define (cards: list of Card up to 3).best_of: 0..9\n"
        "    max(c.value for each c in cards, default: 0)\n"
        "define player.strength: 0..9 = player.hand.best_of\n"
    )
    call = program.defines["Player.strength"].variants[0].base
    assert isinstance(call, core.CallDefine)
    assert call.define == "list of Card.best_of"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("count(Player)", 2),
        ("sum(f.toll for each f in Field)", 30),
        ("max(f.toll for each f in Field)", 20),
        ("first(each f in Field by -f.toll).toll if count(Field) > 0 else 0", None),
        ("round_up(25 * 10%, 10)", 10),
        ("25 * 10%", 2),
        ("round_near(25 / 10)", 3),
        ("7 / 2", 3),
        ("power(2, 5)", 32),
        ("position(Field, rose) + count(path(Field, rose, go))", 3),
        ("abs(3 - 10) + min(4, 9)", 11),
        ("rose.fee", 10),
        ("distinct(c.value for each c in Card)", 3),
        ("count([each f in reversed(Field) where f in [rose, go]])", 2),
    ],
)
def test_constants(text: str, value: int | None) -> None:
    source = f"switch number: 0..100 = {text}\n" if value is None else ""
    if value is None:
        assert codes_of(source)
        return
    program = program_of(f"define number: 0..100 = {text}\n")
    found = Evaluator(_Known(program)).value(program.defines["number"].variants[0].base, {})
    assert found == value


class _Known:
    """What a program knows before play; state counts as it starts."""

    def __init__(self, program: core.Program) -> None:
        self.program = program

    def members_of(self, kind: str) -> tuple[int, ...]:
        return self.program.kinds[kind].members

    def data_of(self, column: str) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        return self.program.columns[column].values

    def lines_of(self, define: str) -> core.Define | None:
        return self.program.defines.get(define)


# ---------------------------------------------------------------- narrowing

BEST = "define bank_best: Card? = table.active.best\n"
NARROWED = [
    "define n: 0..9 = table.active.best.value if table.active.best is not none else 0",
    "define n: flag = table.active.best is not none and table.active.best.value > 3",
    "define n: flag = table.active.best is none or table.active.best.value > 3",
    "define n: 0..9\n    0\n    but some: b.value if true_card\nlet_me",
    body('if player.best is none\n    end turn\nlet v = player.best.value\nsay "{v}"'),
    body('if player.best is none\n    say "none"\nelse\n    say "{player.best.value}"'),
    body(
        'let card = player.best\nif card is none\n    end turn\ndraw by player\nsay "{card.value}"'
    ),
    body('player.best = first(Card)\nsay "{player.best.value}"'),
    body('if player.best is first(Card)\n    say "{player.best.value}"'),
    body("for each c in Joker where c.owner is not none\n    pay 1 from c.owner to bank"),
    body('if count(player.hand) > 0\n    say "{first(player.hand).value}" to player'),
    body("if field is Garden\n    field.grown = 2"),
    body("if not (field is not Garden)\n    field.grown = 2"),
    # A switch decides these conditions; the branch that never runs is checked all the same.
    "define n: 0..9\n    0 if not high_toll or bank_best is none else bank_best.value\n" + BEST,
    "define n: 0..9\n    bank_best.value if high_toll and bank_best is not none else 0\n" + BEST,
    body("if field is Garden and high_toll\n    field.grown = 2"),
    body("if not (high_toll and player.best is not none)\n    end turn\nlet v = player.best.value"),
]


@pytest.mark.parametrize("text", [text for text in NARROWED if "let_me" not in text])
def test_what_was_asked_is_known(text: str) -> None:
    assert codes_of(text.replace("field: Start", "field")) == []


LINES = [
    "pick player.best if player.best is not none",
    "pick card if player.best is not none with the most player.best.value",
    "pick p.best for each p in Player where p.best is not none with the most p.best.value",
    "pick p.best for each p in Player if p.best is not none and p.best.value > 3",
    "pick c for each c in player.hand where c.owner is not none with the least c.owner.cash",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_a_strategy_knows_its_own_conditions(line: str) -> None:
    text = body("ask player which card to keep, if any, in player.hand\n    player.best = card")
    assert codes_of(f"{text}strategy picky\n    for keep\n        {line}\n        pass\n") == []
    bare = line.replace(" is not none", " is table.active.best")
    assert "RW0602" in codes_of(f"{text}strategy picky\n    for keep\n        {bare}\n")


LOST = [
    body("if player.best is not none\n    change by player\n    say \"{player.best.value}\""),
    body("if player.best is not none\n    say \"yes\"\nsay \"{player.best.value}\""),
    body(
        "if player.best is not none\n    repeat\n        say \"{player.best.value}\"\n"
        "        player.best = none\n    until player.best is none"
    ),
    body("let card = player.best\nif card is not none\n    card = none\n    say \"{card.value}\""),
    body("if count(player.hand) > 0\n    move player.hand to table.shown\n    "
         "say \"{first(player.hand).value}\""),
]  # fmt: skip


@pytest.mark.parametrize("text", LOST)
def test_what_may_have_changed_is_not_known(text: str) -> None:
    change = (
        "to change by player\n    forget by player\nto forget by player\n    player.best = none\n"
    )
    assert codes_of(text + change) == ["RW0602"]


def test_a_number_is_never_mistaken_for_none() -> None:
    program = program_of(
        "add to table\n    sign: 2..6? starts none\n    plain: 1..6 starts 1\n"
        "define same: flag = table.sign is table.plain\n"
    )
    base = program.defines["same"].variants[0].base
    assert isinstance(base, core.Logic)
    assert base.op == "and"


def test_one_cause_is_one_error() -> None:
    text = body("let a = nobody\nlet b = a.cash + 5\npay b from a to bank\na.place = rose")
    assert codes_of(text) == ["RW0501"]


def test_help_names_the_near_word() -> None:
    _, bag = check("define n: money = bnak.cash\n")
    assert [d.help for d in bag] == ["did you mean `bank`?"]


def test_texts_have_stable_keys() -> None:
    texts = program_of().texts
    assert texts["option.buy_token.needs.1"] == "{player} has less than {number * 10}"
    assert texts["answer.rest.sing.needs.1"] == "no song without money"
    assert texts["question.rest"] == "rest"
    assert texts["kind.garden"] == "garden"
    assert texts["switch.high_toll"] == "Tolls are doubled"
    keys = {part.key for part in walk(program_of().routines) if isinstance(part, core.TextOf)}
    assert keys <= set(texts)


LARGE = [
    ("add to table\n    far: 0..2147483648 starts 0\n", ["RW0624"]),
    ("add to table\n    far: 0..2147483647 starts 0\n", []),
    (body("if player.wins < 99999999999\n    player.wins = 0"), ["RW0624"]),
    (body("player.wins = min(2147483647 + 1, 9)"), ["RW0624"]),
    (body("player.wins = max(0, min(9, 0 - 2147483647 - 1))"), ["RW0624"]),
    (body("player.wins = min(power(2, 31), 9)"), ["RW0624"]),
    (body("player.wins = min(power(2, 30), 9)"), []),
    (body("player.wins = min(sum(p.cash * 1000 for each p in Player), 9)"), []),
    (body("player.wins = min(sum(p.cash * 2000 for each p in Player), 9)"), ["RW0624"]),
    ("kind Coin, made in play up to 1001\n    face: 1..2\n", ["RW0615"]),
    ("kind Coin, made in play up to 0\n    face: 1..2\n", ["RW0615"]),
    ("kind Coin, made in play up to 1000\n    face: 1..2\n", []),
    ("add to table\n    far: row of 1..6 up to 10001 starts []\n", ["RW0615"]),
]


@pytest.mark.parametrize(("text", "codes"), LARGE)
def test_what_is_too_large_to_be_counted(text: str, codes: list[str]) -> None:
    assert codes_of(text) == codes


COUNTED = [
    ("set starting = count(Player) * 4", {2: 8, 3: 12}),
    ("set starting = count(Garden) + count(Joker)", {2: 3, 3: 3}),
    ("set starting = 3 if count(Player) > 2 else 5", {2: 5, 3: 3}),
    ("set starting = count([each p in Player where p is first(Player)])", {2: 1, 3: 1}),
]


@pytest.mark.parametrize(("line", "values"), COUNTED)
def test_switches_count_what_there_is(line: str, values: dict[int, int]) -> None:
    text = f'switch starting: 0..99 = 0, "How many"\n{line}\n'
    for players, value in values.items():
        assert dict(program_of(text, players=players).switches)["starting"] == str(value)
        default = text.splitlines()[1].replace("set starting", "switch opening: 0..99")
        program = program_of(default + ', "How many"\n', players=players)
        assert dict(program.switches)["opening"] == str(value)


UNKNOWN = [
    "count(Offer)",
    "count(players)",
    "first(Player).wins",
    "first(Garden).grown",
    "count(first(Player).hand)",
    "max(p.wins for each p in Player)",
]


@pytest.mark.parametrize("value", UNKNOWN)
def test_switches_know_nothing_of_play(value: str) -> None:
    codes = codes_of(f'switch starting: 0..99 = {value}, "How many"\n')
    assert codes
    assert set(codes) <= {"RW0501", "RW0503", "RW0505", "RW0616"}


def test_what_a_condition_says_is_known_of_what_is_never_none_too() -> None:
    rule = (
        "rule r: after landing by player on field\n"
        "    if field is Garden\n"
        "        player.wins = field.grown otherwise 0\n"
    )
    assert codes_of(rule) == ["RW0604"]
