"""Routines and rules, moves, questions, strategies, scenarios."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from check_games import BASE, DATA, check, codes_of, merge, program_of
from test_check_values import body, hook

from dsl.check.order import explain_order
from dsl.check.words import list_words
from dsl.core import nodes as core
from dsl.core.types import MapType, RefType
from dsl.diagnostics import Bag


def test_rules_run_in_the_order_of_the_layers() -> None:
    def rules(name: str) -> str:
        return (
            f'rule b_{name}: before landing by player on field\n    say "b"\n'
            f"rule i_{name}: instead of landing by player on field if player.out\n    as usual\n"
            f'rule a_{name}: after landing by player on field\n    say "a"\n'
        )

    program = program_of(rules("own"), rules("mod"), mods=("mod",))
    landing = program.routines["landing by on"]
    assert [h.rule for h in landing.befores] == ["b_mod", "b_own"]
    assert [h.rule for h in landing.insteads] == ["i_mod", "i_own"]
    assert [h.rule for h in landing.afters] == ["toll", "a_own", "a_mod"]
    (order,) = explain_order(program, "landing")
    assert [step.rule for step in order.steps] == [
        "i_mod", "i_own", "b_mod", "b_own", "toll", "a_own", "a_mod",
    ]  # fmt: skip


def test_ahead_of_moves_one_rule() -> None:
    program = program_of(
        'rule first: after landing by player on field ahead of toll\n    say "first"\n'
    )
    assert [h.rule for h in program.routines["landing by on"].afters] == ["first", "toll"]


def test_patterns_narrow_by_place() -> None:
    program = program_of(
        'rule gift: before pay amount from player to payee: Party\n    say "{player}"\n'
        "rule stop: instead of pay amount from payer to payee: Party if amount > 50\n"
        "    as usual with amount: 50\n"
    )
    pay = program.routines["pay from to"]
    assert [(one.position, one.kind) for one in pay.befores[0].patterns] == [(1, "Player")]
    (usual,) = pay.insteads[0].body
    assert isinstance(usual, core.AsUsual)
    assert [type(arg) for arg in usual.args] == [core.Const, core.Local, core.Local]


def test_calls_may_order_their_parts_as_they_like() -> None:
    (call,) = hook(program_of(body("pay 5 to bank from player"))).body
    assert isinstance(call, core.Call)
    assert call.routine == "pay from to"
    assert [type(arg) for arg in call.args] == [core.Const, core.Local, core.Const]


def test_new_is_made_before_it_is_used() -> None:
    made, let, drop = hook(program_of(body(
        "let offer = new Offer(giver: player, price: 5)\ndrop offer"
    ))).body  # fmt: skip
    assert isinstance(made, core.Make)
    assert [name for name, _ in made.fields] == ["Offer.giver", "Offer.price"]
    assert isinstance(let, core.Let)
    assert isinstance(drop, core.Drop)


MOVES = [
    ("move all money from player to bank", True),
    ("move min(5, player.cash) from player to bank", True),
    ("if player.cash >= 5\n    move 5 from player to bank", True),
    ("if player.cash < 5\n    end turn\nmove 5 from player to bank", True),
    ("move 5 from bank to player", True),
    ("let payer = player\nmove 5 from payer to bank", False),
    ("if player.cash >= 5\n    pay 3 from player to bank\n    move 5 from player to bank", False),
    ("if player.cash >= 4\n    move 5 from player to bank", False),
]


@pytest.mark.parametrize(("text", "guarded"), MOVES)
def test_guards_of_moves(text: str, guarded: bool) -> None:
    assert codes_of(body(text)) == ([] if guarded else ["RW0710"])


def test_moves_find_the_default_purse() -> None:
    text = "add to Player\n    stake: holds money\n" + body(
        "if player.cash >= 5\n    move 5 from player to player.stake\n"
        "move 1 token from bank to player\nmove player.stake from player.stake to bank"
    )
    program, _ = check(text)
    assert program is not None
    branch, token, all_ = hook(program).body
    assert isinstance(branch, core.If)
    (stake,) = branch.branches[0][1]
    assert isinstance(stake, core.MoveUnits)
    assert (stake.from_column, stake.to_column) == ("Player.cash", "Player.stake")
    assert isinstance(token, core.MoveUnits)
    assert token.from_column == token.to_column == "Player.tokens"
    assert isinstance(all_, core.MoveUnits)
    assert all_.guarded


EXCHANGES = [
    ("exchange player with player", ["RW0607"]),
    ("exchange player with bank", ["RW0607"]),
    ("exchange player.place with player.place", ["RW0607"]),
    ("exchange player.cash with player.tokens", ["RW0603"]),
    ("exchange player.cash with bank.cash", ["RW0607"]),
    ("exchange player.tokens with bank.tokens", []),
    ("for each c in Card\n    for each d in Joker\n        exchange c with d", []),
]


@pytest.mark.parametrize(("text", "codes"), EXCHANGES)
def test_what_can_be_exchanged(text: str, codes: list[str]) -> None:
    assert codes_of(body(text)) == codes


def test_things_go_to_zones() -> None:
    (move,) = hook(program_of(body("move player.hand under table.deck"))).body
    assert isinstance(move, core.MoveThings)
    assert (move.zone, move.under) == ("table.deck", True)


def test_a_pick_without_body_holds_for_the_rest() -> None:
    (ask,) = hook(program_of(body(
        "ask player which card to keep in player.hand\nplayer.best = card\nsay \"kept\""
    ))).body  # fmt: skip
    assert isinstance(ask, core.Ask)
    assert ask.site == "probe/keep"
    assert len(ask.body) == 2


def test_a_pick_that_may_be_declined_may_be_none() -> None:
    let, ask, after = hook(program_of(body(
        "ask player which card to keep, if any, in player.hand\nplayer.best = card"
    ))).body  # fmt: skip
    assert isinstance(let, core.Let)
    assert isinstance(ask, core.Ask)
    assert ask.may_decline
    assert isinstance(after, core.SetField)


def test_secret_answers_are_a_table() -> None:
    program = program_of(body(
        "secretly ask each p in Player how much stake to risk in 0..p.cash step 10\n"
        "    for each p in players\n        pay stake[p] from p to bank"
    ))  # fmt: skip
    (gather,) = hook(program).body
    assert isinstance(gather, core.Gather)
    assert gather.pick.form == "amount"
    assert gather.table_type == MapType(gather.pick.type, RefType("Player"))
    assert gather.table != gather.pick.name


def test_sets_have_an_item_for_where() -> None:
    (ask,) = hook(program_of(body(
        "ask player which 0..2 cards to show in player.hand where card.value > 3\n"
        "    move cards to table.shown"
    ))).body  # fmt: skip
    assert isinstance(ask, core.Ask)
    assert ask.pick.form == "some"
    assert ask.pick.item == "card"


def test_windows_give_and_options_take() -> None:
    program = program_of(
        "window fair of offer\n"
        "    ask each p in players where p is not offer.giver\n    once each\n"
        "option take in fair by buyer: Player of deal: Offer\n"
        '    needs buyer.can_pay(deal.price), "{buyer} is too poor"\n'
        "    pay deal.price from buyer to deal.giver\n"
        'forbid take in fair if buyer.out, "gone"\n'
    )
    option = program.options["take"]
    assert option.params == (("buyer", RefType("Player")), ("offer", RefType("Offer")))
    assert [item.reason.parts[-1] for item in option.head if isinstance(item, core.HeadNeeds)] == [
        " is too poor", "gone",
    ]  # fmt: skip
    assert program.windows["fair"].options == ("take",)


def test_a_forbid_of_one_window_leaves_the_other_alone() -> None:
    program = program_of(
        "window fair by player\n    ask each p in [player]\n    until one acts\n"
        'option rest_here in fair, market by player\n    say "rest"\n'
        'forbid rest_here in fair if player.wins > 3, "no rest at the fair"\n'
    )
    assert len(program.options["rest_here@fair"].head) == 1
    assert program.options["rest_here@market"].head == ()


def test_sites_in_dead_branches_are_gone() -> None:
    text = body(
        "if high_toll\n    ask player about extra\n        * yes_please\n        * no_thanks"
    )
    assert "probe/extra" not in program_of(text).sites
    assert "probe/extra" in program_of(text, settings={"high_toll": "yes"}).sites


def test_watches_that_only_end_fire_at_once() -> None:
    program = program_of(
        "rule win: whenever any(p.wins > 3 for each p in Player)\n    end game\n"
        "rule tidy: whenever count(table.shown) > 2\n    move table.shown under table.deck\n"
    )
    assert [(w.rule, w.ends) for w in program.watches] == [("win", True), ("tidy", False)]


@pytest.mark.parametrize(("what", "codes"), [("game", []), ("turn", []), ("draw", ["RW0703"])])
def test_watches_end_phases_but_no_routines(what: str, codes: list[str]) -> None:
    rules = f"rule win: whenever any(p.wins > 3 for each p in Player)\n    end {what}\n"
    assert codes_of(rules) == codes


def test_measures_count_by_axes() -> None:
    program = program_of(
        'measure visits "Visits": after landing by player on field: Garden '
        "add 1 per field, player.wins\n"
    )
    visits = program.measures["visits"]
    assert visits.title == "Visits"
    assert visits.axes == (("Garden", 3), ("number", 10))
    assert [(one.position, one.kind) for one in visits.hook.patterns] == [(1, "Garden")]


# ---------------------------------------------------------------- strategies


def test_strategies_know_the_names_of_question_and_answer() -> None:
    program = program_of(
        "strategy bold is plain\n"
        "    for market\n"
        "        buy_token if number < 3 and me.cash > number with the most number\n"
        "        pass\n"
        "    for rest\n"
        "        sing if player.wins > 0\n"
        "        sleep\n"
    )
    bold = program.strategies["bold"]
    lines = {site: [line.answer for line in found[1]] for site, found in bold.sites.items()}
    assert lines == {"turn/market": ["buy_token", "pass"], "turn/rest": ["sing", "sleep"]}
    plain = program.strategies["plain"].sites["turn/market"][1][0]
    assert [(name, type(value)) for name, value in plain.args] == [("number", core.Const)]


def test_strategies_inherit_what_they_do_not_say() -> None:
    program = program_of("strategy lazy is plain\n    for rest\n        sleep\n")
    assert set(program.strategies["lazy"].sites) == {"turn/market", "turn/rest"}


def test_picks_are_searched_or_given() -> None:
    text = body("ask player which card to keep, if any, in player.hand\n    player.best = card")
    program = program_of(
        text + "strategy picky\n    for keep\n"
        "        pick card if card.value > 3 with the most card.value\n"
        "        pick first(player.hand) if count(player.hand) > 0\n"
        "        pass\n"
    )
    search, given, none = program.strategies["picky"].sites["probe/keep"][1]
    assert search.value is None
    assert given.value is not None
    assert none.answer == "pass"


def test_a_mod_may_take_a_question_away() -> None:
    text = "strategy bold\n    for dance\n        waltz\n"
    assert codes_of(text) == ["RW0901"]
    assert codes_of(text, "", mods=("quiet",)) == []


# ---------------------------------------------------------------- scenarios


def test_scenarios() -> None:
    program = program_of(
        "saying player has amount: money\n"
        "    move all money from player to bank\n    move amount from bank to player\n"
        "saying player throws steps: row of 1..6 up to 4\n"
        "    luck gives steps\n    play turn\n"
        'scenario "a toll"\n'
        "    seats ann, ben\n"
        "    given ann has 50\n"
        "    given\n        ben stands_on rose\n"
        "    when ann throws 1 up to market\n"
        "        ann: buy_token(2), pass at market, sleep\n"
        "        luck: 2\n"
        "    then\n"
        "        ann.cash is was(ann.cash) - 30\n"
        '        ann may not buy_token(5), "{player} has less than {number * 10}"\n'
        'scenario "three"\n'
        "    seats ann, ben, cleo\n"
        "    when pay 5 from ann to bank\n"
        "    then\n        ann.cash is 95\n"
    )
    (scenario,) = program.scenarios
    assert scenario.title == "a toll"
    (step,) = scenario.steps
    ((who, said),) = step.said
    assert who == "ann"
    assert [answer.name for answer in said] == ["buy_token", "pass", "sleep"]
    assert [answer.question for answer in said] == [None, "market", None]
    assert step.stop == "market"
    assert len(step.luck) == 1
    may = step.expected[1]
    assert isinstance(may, core.MayAnswer)
    assert may.reason is not None
    assert may.reason.key == "option.buy_token.needs.1"
    assert any(isinstance(part, core.PlayPhase) for part in step.act or ())


def _told(lines: str) -> tuple[str, str, str | None]:
    """Code, message and help of the only mistake of a scenario with these lines."""
    _, bag = check('scenario "one"\n    seats ann, ben\n' + lines)
    (found,) = bag.sorted()
    return found.code, found.message, found.help


WAITS = "    when play turn up to market\n    then\n        "
HAPPENED = "    when pay 5 from ann to bank\n    then\n        "
MISTAKES = [
    (HAPPENED + "ann may buy_token(1)\n", "RW0906", "nobody is asked anything here"),
    (WAITS + "ann may sleep\n", "RW0906", "`sleep` is no answer to `market`, where play waits"),
    (WAITS + "ann may pick 3\n", "RW0906", "a plain value is no answer to `market`"),
    (WAITS + 'ann may not buy_token(1), "no"\n', "RW0907", "`buy_token` is never refused with"),
    ("    when play turn up to markt\n    then\n        yes\n", "RW0901", "the question `markt`"),
    (HAPPENED + "ann is not asked markt\n", "RW0901", "nothing asks the question `markt`"),
    (WAITS + "yes\n    when\n        ann: sing at market\n    then\n        yes\n", "RW0902",
     "`market` has no answer `sing`"),
    (WAITS + "yes\n    when\n        luck: 3 at market\n    then\n        yes\n", "RW0901",
     "luck is asked nothing"),
    (HAPPENED + "ann stands_on rose\n", "RW0909", "it makes something happen"),
    ("    then\n        ann.cash is was(ann.cash)\n", "RW0709", "nothing has happened before"),
    (WAITS + "cleo may buy_token(1)\n", "RW0905", "`cleo` does not play in this scenario"),
    ("    given cleo stands_on rose\n    then\n        yes\n", "RW0905", "`cleo` does not play"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "code", "message"), MISTAKES)
def test_what_a_scenario_can_not_say(lines: str, code: str, message: str) -> None:
    found = _told(lines)
    assert found[0] == code
    assert message in found[1]


def test_a_later_set_up_and_a_look_without_play() -> None:
    program = program_of(
        'scenario "one"\n    seats ann, ben\n'
        "    then\n        rose.toll > 0\n"
        "    given ann.wins = 1\n    given ann.wins = 2\n"
        "    then\n        ann.wins is 2\n        the game goes on\n"
        "    when pay 5 from ann to bank\n"
        "    given ann.wins = 3\n"
        "    when pay 5 from ann to bank\n"
        "    then\n        ann.cash is was(ann.cash) - 5\n"
    )
    steps = program.scenarios[0].steps
    assert [(len(step.given), step.act is not None) for step in steps] == [
        (0, False), (2, False), (0, True), (1, True)
    ]  # fmt: skip
    assert [len(step.expected) for step in steps] == [1, 2, 0, 1]


# ---------------------------------------------------------------- lists for people


def test_words_list_what_can_be_hooked() -> None:
    words = {(word.category, word.text) for word in list_words(merge(bag=Bag()))}
    assert ("event", "landing by player on field") in words
    assert ("question", "rest: sleep | sing") in words
    assert ("value", "player.can_pay(amount: money): flag") in words
    assert ("exception", "high to field.fee") in words
    assert ("field", "Player.wins: 0..9") in words


def test_orders_are_given_for_what_is_hooked() -> None:
    names = [order.name for order in explain_order(program_of())]
    assert "landing by on" not in names  # a single rule has no order
    assert [o.name for o in explain_order(program_of(), "turn")] == ["turn"]


@pytest.mark.parametrize("seed", range(40))
def test_nothing_written_wrongly_makes_it_fail(seed: int) -> None:
    chance = random.Random(seed)
    words = re.findall(r"\w+|\s+|[^\w\s]", BASE)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(words))
        words[at] = chance.choice(words) if chance.random() < 0.7 else ""
    check(base="".join(words))


def test_every_construct() -> None:
    text = (Path(__file__).parent / "features.rules").read_text(encoding="utf-8")
    things = DATA + "sectors:\n  - {id: wide, width: 200, leads_to: rose}\n"
    assert codes_of(text, things=things) == []


def scenario(head: str, when: str = "play turn") -> str:
    return f'scenario "one"\n{head}    when {when}\n    then\n        not ann.out\n'


HELPED = [
    (body("player.place = the_rose"), "RW0501", "did you mean `rose`, which is shown as The Rose?"),
    (body("player pays 5 to bank"), "RW0505", "the verb comes first: `VERB VALUE to VALUE`"),
    (body("build player"), "RW0505", "declare it, `to build ...`"),
    (scenario("    seats ann, bob\n"), "RW0905", "the seats are ann, ben"),
    (scenario("    set high_tol = yes\n"), "RW0519", "did you mean `high_toll`?"),
    (scenario("", "ann buy_token 3"), "RW0904", "`ann: buy_token`"),
    (scenario("", "ann flies_to rose"), "RW0904", "sayings have the verbs `"),
]


@pytest.mark.parametrize(("text", "code", "help_"), HELPED)
def test_what_is_not_there_is_explained(text: str, code: str, help_: str) -> None:
    _, bag = check(text, things=DATA.replace("{id: rose", '{id: rose, name: "The Rose"'))
    (found,) = bag.sorted()
    assert found.code == code
    assert found.help is not None
    assert help_.replace("ann: ", "SEAT: ") in found.help


def test_values_that_share_others_are_no_circle() -> None:
    """However many ways lead from the first to the last, each value is looked at once; but that
    many would be worked out in play."""
    lines = [
        f"define d{n}: 0..9 = " + (f"min(d{n - 1}, d{n - 2})" if n > 1 else "3")
        for n in reversed(range(60))
    ]
    use = body("if d59 > 4\n    player.wins = 1")
    assert codes_of("\n".join(lines) + "\n" + use) == ["RW0712"]
    assert codes_of("\n".join([*lines[:-1], "define d0: 0..9 = d59"]) + "\n" + use) == ["RW0702"]


BROKEN = "saying player sleeps on field\n    player.tired = yes\n    open market by player\n"


SAID = 'scenario "s"\n    given ann sleeps on go\n    then\n        table.mood is calm\n'


@pytest.mark.parametrize("said", ["", SAID])
def test_a_saying_is_checked_once_whether_it_is_said_or_not(said: str) -> None:
    assert codes_of(BROKEN + said) == ["RW0503"]


def test_a_saying_that_nobody_says_leaves_nothing_behind() -> None:
    whole = BROKEN.replace("tired", "out").replace("    open", '    say "zz"\n    open')
    plain, more = program_of(), program_of(whole)
    assert list(more.sites) == list(plain.sites)
    assert more.texts == plain.texts
