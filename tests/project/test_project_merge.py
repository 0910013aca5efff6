"""Replacing, removing and doubling declarations; switches that are set twice; labels."""

from __future__ import annotations

import pytest
from project_games import Shelf, names, place

from dsl.check.merged import Merged
from dsl.syntax import nodes as syntax

SPLASH = 'rule wet: after landing by player on space: Start\n    say "splash"\n'
DRY = 'rule dry: after landing by player on space: Start\n    say "dry"\n'


def decls(merged: Merged, kind: type[syntax.Decl]) -> list[syntax.Decl]:
    return [each.decl for each in merged.declarations if isinstance(each.decl, kind)]


def text_of(decl: syntax.Decl) -> str:
    return decl.span.text


# ---------------------------------------------------------------- replace


def test_a_replacement_takes_the_place(harbour: Shelf) -> None:
    harbour.put_mod("splash", rules="unit drop\nreplace " + SPLASH.replace("wet", "toll_due"))
    merged = harbour.load("harbour", "splash").clean
    assert names(merged, syntax.RuleDecl) == ["toll_due", "wet"]
    replaced = next(
        each
        for each in merged.declarations
        if isinstance(each.decl, syntax.RuleDecl) and each.decl.name.text == "toll_due"
    )
    assert (replaced.rank, replaced.layer) == (1, "splash")
    assert "splash" in text_of(replaced.decl)


REPLACEABLE = {
    "always": "replace always few: yes\n",
    "measure": "replace measure landings: after landing by player on space add 2\n",
    "option": 'replace option build in free_time by player\n    say "b"\n',
    "window": "replace window free_time\n    ask each p in Player\n    once each\n",
    "define": "replace define pier.due: money = 5\n",
    "define_typed": "replace define (a: Pier).due: money = 5\n",
    "routine": "replace to pay_toll of who: Player\n    say who\n",
    "routine_by_event": "replace event pay_toll of player\n",
    "event": 'replace event landing by player on space\n    say "plop"\n',
    "switch": "replace switch toll: 0..9 = 3\n",
    "choice": "replace choice Weather = calm | storm | fog\n",
    "kind": "replace kind Crate, made in play up to 3\n    weight: 1..3\n",
    "thing": "replace thing bank\n",
}


@pytest.mark.parametrize("name", REPLACEABLE)
def test_what_can_be_replaced(harbour: Shelf, name: str) -> None:
    before = harbour.load().clean
    harbour.put_child("atoll", rules=REPLACEABLE[name])
    merged = harbour.load("atoll").clean
    assert len(merged.declarations) == len(before.declarations)
    assert sum(each.layer == "atoll" for each in merged.declarations) == 1


