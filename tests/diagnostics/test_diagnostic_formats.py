"""The forms for tools: JSON, SARIF, GitHub."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from diagnostic_samples import DATA, FOLDER, Golden, samples

from dsl.diagnostics.render import render_github, render_json, render_sarif

FOUND = samples().sorted()


def test_json_golden(golden: Golden) -> None:
    golden("all.json", render_json(FOUND))


def test_json_places() -> None:
    objects: list[dict[str, Any]] = json.loads(render_json(FOUND))
    assert [each["code"] for each in objects] == [each.code for each in FOUND]
    for each in objects:
        if each["file"] == DATA.name:
            line = DATA.text.split("\n")[each["line"] - 1]
            piece = DATA.text[each["start"] : each["end"]]
            assert line[each["column"] - 1 :].startswith(piece.partition("\n")[0])
    assert json.loads(render_json([])) == []


def test_sarif_golden(golden: Golden) -> None:
    golden("all.sarif", render_sarif(FOUND, version="1.2.3"))


def test_sarif_shape() -> None:
    log: dict[str, Any] = json.loads(render_sarif(FOUND))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for diagnostic, result in zip(FOUND, run["results"], strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.code
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"].startswith(diagnostic.message)
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            assert " " not in uri
            assert "\\" not in uri
            if unquote(uri) == FOLDER.name:
                assert "region" not in place
                continue
            region = place["region"]
            assert all(number >= 1 for number in region.values())
            begin = (region["startLine"], region["startColumn"])
            assert begin <= (region["endLine"], region["endColumn"])
    assert json.loads(render_sarif([]))["runs"][0]["results"] == []


def test_github_golden(golden: Golden) -> None:
    golden("all.github", render_github(FOUND))


def test_github_is_one_line_each() -> None:
    lines = render_github(FOUND).splitlines()
    assert len(lines) == len(FOUND)
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert any("100 %25 of%0Atwo lines: a, b" in line for line in lines)
    assert render_github([]) == ""
