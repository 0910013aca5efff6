"""What a person at the terminal reads of payments, hidden things and what others have answered."""

from __future__ import annotations

import re

from cli_runs import invoke

PASSES = "pass\n" * 40


def play(name: str, seats: str, seed: int, typed: str) -> str:
    result = invoke("play", name, "--seats", seats, "--seed", str(seed), typed=typed + "quit\n")
    assert result.exit_code == 0, result.output
    return result.output


def test_a_payment_is_described_and_ways_to_pay_it_are_suggested() -> None:
    output = play("crooked_cash", "me,shifty,shifty", 81, "pass\npass\npass\npass\n" * 12)
    asked = re.search(
        r"^  payment: payer Dog; .*due M(\d+).*\n\nDog: You owe .*\n((?:  .*\n)+)",
        output,
        re.MULTILINE,
    )
    assert asked is not None, output
    due = int(asked[1])
    offers = re.findall(r"^  \d  (Note .*)$", asked[2], re.MULTILINE)
    assert 1 <= len(offers) <= 6
    for offer in offers:
        notes = [int(value) for value in re.findall(r"Note (\d+)", offer)]
        assert sum(notes) >= due > sum(notes) - min(notes), offer


def test_a_set_that_does_not_fit_is_refused_in_the_words_of_the_rules() -> None:
    typed = "pass\npass\npass\npass\n" * 12 + "6\n1,2,3,4,5,6\n"
    output = play("crooked_cash", "me,shifty,shifty", 81, typed)
    assert re.search(r"  M\d+ or more, but no note too many\.", output), output[-900:]


def test_others_answers_and_gains_are_told_as_far_as_they_are_seen() -> None:
    output = play("crooked_cash", "me,shifty,shifty", 81, PASSES)
    start = output.partition("\n\n")[0]
    assert "Dog gets Note 500 and Note 500" in start, "his own notes by name"
    assert "Cat gets" not in start, "of others not even how many"
    assert re.search(r"^ +Cat buys .* for M\d+$", output, re.MULTILINE)


def test_what_lies_before_a_player_is_drawn_with_him() -> None:
    output = play("deal", "me,collector,landlord", 3, "pass\n1\n" * 4)
    assert not re.search(r"^  estate \d:", output, re.MULTILINE)
    unwrapped = " ".join(output.split())
    assert re.search(r"estates: [A-Z][a-z ]+ \([A-Z][\w. ]+\)", unwrapped)
