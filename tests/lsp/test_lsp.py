"""The language server over its real protocol: what an editor asks, and what it is told."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from lsp_desk import Page, client, copied
from lsprotocol import types
from pytest_lsp import LanguageClient

from interpreter.lsp.desk import PAUSE

__all__ = ["client"]

pytestmark = pytest.mark.asyncio(loop_scope="module")

RULES = "rules/classic.rules"


@pytest.fixture
def classic(tmp_path: Path) -> Path:
    """A copy of Classic."""
    return copied("classic", tmp_path)


def rules(client: LanguageClient, folder: Path, more: str = "", file: str = RULES) -> Page:
    """The rules, with something written below them, open."""
    page = Page(client, folder / file).open()
    if more:
        page.edit(f"{page.text}\n{more}")
    return page


# ---------------------------------------------------------------- diagnostics


async def test_diagnostics_as_you_type(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic)
    assert await page.codes() == []
    page.edit(
        page.text
        + "rule gift: after landing by player on space: Go\n    pay 10 from bnk to player\n"
    )
    (found,) = await page.diagnostics()
    assert found.code == "RW0501"
    assert found.range.start == page.at("from |bnk")
    assert "did you mean `bank`?" in found.message
    page.replace("from bnk", "from bank")
    assert await page.codes() == []


async def test_data_has_diagnostics(client: LanguageClient, classic: Path) -> None:
    page = Page(client, classic / "variant.yaml").open()
    assert await page.codes() == []
    page.replace("kind: Tax, name", "kind: Taxx, name")
    found = await page.diagnostics()
    assert page.at("kind: |Taxx") in [each.range.start for each in found]
    page.replace("kind: Taxx", "kind: [")
    assert (await page.codes())[0].startswith("RW03")


async def test_all_that_a_check_says_follows(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic)
    scenarios = Page(client, classic / "scenarios/classic.rules")
    assert await page.codes() == []
    page.replace("switch utility_dice", "switch utility_dise")
    assert "RW0501" in await page.codes()
    page.replace("switch utility_dise", "switch utility_dice")
    assert await page.codes() == []
    page.edit(
        page.text + "-- allow RW9004: it will be\nswitch spare: flag = yes\n-- allow RW9004: x\n"
    )
    assert await page.until("RW9006") == ["RW9006"]
    assert not client.diagnostics.get(scenarios.uri)
    page.replace("-- allow RW9004: x\n", "")
    assert await page.codes() == []


async def test_a_file_of_nothing_is_read_by_itself(client: LanguageClient, tmp_path: Path) -> None:
    path = tmp_path / "loose.rules"
    path.write_text("rule x after\n", encoding="utf-8")
    page = Page(client, path).open()
    assert await page.codes() == ["RW0207"]
    assert await hover(page, "ru|le") is None


async def test_a_mod_is_checked_with_its_variant(client: LanguageClient, tmp_path: Path) -> None:
    mod = tmp_path / "mods" / "gift"
    (mod / "rules").mkdir(parents=True)
    data = 'mod: gift\ntitle: "Gift"\noverlay_for: [classic]\n'
    (mod / "mod.yaml").write_text(data, encoding="utf-8")
    (mod / "rules" / "gift.rules").write_text("switch gift: money = 5\n", encoding="utf-8")
    page = Page(client, mod / "rules" / "gift.rules").open()
    assert await page.codes() == ["RW9004"]
    page.edit(page.text + GIFT)
    assert await page.codes() == []
    assert "An amount" not in str(await hover(page, "pay g|ift"))
    assert "Set to `5` here." in str(await hover(page, "pay g|ift"))


# ---------------------------------------------------------------- what a word means

GIFT = """\
-- A gift.
rule giving: after landing by player on space: Go
    pay gift from bank to player
