"""Texts in other languages: what check says of them, and the file that `texts` makes."""

from __future__ import annotations

from pathlib import Path

from cli_runs import invoke


def put(game: Path, text: str, language: str = "de") -> None:
    (game / "locale").mkdir(exist_ok=True)
    (game / "locale" / f"{language}.yaml").write_text(text, encoding="utf-8")


def test_check_reads_all_languages(race: Path) -> None:
    put(race, 'title: "Rennen"\n')
    put(race, "title: [\n", "fr")
    result = invoke("check", race)
    assert result.exit_code == 1
    assert "fr.yaml" in result.output
    assert "de.yaml" not in result.output


def test_check_warns_of_keys_that_nothing_asks_for(race: Path) -> None:
    put(race, 'titel: "Rennen"\nseat.nobody: "Niemand"\nstride: "gehen"\nterm.crone.one: "x"\n')
    output = invoke("check", race).output
    assert "no text has the key `titel`" in output
    assert "did you mean `title`?" in output
    assert "no text has the key `seat.nobody`" in output
    assert "no text has the key `term.crone.one`" in output
    assert output.count("warning[RW1018]") == 4


def test_check_lists_what_is_not_translated_only_if_asked(race: Path) -> None:
    put(race, 'title: "Rennen"\n')
    assert "nothing to mend" in invoke("check", race).output
    output = invoke("check", race, "--untranslated").output
    assert "has no text in de for:" in output
    assert "  description: " in output
    assert "  title: " not in output


def test_texts_make_a_file_for_a_language(race: Path) -> None:
    put(race, 'title: "Rennen"\n')
    template = invoke("texts", race, "--language", "de").output
    assert 'title: "Rennen"' in template.splitlines()
    assert any(line.startswith("# question.") for line in template.splitlines())
    put(race, template.replace("\n# ", "\n"))
    whole = [line for line in template.splitlines() if ": " in line]
    put(race, "\n".join(line.removeprefix("# ") for line in whole[1:]) + "\n")
    output = invoke("check", race, "--untranslated").output
    assert "warning" not in output
    assert "for:\n  nothing" in output


def test_texts_in_english(race: Path) -> None:
    lines = invoke("texts", race).output.splitlines()
    assert 'title: "Race"' in lines
    assert all(not line.startswith("#") for line in lines)


def test_a_mod_may_translate_what_only_one_of_its_variants_has(race: Path) -> None:
    mod = race.parent / "mods" / "short"
    (mod / "locale").mkdir(parents=True)
    (mod / "mod.yaml").write_text(
        'mod: short\ntitle: "Short"\ndescription: "Short."\noverlay_for: [race]\n', encoding="utf-8"
    )
    put(mod, 'title: "Kurz"\nthing.spaces.nowhere.name: "x"\n')
    output = invoke("check", mod).output
    assert output.count("warning[RW1018]") == 1
    assert "thing.spaces.nowhere.name" in output


def test_check_looks_through_the_texts_of_the_data(race: Path) -> None:
    data = race / "variant.yaml"
    text = data.read_text(encoding="utf-8")
    data.write_text(
        text + 'terms:\n  feild: {one: "square", other: "squares"}\n'
        '  field: {one: "square", other: "squares"}\n'
        'texts: {question.hury: "Go?", question.hurry: "Go, {runner}?", title: "{{Race}}"}\n',
        encoding="utf-8",
    )
    output = invoke("check", race).output
    assert "no text has the key `term.feild`" in output
    assert "no text has the key `question.hury`" in output
    assert "`question.hurry` has no value for `{runner}`" in output
    assert (output.count("RW1018"), output.count("RW1020")) == (2, 1)


def test_texts_in_another_language_have_the_holes_of_the_rules(race: Path) -> None:
    rules = next((race / "rules").glob("*.rules"))
    lines = 'rule cheer: before stride by player with pace\n    say "{player} runs"\n'
    rules.write_text(rules.read_text(encoding="utf-8") + lines, encoding="utf-8")
    keys = [line for line in invoke("texts", race).output.splitlines() if "{player} runs" in line]
    key = keys[0].partition(":")[0]
    put(race, f'{key}: "{{player}} rennt"\n')
    assert "RW1020" not in invoke("check", race).output
    put(race, f'{key}: "{{payer}} rennt"\n')
    output = invoke("check", race).output
    assert "`{payer}`" in output
    assert "did you mean `player`?" in output
    assert output.count("RW1020") == 1


def test_translators_tools_are_served_and_heard(race: Path, tmp_path: Path) -> None:
    put(race, 'title: "Rennen"\n')
    po = invoke("texts", race, "--language", "de", "--format", "po").output
    assert 'msgctxt "title"\nmsgid "Race"\nmsgstr "Rennen"\n' in po
    back = tmp_path / "de.po"
    text = po.replace(
        'msgctxt "seat.ann"\nmsgid "Ann"\nmsgstr ""',
        'msgctxt "seat.ann"\nmsgid "Ann"\nmsgstr "Anna"',
    )
    assert text != po
    back.write_text(text, encoding="utf-8")
    lines = invoke("texts", race, "--language", "de", "--from", back).output.splitlines()
    assert 'seat.ann: "Anna"' in lines
    assert 'title: "Rennen"' in lines
    assert invoke("texts", race, "--format", "po").exit_code == 2
    assert invoke("texts", race, "--language", "de", "--from", tmp_path / "no.po").exit_code == 2


def test_check_finds_what_was_made_of_another_english(race: Path) -> None:
    put(race, 'title: "Rennen"\nseat.ann: "Anna"\n')
    assert "nobody has noted of which" in invoke("check", race, "--stale").output
    assert "Noted the English of 2 texts" in (
        invoke("texts", race, "--language", "de", "--accept").output
    )
    fresh = invoke("check", race, "--stale")
    assert fresh.exit_code == 0
    assert fresh.output.endswith("another English:\n  nothing\n")
    data = race / "variant.yaml"
    data.write_text(data.read_text("utf-8").replace('"Race"', '"Great Race"'), encoding="utf-8")
    stale = invoke("check", race, "--stale").output
    assert stale.endswith("another English:\n  title: Great Race\n")
    assert "nothing to mend" in stale


def test_crooked_cash_is_whole_in_esperanto() -> None:
    output = invoke("check", "crooked_cash", "--untranslated", "--stale").output
    assert output.endswith(
        "has no text in eo for:\n  nothing\n\ncrooked_cash in eo, made of another English:\n"
        "  nothing\n"
    )
