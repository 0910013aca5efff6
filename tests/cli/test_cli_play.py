"""`rulewright play` with typed input: the menu, picks, commands, and that nothing else changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_runs import invoke

QUIT = "quit\n"


def play(*args: str | Path, typed: str = "") -> str:
    result = invoke("play", *args, typed=typed + QUIT)
    assert result.exit_code == 0, result.output
    return result.output


def classic(typed: str, *more: str) -> str:
    seats = "me,builder,greedy"
    return play("classic", "--seats", seats, "--seed", "10", *more, typed=typed)


def questions(output: str) -> list[str]:
    """The headlines of the questions that were put, in order."""
    return re.findall(r"^(.+\?(?: \(.*\))?)$", output, re.MULTILINE)


# ---------------------------------------------------------------- Classic


def test_the_table_and_the_question_are_shown() -> None:
    output = classic("")
    assert output.startswith("Classic (US board), seed 10\n")
    assert "Race Car (you): " in output
    assert "cash $1500" in output
    assert "Chance: cards: 16 that you can't see" in output
    assert re.search(r"^ +1  ", output, re.MULTILINE)
    assert output.rstrip().endswith("Until next time.")


def test_numbers_and_words_answer() -> None:
    by_word = classic("pass\npass\nbuy\n")
    assert "Race Car: Buy Reading Railroad for $200?" in by_word
    assert re.search(r"^ +Race Car buys Reading Railroad for \$200$", by_word, re.MULTILINE)
    number = re.search(r"^ +(\d)  Let .+ go on$", by_word, re.MULTILINE)
    assert number is not None
    by_number = classic(f"{number[1]}\n{number[1]}\n1\n")
    assert questions(by_number) == questions(by_word)


@pytest.mark.parametrize(
    "nonsense", ["wobble", "99", "0", "-1", "board now", "save", "load", "load /nowhere/x.json",
                 "pass until monday", "why wobble", "buy", "trade me", "é" * 300]
)  # fmt: skip
def test_unknown_input_changes_nothing(nonsense: str) -> None:
    plain, odd = classic("pass\npass\n"), classic(f"pass\n{nonsense}\npass\n")
    assert questions(odd) == questions(plain)
    assert plain.splitlines()[-3:] == odd.splitlines()[-3:]


def test_picks_are_asked_one_after_another() -> None:
    output = classic("trade\n1\n-\n1\n100\n0\n")
    for part in ("partner:", "wanted: 0 to 1 of these", "paid: a number from 0 to 1,500"):
        assert part in output, part
    assert "Pennsylvania Railroad" in output


def test_picks_can_be_taken_back_and_mistyped() -> None:
    output = classic("trade\nx\n9\n1\nback\nback\npass\n")
    assert "`x` is none of these; type a number from 1 to" in output
    assert "`9` is none of these" in output
    assert len(questions(output)) > len(questions(classic("pass\n"))), "the question is put again"


def test_refusals_have_their_reason() -> None:
    output = classic("trade\n1\n1\n100\n100\n")
    assert "Money goes one way only" in output
    assert questions(output) == questions(classic(""))


def test_undo() -> None:
    output = classic("pass\npass\nbuy\nundo\nundo\nundo\nundo\n")
    assert output.count("Taken back.") == 3
    assert "There is nothing to take back." in output
    first, *_, last = questions(output)
    assert first == last


def test_why() -> None:
    output = classic("why\nwhy build\nwhy build boardwalk\nwhy trade\n")
    assert "Whoever lands on a deed of the bank may buy it." in output
    assert ".rules" not in output
    assert "Nothing can be picked as street." in output
    assert "Boardwalk can't be picked, for nothing can be picked here." in output
    assert "It is possible now." in output
    bought = classic("pass\npass\nbuy\nwhy lift mortgage\n")
    assert "Reading Railroad is not mortgaged." in bought


def test_ids_and_places_are_shown_to_who_asks_for_them() -> None:
    output = classic("why\ntrade\n", "--ids")
    assert re.search(r"may buy it\.  \[.*deeds\.rules:\d+\]", output)
    assert "Iron [green]" in output


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    saved = classic(f"pass\nsave {file}\npass\nbuy\nload {file}\n")
    assert f"Saved to {file}." in saved
    assert f"Loaded from {file}." in saved
    again = play("classic", "--players", "3", "--load", file, typed="pass\n")
    assert "Race Car: Buy Reading Railroad for $200?" in again
    other = invoke("play", "classic", "--players", "2", "--load", file)
    assert other.exit_code == 2
    assert "This game is for 3 players, not 2." in other.output
    file.write_text("{}")
    assert invoke("play", "classic", "--load", file).exit_code == 2
    assert "not a saved game" in classic(f"load {file}\n")


def test_pass_for_longer() -> None:
    output = classic("pass until your next turn\n")
    assert len(questions(output)) == 2
    assert "Roll the dice" in output.rpartition("What do you want to do?")[2]
    assert "Pass until what?" in classic("pass monday\n")


def test_help_lists_what_can_be_typed() -> None:
    output = classic("help\nlog\nboard\n")
    for word in ("undo", "why ...", "save FILE", "load FILE", "quit"):
        assert word in output
    assert output.count("Race Car (you): ") == 2


def test_the_same_seed_is_the_same_game() -> None:
    assert classic("pass\npass\nbuy\n") == classic("pass\npass\nbuy\n")
    assert "seed" in invoke("play", "classic", typed=QUIT).output.splitlines()[0]


def test_the_end_of_the_input_ends_the_game() -> None:
    result = invoke("play", "classic", "--seed", "3", typed="pass\n")
    assert result.exit_code == 0
    assert "Until next time." in result.output


# ---------------------------------------------------------------- who plays


def test_bots_alone_play_it_out() -> None:
    result = invoke("play", "classic", "--seats", "builder,setter", "--seed", "5")
    assert result.exit_code == 0
    assert "The game is over: only one player is left." in result.output
    assert "Battleship won." in result.output or "Race Car won." in result.output


def watched(*args: str | Path, typed: str) -> str:
    result = invoke("play", *args, typed=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_bots_alone_are_watched_step_by_step(race: Path, tmp_path: Path) -> None:
    """What they play does not depend on how it is watched."""
    seats = ("--seats", "walker,runner", "--seed", "4")
    steps = watched(race, *seats, typed="\n3\nboard\nlog\nlog all\nhelp\nfly\nquit\n")
    assert "Ann: hurry: walk" in steps or "Ann: walk" in steps, steps
    assert steps.count("plays the next turn") == 2
    assert "`fly` can't be typed here." in steps
    assert " won." not in steps
    whole = watched(race, *seats, typed="")
    end = whole[whole.index("The ") :]
    assert " won." in end
    assert watched(race, *seats, typed="2\nend\n").endswith(end)
    assert watched(race, *seats, typed="1000\n").endswith(end)
    saved = tmp_path / "saved"
    watched(race, *seats, typed=f"2\nsave /nowhere/at/all\nsave {saved}\nquit\n")
    assert watched(race, "--load", saved, typed="\nend\n").endswith(end)


def test_a_saved_game_is_taken_up_by_others(race: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    watched(
        race, "--seats", "walker,runner,walker", "--seed", "4", typed=f"2\nsave {saved}\nquit\n"
    )
    mine = watched(race, "--load", saved, "--seats", "me", typed=f"walk\nsave {saved}\nquit\n")
    assert "Ann (you)" in mine
    assert json.loads(saved.read_text(encoding="utf-8"))["seats"] == ["person", "runner", "walker"]
    again = watched(race, "--load", saved, typed="walk\nquit\n")
    assert "Ann (you)" in again
    others = watched(race, "--load", saved, "--seats", "runner,random", typed="end\n")
    assert "Nobody has to be asked." in others
    assert " won." in others


def test_the_game_of_a_playtest_can_be_played_again(race: Path, tmp_path: Path) -> None:
    rows = tmp_path / "games.csv"
    bots = "walker,runner"
    assert invoke("playtest", race, "--bots", bots, "--games", "4", "--csv", rows).exit_code == 0
    winner = rows.read_text().splitlines()[3].split(",")[3]
    result = invoke("play", race, "--seats", bots, "--seed", "0", "--game", "2")
    assert f"{winner.capitalize()} won." in result.output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--seats", "me,bulder"), "Nobody called `bulder` can play; did you mean `builder`?"),
        (("--seats", "me,ismcts:0"), "playouts it makes for each decision, from 1 to 1,000,000."),
        (("--seats", "me,mc:x"), "random, me, ismcts:N, mc:N."),
        (("--seats", "me,nobody"), "random, me, ismcts:N, mc:N"),
        (("--seats", "me,me,me", "--players", "2"), "3 seats are too many for 2 players."),
        (("--load", "/nowhere/at/all"), "can't be loaded"),
        (("--language", "xx"), "no texts in the language `xx`"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], said: str) -> None:
    result = invoke("play", "classic", *args)
    assert result.exit_code == 2
    assert said in result.output


def test_bots_that_search_play_seats(race: Path, tmp_path: Path) -> None:
    """The game of a playtest, and one with a person that is saved and taken up again."""
    rows = tmp_path / "games.csv"
    bots = "mc:2,walker"
    assert invoke("playtest", race, "--bots", bots, "--games", "2", "--csv", rows).exit_code == 0
    winner = rows.read_text().splitlines()[1].split(",")[3]
    assert (
        f"{winner.capitalize()} won." in invoke("play", race, "--seats", bots, "--seed", "0").output
    )
    saved = tmp_path / "saved.json"
    seats = ("--seats", "me,mc:2")
    first = invoke("play", race, *seats, "--seed", "1", typed=f"walk\nsave {saved}\nquit\n")
    assert first.exit_code == 0, first.output
    assert "Ben is asked" not in first.output
    for args, typed in (
        (("--load", saved), "walk\nwalk\nquit\n"),
        (("--seed", "1"), f"load {saved}\nwalk\nwalk\nquit\n"),
    ):
        again = invoke("play", race, *seats, *args, typed=typed)
        assert again.exit_code == 0, again.output
        assert "Ben is asked" not in again.output
        assert "Ben walks" in again.output or "Ben: " in again.output, again.output


def test_two_people_do_not_see_each_others_cards() -> None:
    typed = "\n" + "pass\n" * 6 + "1\n-\n" + "\n"
    output = play("bid", "--players", "2", "--seats", "me,me", "--seed", "3", typed=typed)
    assert "Press Enter when only you can see this." in output
    shown = re.findall(r"^ +(\w+) \(you\): (.*)$", output, re.MULTILINE)
    for name in {name for name, _ in shown}:
        other = "Ben" if name == "Ann" else "Ann"
        assert f"{other}: hand: 5 that you can't see" in output or "that you can't see" in output


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("help", "takes back your last answer"),
        ("board", "Race Car (you): "),
        ("log", "(or `back`, `cancel`)"),
        ("log all", "game: active"),
        ("why", "(or `back`, `cancel`)"),
        ("undo", "There is nothing to take back."),
        ("save", "Save to which file?"),
    ],
)
def test_commands_can_be_typed_where_a_pick_is_asked_for(command: str, shown: str) -> None:
    before = classic("trade\n")
    assert before.rstrip().endswith("Until next time.")
    output = classic(f"trade\n{command}\nback\n").removeprefix(before.rpartition("> ")[0])
    assert shown in output
    assert "none of these" not in output


def test_undo_at_a_pick_goes_back_to_the_question_before() -> None:
    output = classic("pass\ntrade\nundo\n")
    assert "Taken back." in output
    put = questions(output)
    assert put[-1] == put[0]


def test_the_log_has_no_notes_of_the_rules_unless_asked() -> None:
    short, full = classic("pass\nlog\n"), classic("pass\nlog all\n")
    assert "game: active" not in short.rpartition("> log")[2]
    assert "game: active" in full.rpartition("> log all")[2]
    assert "turns 1" in full.rpartition("> log all")[2]


# ---------------------------------------------------------------- the small game


def test_the_board_is_drawn_as_declared(race: Path) -> None:
    output = play(race, "--seats", "me,walker", "--seed", "1", typed="walk\n")
    assert re.search(r"^Start <Ann> <Ben> +Hill$", output, re.MULTILINE)
    assert re.search(r"^River +Goal$", output, re.MULTILINE)


def test_a_whole_game_by_hand(race: Path) -> None:
    output = play(race, "--seats", "me,walker", "--seed", "1", typed="1\n" * 40)
    assert "The game is over: arrival." in output
    assert re.search(r"^(Ann|Ben) won\.$", output, re.MULTILINE)