"""


async def hover(page: Page, marked: str) -> str | None:
    params = types.HoverParams(page.document, page.at(marked))
    found = await page.client.text_document_hover_async(params)
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("by throw|er", "thrower: a Player"),
        ("and thrower.sp|ace", "Player.space: Space"),
        ("and thrower.sp|ace", "Where the token stands."),
        ("from ba|nk to thrower", "bank is Party"),
        ("    pa|y", "pay amount: money from payer: Party to payee: Party"),
        ("rule gift: after landi|ng", "A token has arrived, in whatever way."),
        ("is boardw|alk", "boardwalk: Street"),
        ("is boardw|alk", "`price: 400`"),
        ("thrower.can_p|ay", "Whether the player has this much money."),
        ("pay (go_sal|ary", "Set to `200` here."),
        ("(go_salary + |1)", "`1`: the number 1"),
        ("on space: St|reet", "Street is Deed"),
    ],
)
async def test_hover(client: LanguageClient, classic: Path, marked: str, said: str) -> None:
    page = rules(client, classic, HOVERED)
    assert await page.codes() == []
    assert said in str(await hover(page, marked))


HOVERED = """\
rule gift: after landing by thrower: Player on space: Street
    if space is boardwalk and thrower.can_pay(5) and thrower.space is boardwalk
        pay (go_salary + 1) from bank to thrower