UNKNOWN = {
    "rule": ("replace " + SPLASH.replace("wet", "wett"), "wett", "did you mean `wet`?"),
    "define": ("replace define pier.du: money = 5\n", "du", "did you mean `pier.due`?"),
    "subject": (
        "replace define quay.due: money = 5\n",
        "due",
        "there is `pier.due`; subject and prepositions belong to the name",
    ),
    "routine": (
        "replace to pay_toll from player\n    say player\n",
        "pay_toll",
        "there is `pay_toll of player`; subject and prepositions belong to the name",
    ),
    "verb": ("replace to pay_tol of player\n    say player\n", "pay_tol", "did you mean"),
    "other_sort": (
        "replace always wet: yes\n",
        "wet",
        "`wet` is a rule",
    ),
    "nothing": ("replace always unheard_of: yes\n", "unheard_of", None),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_replacing_what_is_not_there(harbour: Shelf, name: str) -> None:
    rules, marked, help_text = UNKNOWN[name]
    harbour.put_mod("m", rules=rules)
    found = harbour.load("harbour", "m").only("RW0802")
    assert found.span.text == marked
    if help_text == "did you mean":
        assert (found.help or "").startswith("did you mean `pay_toll")
    else:
        assert found.help == help_text


def test_replacing_twice(harbour: Shelf) -> None:
    harbour.put_mod("m", rules=f"replace {SPLASH}replace {SPLASH}")
    found = harbour.load("harbour", "m").only("RW0801")
    assert place(found) == "m.rules:3:14 'wet'"
    assert found.secondary[0].span.source.position(found.secondary[0].span.start) == (1, 14)


def test_replacing_what_the_same_mod_declares(harbour: Shelf) -> None:
    harbour.put_mod("m", rules=f"{DRY}replace {DRY}")
    assert place(harbour.load("harbour", "m").only("RW0804")) == "m.rules:3:14 'dry'"


def test_two_mods_that_replace_one_rule(harbour: Shelf) -> None:
    harbour.put_mod("a", rules=f"replace {SPLASH}")
    harbour.put_mod("b", rules=f"replace {SPLASH}")
    loaded = harbour.load("harbour", "a", "b")
    assert loaded.only("RW0809").severity == "warning"
    layers = {
        each.layer for each in loaded.merged.declarations if isinstance(each.decl, syntax.RuleDecl)
    }
    assert layers == {"harbour", "b"}


def test_a_library_module_may_replace_an_earlier_one(harbour: Shelf) -> None:
    harbour.put("library/tides.rules", 'to ebb\n    say "ebb"\n')
    harbour.put("library/moon.rules", 'replace to ebb\n    say "full moon"\n')
    harbour.put_child("atoll", "uses: [tides, moon]\n")
    assert harbour.load("atoll").clean
    harbour.put_child("reef", "uses: [moon, tides]\n")
    harbour.load("reef").only("RW0802")


# ---------------------------------------------------------------- remove


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        ("remove rule wet\n", syntax.RuleDecl),
        ("remove option build\n", syntax.Option),
        ("remove window free_time\n", syntax.Window),
        ("remove always few\n", syntax.Always),
        ("remove measure landings\n", syntax.Measure),
    ],
)
def test_removing(harbour: Shelf, rules: str, kind: type[syntax.Decl]) -> None:
    before = len(decls(harbour.load().clean, kind))
    harbour.put_mod("m", rules=rules)
    assert len(decls(harbour.load("harbour", "m").clean, kind)) == before - 1


def test_with_an_option_goes_what_was_forbidden_of_it(harbour: Shelf) -> None:
    harbour.put_mod("first", rules='forbid build in free_time if yes, "not today"\n')
    harbour.put_mod("m", rules="remove option build\n")
    merged = harbour.load("harbour", "first", "m").clean
    assert decls(merged, syntax.Forbid) == []


DEEP = "exception to pier.due\n    but deep: {value} if fair is storm\n"
NEW = "replace define pier.due: money = 5\n"


@pytest.mark.parametrize(
    ("lines", "new", "left"),
    [
        (DEEP.format(value="4"), NEW, True),
        (DEEP.format(value="usual * 2"), NEW, False),
        (DEEP.format(value="4"), "remove exception deep to pier.due\n" + NEW, False),
        (DEEP.format(value="4"), NEW.replace("pier.due", "(a: Pier).due"), True),
        ("", NEW + DEEP.format(value="4"), False),
    ],
)
def test_lines_that_a_replacement_leaves_behind(
    harbour: Shelf, lines: str, new: str, left: bool
) -> None:
    harbour.put_child("atoll", rules=lines)
    harbour.put_mod("m", rules=new)
    loaded = harbour.load("atoll", "m")
    assert loaded.codes == ["RW0812"] * left
    if left:
        assert [label.span.text for label in loaded.only("RW0812").secondary] == ["deep"]


def test_sayings_are_removed_by_their_verb(harbour: Shelf) -> None:
    sayings = "".join(
        f"saying {words}\n    say player\n"
        for words in ("player owns pier", "player owns crate", "player sails")
    )
    harbour.put("harbour/scenarios/words.rules", sayings)
    assert len(decls(harbour.load().clean, syntax.Saying)) == 3
    harbour.put_mod("m", rules="remove saying owns\n")
    (left,) = decls(harbour.load("harbour", "m").clean, syntax.Saying)
    assert "sails" in text_of(left)


def test_a_removed_name_is_free_again(harbour: Shelf) -> None:
    harbour.put_mod("m", rules=f"{SPLASH}remove rule wet\n")
    merged = harbour.load("harbour", "m").clean
    assert [each.layer for each in merged.declarations if "splash" in text_of(each.decl)] == ["m"]


