"""Forms of names in other languages, and Crooked Cash in Esperanto as it is told in whole games."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from interpreter import api
from interpreter.session.forms import Forms, plural_category
from interpreter.session.values import filled

ESPERANTO = {
    "form.accusative": "a > an, o > on, aj > ajn, oj > ojn",
    "form.accusative.until": "de, kun",
    "form.accusative.street": "la straton {name}",
    "class.street": "avenue, place",
}
GERMAN = {
    "form.accusative.f": "die {name}",
    "form.accusative.m": "den {name}",
    "form.accusative.n": "das {name}",
    "class.f": "straße, allee",
    "class.m": "platz, bahnhof",
    "class.n": "werk",
}


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("hotelo", "hotelon"),
        ("du novaj hoteloj", "du novajn hotelojn"),
        ("malĉifrila ĵetono", "malĉifrilan ĵetonon"),
        ("fundo de la kartaro", "fundon de la kartaro"),
        ("Baltic Avenue", "la straton Baltic Avenue"),
        ("Virginia Avenue", "la straton Virginia Avenue"),
        ("Boardwalk", "Boardwalk"),
        ("GO", "GO"),
    ],
)
def test_esperanto(name: str, form: str) -> None:
    forms = Forms(ESPERANTO, {})
    assert forms.take(name, "accusative") == form
    assert forms.take(name, None) == name
    assert forms.take(name, "dative") == name


def test_a_form_goes_by_the_gender_and_a_name_may_give_its_own() -> None:
    own = {"Gefängnis": {"class": "n"}, "Los": {"accusative": "das Feld Los"}}
    forms = Forms(GERMAN, own)
    named = [("Badstraße", "die"), ("Opernplatz", "den"), ("Wasserwerk", "das")]
    for name, article in [*named, ("Gefängnis", "das")]:
        assert forms.take(name, "accusative") == f"{article} {name}"
    assert forms.take("Los", "accusative") == "das Feld Los"
    text = filled("{who} kauft {deed:accusative}, {{x}}", {"who": "Ann", "deed": "Allee"}, forms)
    assert text == "Ann kauft die Allee, {x}"


@pytest.mark.parametrize(
    ("language", "ones", "fews"),
    [("eo", [1], []), ("fr", [0, 1], []), ("ru", [1, 21, 101], [2, 3, 24]), ("pl", [1], [2, 22]),
     ("cs", [1], [2, 4]), ("ja", [], [])],
)  # fmt: skip
def test_numbers_go_by_cldr(language: str, ones: list[int], fews: list[int]) -> None:
    numbers = range(130)
    found = {number: plural_category(language, number) for number in numbers}
    assert all(found[number] == "one" for number in ones)
    assert all(found[number] == "few" for number in fews)
    assert found[11] not in ("one", "few")
    assert found[0] == ("one" if 0 in ones else found[0])


# ---------------------------------------------------------------- Crooked Cash

WANTS_ACCUSATIVE = (
    "aĉetas", "vendas", "malĉifras", "turnas", "demetas", "redonas", "petas", "petis", "deziras",
    "reprenas", "sendi", "aĉeti",
)  # fmt: skip
NOT_AFTER = ("al", "de", "por", "kun", "per", "pri", "kontraŭ", "ĉe")
ENGLISH = re.compile(
    r"\b(the|and|of|to|pays|gets|buys|bids|card|note|rent|owes|plays|lays|with|bank|jail)\b",
    re.IGNORECASE,
)


def logs_in_esperanto(seeds: range) -> set[str]:
    variant = api.load_variant("crooked_cash", language="eo")
    bots = [each for each in variant.strategies if each != "random"]
    lines: set[str] = set()
    for seed in seeds:
        seats = ["random"] * len(variant.seats) if seed % 2 else (bots * 2)[: len(variant.seats)]
        game = variant.new_game(seed=seed, seats=seats)
        for seat in (None, *variant.seats):
            lines |= {line.strip() for line in game.log(seat)}
        assert game.end_reason is not None
        assert not ENGLISH.search(game.end_reason)
    return lines


def test_whole_games_are_told_in_esperanto() -> None:
    lines = logs_in_esperanto(range(4))
    assert len(lines) > 500
    for line in lines:
        assert not ENGLISH.search(line), line
        assert "{" not in line, line
        words = re.findall(r"[^\W\d_]+", line)
        for before, word in pairwise(words):
            if before in NOT_AFTER and word[0].islower():
                assert not word.endswith(("on", "ojn", "ajn")), line
            if before in WANTS_ACCUSATIVE:
                assert not word.endswith(("o", "oj")), line


def test_units_take_the_form_and_the_number() -> None:
    lines = logs_in_esperanto(range(2))
    assert any(re.search(r"\bdemetas 1 malĉifrilan ĵetonon|turnas malĉifrilan ĵetonon", each)
               for each in lines)  # fmt: skip
    assert any("aĉetas la straton " in each for each in lines)
    assert not any(re.search(r"\b[2-9] \w+ĵetono\b", each) for each in lines)


# ---------------------------------------------------------------- Classic


def test_classic_has_articles_in_german() -> None:
    variant = api.load_variant("classic", language="de")
    bots = [each for each in variant.strategies if each != "random"]
    game = variant.new_game(seed=2, seats=(bots * 2)[: len(variant.seats)])
    lines = {line.strip() for line in game.log(None)}
    assert any(re.search(r" kauft die \w+ Avenue für \$\d+$", line) for line in lines)
    assert any(re.search(r" für den St\. \w+ Place$", line) for line in lines)
    for line in lines:
        assert "{" not in line, line
        assert not re.search(r"\b(den|dem|der) \S+ Avenue\b", line), line
        assert not re.search(r"\b(die|das) \S+ Place\b", line), line