"""


async def test_hover_in_data(client: LanguageClient, classic: Path) -> None:
    page = Page(client, classic / "variant.yaml").open()
    await page.diagnostics()
    assert "The printed price" in str(await hover(page, "group: brown, pri|ce: 60"))
    assert "Street is Deed" in str(await hover(page, "{id: mediterranean,   kind: Str|eet"))


async def test_definition_and_references(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic, HOVERED)
    await page.diagnostics()

    async def definition(marked: str) -> tuple[str, int]:
        params = types.DefinitionParams(page.document, page.at(marked))
        found = await client.text_document_definition_async(params)
        assert isinstance(found, types.Location)
        return found.uri.rpartition("/")[2], found.range.start.line

    name, line = await definition("is boardw|alk")
    data = (classic / "variant.yaml").read_text(encoding="utf-8").splitlines()
    assert name == "variant.yaml"
    assert "id: boardwalk" in data[line]
    assert (await definition("    pa|y"))[0] == "money.rules"
    assert await definition("if spa|ce is") == ("classic.rules", page.at("on spa|ce: Street").line)
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context, page.document, page.at("is boardw|alk"))
    found = await client.text_document_references_async(params)
    assert found is not None
    places = {each.uri.rpartition("/")[2] for each in found}
    assert {"variant.yaml", "classic.rules"} <= places


async def test_rename_in_rules_data_and_translations(client: LanguageClient, classic: Path) -> None:
    (classic / "locale").mkdir(exist_ok=True)
    french = classic / "locale" / "fr.yaml"
    french.write_text('thing.spaces.boardwalk.name: "Promenade"\n', encoding="utf-8")
    page = rules(client, classic, HOVERED)
    await page.diagnostics()

    async def rename(marked: str, new: str) -> dict[str, list[str]]:
        params = types.RenameParams(page.document, page.at(marked), new)
        edit = await client.text_document_rename_async(params)
        assert edit is not None
        assert edit.changes is not None
        return {
            uri.rpartition("/")[2]: [each.new_text for each in edits]
            for uri, edits in edit.changes.items()
        }

    changes = await rename("is boardw|alk", "promenade")
    assert changes["fr.yaml"] == ["promenade"]
    assert set(changes["variant.yaml"]) == {"promenade"}
    assert changes["classic.rules"].count("promenade") >= 2
    assert await rename("by throw|er", "roller") == {"classic.rules": ["roller"] * 4}
    for marked, new, said in (
        ("is boardw|alk", "park_place", "can't be called `park_place`"),
        ("is boardw|alk", "Board Walk", "small letters"),
        ("    pa|y", "give", "does not belong to this"),
    ):
        with pytest.raises(Exception, match=said):
            await rename(marked, new)


# ---------------------------------------------------------------- completion


async def offered(page: Page, marked: str) -> dict[str, types.CompletionItem]:
    params = types.CompletionParams(page.document, page.at(marked))
    found = await page.client.text_document_completion_async(params)
    items = found.items if isinstance(found, types.CompletionList) else found
    return {item.label: item for item in items or ()}


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        # the beginning of a line
        ("|", ["rule", "kind", "switch", "exception"], ["let", "boardwalk", "pay"]),
        ("rule gift: |", ["before", "after", "instead of", "whenever"], ["rule", "pay"]),
        ("rule gift: after |", ["landing", "take_turn", "turn", "pay"], ["boardwalk", "if"]),
        ("rule gift: after landing by player on |\n    pay 1 from bank to player", [], ["pay"]),
        # statements
        (f"{HOVERED}    |", ["let", "if", "pay", "move", "ask"], ["rule", "boardwalk"]),
        (f"{HOVERED}    open |", ["free_time", "bidding"], ["pay", "rule"]),
        (f"{HOVERED}    end |", ["turn"], ["boardwalk"]),
        # values
        (f"{HOVERED}    pay thrower.| from bank to thrower", ["cash", "can_pay", "space"], ["pay"]),
        (
            f"{HOVERED}    pay | from bank to thrower",
            ["thrower", "space", "go_salary", "roll_total", "count"],
            ["rule", "purchase"],
        ),
        (f"{HOVERED}    if space is |\n        end turn", ["boardwalk", "space"], ["rule"]),
        ("set doubles_to|", ["doubles_to_jail", "go_salary"], ["boardwalk", "pay"]),
        ("set rent_claim = |", ["on_demand", "automatic"], ["rule"]),
        ("add to |\n    luck_of: 1..6 starts 1", ["Player", "bank", "Street"], ["pay"]),
        ("define spare: |= 5", ["money", "flag", "Player"], ["pay"]),
        ("exception to deed.|\n    but x: no if no", ["rent_is_due", "rent"], ["pay"]),
        # players
        ("strategy bold is |\n    for bidding\n        pass", ["builder"], ["pay"]),
        ("strategy bold\n    for |\n        pass", ["bidding", "deal"], ["pay"]),
        ("strategy bold\n    for deal\n        |", ["agree", "refuse"], ["buy"]),
        ("strategy bold\n    for purchase\n        | if yes", ["buy", "decline"], ["agree"]),
        # worked examples
        ('scenario "x"\n    seats |\n    then\n        go is go', ["red", "blue"], ["boardwalk"]),
        ('scenario "x"\n    given red |\n    then\n        go is go', ["owns", "has"], ["pay"]),
        ('scenario "x"\n    given red owns |\n    then\n        go is go', ["boardwalk"], []),
    ],
)
async def test_completion(
    client: LanguageClient, classic: Path, text: str, there: list[str], not_there: list[str]
) -> None:
    page = rules(client, classic, text.replace("|", ""))
    await page.diagnostics()
    after = text.partition("|")[2]
    offset = len(page.text) - len(after)
    line = page.text.count("\n", 0, offset)
    position = types.Position(line, offset - page.text.rfind("\n", 0, offset) - 1)
    params = types.CompletionParams(page.document, position)
    found = await client.text_document_completion_async(params)
    assert isinstance(found, list)
    labels = {item.label for item in found}
    assert [word for word in there if word not in labels] == []
    assert [word for word in not_there if word in labels] == []


async def test_completion_has_docs(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic, HOVERED + "    pay 1 from bank to thrower\n")
    await page.diagnostics()
    found = await offered(page, "    pay| 1")
    assert found["pay"].insert_text == "pay ${1:amount} from ${2:payer} to ${3:payee}"
    assert "rent, a tax, a card" in str(found["pay"].documentation)


# ---------------------------------------------------------------- beside the text


async def test_code_actions_for_fixes(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic, HOVERED.replace("(5)", "(005)"))
    (found,) = await page.diagnostics()
    params = types.CodeActionParams(page.document, found.range, types.CodeActionContext([found]))
    actions = await client.text_document_code_action_async(params)
    repair, allow = [each for each in actions or () if isinstance(each, types.CodeAction)]
    assert repair.title == "write `5`"
    assert repair.edit is not None
    assert repair.edit.changes is not None
    (edit,) = repair.edit.changes[page.uri]
    assert (edit.range, edit.new_text) == (found.range, "5")
    assert allow.title == "allow RW9005 here, with a reason"


async def test_hints_of_switches(client: LanguageClient, classic: Path) -> None:
    text = HOVERED + "    if doubles_to_jail > 5\n        pay 1 from bank to thrower\n"
    page = rules(client, classic, text)
    await page.diagnostics()
    whole = types.Range(types.Position(0, 0), types.Position(999, 0))
    params = types.InlayHintParams(page.document, whole)
    found = await client.text_document_inlay_hint_async(params)
    shown = {(each.position.line, each.label) for each in found or ()}
    assert (page.at("pay (go|_").line, " = 200") in shown
    assert (page.at("if doubles|_").line, " = 3") in shown
    assert (page.at("if doubles|_").line, " never") in shown


async def test_signature_help(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic, HOVERED)
    await page.diagnostics()

    async def help_at(marked: str) -> tuple[str, int | None]:
        params = types.SignatureHelpParams(page.document, page.at(marked))
        found = await client.text_document_signature_help_async(params)
        assert found is not None
        return found.signatures[found.active_signature or 0].label, found.active_parameter

    assert await help_at("(go_salary + 1) from |bank") == ("pay amount from payer to payee", 1)
    assert await help_at("to |thrower") == ("pay amount from payer to payee", 2)
    assert (await help_at("can_pay(|5"))[0] == "can_pay(an amount of money)"


async def test_lenses(client: LanguageClient, classic: Path) -> None:
    page = Page(client, classic / "scenarios/classic.rules").open()
    await page.diagnostics()
    params = types.CodeLensParams(page.document)
    lenses = [each.command for each in await client.text_document_code_lens_async(params) or ()]
    titles = {command.title for command in lenses if command is not None}
    assert titles == {"Run this scenario"}
    assert lenses[0] is not None
    run = types.ExecuteCommandParams("rulewright.runScenario", lenses[0].arguments)
    done = await client.workspace_execute_command_async(run)
    assert "'passed': True" in str(done) or getattr(done, "passed", None) is True
    event = rules(client, classic, "event flood by player\n" + FLOOD)
    await event.diagnostics()
    params = types.CodeLensParams(event.document)
    found = [each.command for each in await client.text_document_code_lens_async(params) or ()]
    assert [command.title for command in found if command is not None] == ["1 rule hooks this"]


FLOOD = """\
rule rain: after landing by player on space: Go
    flood by player