@pytest.mark.parametrize(
    ("line", "help_text"),
    [
        ("remove rule wett\n", "did you mean `wet`?"),
        ("remove option wet\n", "`wet` is a rule"),
        ("remove window nothing_like_it\n", None),
    ],
)
def test_removing_what_is_not_there(harbour: Shelf, line: str, help_text: str | None) -> None:
    harbour.put_mod("m", rules=line)
    assert harbour.load("harbour", "m").only("RW0803").help == help_text


def test_removing_what_a_parent_has_removed(harbour: Shelf) -> None:
    harbour.put_child("atoll", rules="remove rule wet\n")
    harbour.put_mod("m", rules="remove rule wet\n")
    found = harbour.load("atoll", "m").only("RW0803")
    assert found.secondary[0].text == "`atoll` takes this out"
    harbour.put_mod("late", rules=f"replace {SPLASH}")
    harbour.load("atoll", "late").only("RW0802")


def test_two_mods_may_remove_the_same(harbour: Shelf) -> None:
    harbour.put_mod("a", rules="remove rule wet\n")
    harbour.put_mod("b", rules="remove rule wet\n")
    assert harbour.load("harbour", "a", "b").clean


def test_a_mod_that_removes_what_another_replaced(harbour: Shelf) -> None:
    harbour.put_mod("a", rules=f"replace {SPLASH}")
    harbour.put_mod("b", rules="remove rule wet\n")
    harbour.load("harbour", "a", "b").only("RW0809")


def test_removing_what_the_same_mod_declares(harbour: Shelf) -> None:
    harbour.put_mod("m", rules=f"{DRY}remove rule dry\n")
    harbour.load("harbour", "m").only("RW0804")


# ---------------------------------------------------------------- exceptions


def test_removing_a_line(harbour: Shelf) -> None:
    harbour.put_mod("m", rules="remove exception crane to pier.due\n")
    (define,) = decls(harbour.load("harbour", "m").clean, syntax.Define)
    assert isinstance(define, syntax.Define)
    assert define.buts == ()


def test_removing_the_only_line_of_an_exception(harbour: Shelf) -> None:
    harbour.put_child("atoll", rules="exception to pier.due\n    but deep: 9 if pier.price > 1\n")
    harbour.put_mod("m", rules="remove exception deep to (any: Pier).due\n")
    assert len(decls(harbour.load("atoll").clean, syntax.ExceptionDecl)) == 1
    assert decls(harbour.load("atoll", "m").clean, syntax.ExceptionDecl) == []


@pytest.mark.parametrize(
    ("line", "marked", "help_text"),
    [
        ("remove exception crame to pier.due\n", "crame", "did you mean `crane`?"),
        ("remove exception other to pier.due\n", "other", "its lines are `crane`"),
        ("remove exception crane to pier.dues\n", "pier.dues", "did you mean `pier.due`?"),
    ],
)
def test_removing_a_line_that_is_not_there(
    harbour: Shelf, line: str, marked: str, help_text: str
) -> None:
    harbour.put_mod("m", rules=line)
    found = harbour.load("harbour", "m").only("RW0803")
    assert (found.span.text, found.help) == (marked, help_text)


def test_removing_a_line_of_the_same_mod(harbour: Shelf) -> None:
    harbour.put_mod(
        "m",
        rules="exception to pier.due\n    but deep: 9 if pier.price > 1\n"
        "remove exception deep to pier.due\n",
    )
    harbour.load("harbour", "m").only("RW0804")


def test_labels_are_used_once(harbour: Shelf) -> None:
    line = "exception to pier.due\n    but deep: 9 if pier.price > 1\n"
    harbour.put_mod("a", rules=line)
    harbour.put_mod("b", rules=line)
    found = harbour.load("harbour", "a", "b").only("RW0805")
    assert "in the mod `a`" in found.message
    assert place(found) == "b.rules:2:9 'deep'"


def test_a_label_may_be_used_again_for_another_value(harbour: Shelf) -> None:
    harbour.put_child("atoll", rules="define mole_due: money\n    1\n    but crane: 2 if yes\n")
    assert harbour.load("atoll").clean