rule wet: after flood by player
    say "wet"
"""


async def test_outline_folds_colours_and_format(client: LanguageClient, classic: Path) -> None:
    page = rules(client, classic, HOVERED)
    await page.diagnostics()
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(page.document)
    )
    last = (symbols or [])[-1]
    assert (last.name, getattr(last, "detail", "")) == (
        "gift",
        "rule after landing by thrower: Player on space: Street",
    )
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(page.document))
    head = page.at("rule |gift").line
    assert (head, head + 2) in [(fold.start_line, fold.end_line) for fold in folds or ()]
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(page.document)
    )
    assert tokens is not None
    kinds = unpacked(page, list(tokens.data))
    for word, kind in (
        ("rule", "keyword"),
        ("thrower", "parameter"),
        ("Street", "class"),
        ("boardwalk", "variable"),
        ("pay", "function"),
        ("go_salary", "variable"),
        ("1", "number"),
    ):
        assert (word, kind) in kinds, word
    page.replace("if space is boardwalk", "if  space   is boardwalk")
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(page.document, types.FormattingOptions(4, True))
    )
    assert edits is not None
    assert "if space is boardwalk" in edits[0].new_text


def unpacked(page: Page, data: list[int]) -> set[tuple[str, str]]:
    from interpreter.lsp.colours import TYPES

    lines = page.text.split("\n")
    found, line, column = set(), 0, 0
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        found.add((lines[line][column : column + length], TYPES[kind]))
    return found


# ---------------------------------------------------------------- time


def spent(client: LanguageClient) -> float:
    """The seconds of the processor that the server has used: others may be using it, too."""
    assert client._server is not None
    parts = Path(f"/proc/{client._server.pid}/stat").read_text(encoding="utf-8").split()
    return (int(parts[13]) + int(parts[14])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs the times of a process")
@pytest.mark.parametrize(("name", "bar"), [("classic", 0.15), ("crooked_cash", 0.4)])
async def test_from_keystroke_to_diagnostics(
    client: LanguageClient, tmp_path: Path, name: str, bar: float
) -> None:
    folder = copied(name, tmp_path)
    page = Page(client, max((folder / "rules").iterdir(), key=lambda p: p.stat().st_size)).open()
    await page.diagnostics()
    times = []
    for number in range(8):
        start = spent(client)
        page.edit(f"{page.text}-- {number}\n")
        while page.uri not in client.diagnostics:
            await asyncio.sleep(0.002)
        times.append(spent(client) - start + PAUSE)
    assert min(times) < bar