# ---------------------------------------------------------------- doubles


DOUBLES = {
    "rule": DRY,
    "watch": 'rule dry: whenever yes\n    say "x"\n',
    "option": 'option dry in free_time by player\n    say "b"\n',
    "always": "always dry: yes\n",
    "measure": "measure dry: after landing by player on space add 1\n",
    "window": "window dry\n    ask each p in Player\n    once each\n",
    "phase": "phase dry\n    say 1\n",
    "define": "define pier.dry: flag = yes\n",
    "routine": "to dry player on space\n    say 1\n",
    "event": "event dry by player\n",
    "kind": "kind Dry\n",
    "choice": "choice Dry = a | b\n",
    "thing": "thing dry\n",
    "unit": "unit dry\n",
    "switch": "switch dry: flag = no\n",
    "strategy": "strategy dry\n    for free_time\n        pass\n",
    "saying": "saying player dries\n    say 1\n",
}


@pytest.mark.parametrize("name", DOUBLES)
def test_declared_twice(harbour: Shelf, name: str) -> None:
    """In one place, in a parent and a child, in two mods."""
    text = DOUBLES[name]
    harbour.put_mod("a", rules=text + text)
    found = harbour.load("harbour", "a").only("RW0801")
    assert found.secondary
    assert "replace" not in (found.help or "")

    harbour.put_mod("a", rules=text)
    harbour.put_mod("b", rules=text)
    found = harbour.load("harbour", "a", "b").only("RW0801")
    assert "in the mod `a`" in found.message

    harbour.put_child("atoll", rules=text)
    found = harbour.load("atoll", "a").only("RW0801")
    assert ("replace" in (found.help or "")) == (name != "strategy")


def test_what_is_no_double(harbour: Shelf) -> None:
    harbour.put_child(
        "atoll",
        rules="""
define quay.due: money = 1
to pay_toll from player
    say player
to pay_toll player
    say player
option wet in free_time by player
    say player
saying player owns pier
    say player
saying player owns quay
    say player
exception to pier.due
    but deep: 9 if pier.price > 1
exception to pier.due
    but shallow: 1 if pier.price < 1
forbid build in free_time if yes, "no"
forbid build in free_time if yes, "no"
add to Player
    mood: flag starts no
add to Player
    mind: flag starts no
""".lstrip(),
    )
    assert harbour.load("atoll").clean


def test_a_watch_and_a_rule_share_their_names(harbour: Shelf) -> None:
    harbour.put_child("atoll", rules='rule wet: whenever yes\n    say "x"\n')
    harbour.load("atoll").only("RW0801")


def test_scenario_titles(harbour: Shelf) -> None:
    text = 'scenario "one"\n    when red goes\n    then\n        yes\n'
    harbour.put("harbour/scenarios/a.rules", text)
    harbour.put_mod("m")
    harbour.put("mods/m/scenarios/a.rules", text)
    assert harbour.load("harbour", "m").clean
    harbour.put("harbour/scenarios/b.rules", text)
    assert place(harbour.load().only("RW0801")) == "b.rules:1:1 'scenario \"one\"'"


# ---------------------------------------------------------------- switches


def test_a_switch_set_twice(harbour: Shelf) -> None:
    harbour.put_child("atoll", "set: {toll: 4}\n", "set toll = 5\n")
    found = harbour.load("atoll").only("RW0807")
    assert found.span.text == "set toll = 5"
    assert found.secondary[0].span.text == "toll: 4"


def test_mods_that_disagree(harbour: Shelf) -> None:
    harbour.put_mod("a", "set: {toll: 4}\n")
    harbour.put_mod("b", rules="set toll = 5\n")
    harbour.put_mod("c", rules="set toll = 4\n")
    harbour.load("harbour", "a", "b").only("RW0808")
    assert harbour.load("harbour", "a", "c").clean


def test_a_mod_may_set_what_the_variant_sets(harbour: Shelf) -> None:
    harbour.put_child("atoll", "set: {toll: 4}\n")
    harbour.put_mod("b", rules="set toll = 5\n")
    assert harbour.load("atoll", "b").clean
