"""`rulewright docs`: the rulebook of a variant."""

from __future__ import annotations

import sys
from types import ModuleType

import click

from dsl.check.program import Together, check_program
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.summary import overlay_of, summaries
from interpreter.book.html import write_html, write_sheets
from interpreter.book.make import Mod, Source, make_book
from interpreter.book.markdown import write_markdown
from interpreter.book.printing import make_sheets
from interpreter.cli.checking import Checked, check
from interpreter.cli.completing import complete_variants
from interpreter.cli.files import written_aside
from interpreter.cli.games import library_of, stop_on_errors
from interpreter.cli.options import Wish, game_options
from interpreter.table.sheets import PAPERS

MOST_COUNTS = 12
"""Numbers of players for which the set-up is told; of more, only the fewest, the usual and the
most."""


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_variants)
@click.option(
    "--format",
    "form",
    type=click.Choice(("html", "pdf", "md")),
    default="html",
    show_default=True,
    help="What is written.",
)
@click.option(
    "--print",
    "paper",
    type=click.Choice(tuple(PAPERS)),
    help="Cards with their backs, and the board, to print on this paper and cut.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where it is written; `-` is the terminal. [default: NAME.html in this folder]",
)
@click.option("--language", metavar="LANG", default="en", help="The language of the book.")
@game_options
def docs_command(
    name: str,
    form: str,
    paper: str | None,
    output: str | None,
    language: str,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Write the rulebook of a variant, made from its rules, data and texts.

    PDF needs typst: pip install 'rulewright[pdf]'.
    """
    wish = Wish(name, mods, switches, profile, players, language)
    source = source_of(wish)
    part = "" if paper is None else f"-{paper}"
    content = _book(source, form) if paper is None else _sheets(source, form, paper)
    _deliver(content, output or f"{source.merged.variant}{part}.{form}")


def _book(source: Source, form: str) -> bytes:
    book = make_book(source)
    if form == "pdf":
        return bytes(_pdf_writer().write_pdf(book))
    return (write_html(book) if form == "html" else write_markdown(book)).encode()


def _sheets(source: Source, form: str, paper: str) -> bytes:
    if form == "md":
        raise click.UsageError("Sheets to print are drawn: `--format html` and `pdf` have them.")
    sheets = make_sheets(source, paper)
    if not sheets:
        raise click.UsageError(f"{source.merged.title} has neither cards nor a board to print.")
    if form == "pdf":
        return bytes(_pdf_writer().write_sheets_pdf(sheets, source.merged.title))
    return write_sheets(sheets, source.merged.title, source.merged.language, paper).encode()


def _pdf_writer() -> ModuleType:
    """What writes PDF; a book as a page does without."""
    try:
        from interpreter.book import pdf
    except ModuleNotFoundError as error:
        if error.name != "typst":
            raise
        reason = "typst is not installed; it comes with `pip install 'rulewright[pdf]'`."
        raise click.UsageError(reason) from None
    return pdf


def _deliver(content: bytes, place: str) -> None:
    if place == "-":
        sys.stdout.buffer.write(content)
        return
    with written_aside(place) as file:
        file.buffer.write(content)
    click.echo(f"Wrote {place}.")


def source_of(wish: Wish) -> Source:
    """What the book is made of; else the process ends with the findings."""
    bag = Bag()
    library = library_of(wish)
    checked = check(library, wish, bag, scenarios=False, is_for_play=True)
    stop_on_errors(bag)
    merged = checked.merged
    assert merged is not None
    players = next(iter(checked.programs))
    return Source(
        merged, _by_players(checked, players), players, tuple(_mods(library, wish, merged.variant))
    )


def _by_players(checked: Checked, usual: int) -> dict[int, core.Program]:
    """The program for every number of players, or for some where there are many."""
    merged = checked.merged
    assert merged is not None
    counts = list(range(merged.min_players, merged.max_players + 1))
    if checked.wish.players is not None:
        counts = [usual]
    elif len(counts) > MOST_COUNTS:
        counts = sorted({counts[0], usual, counts[-1]})
    together, found = Together(), dict[int, core.Program]()
    for count in counts:
        bag = Bag()
        program = checked.programs.get(count) or check_program(
            merged, count, bag, scenarios=False, together=together
        )
        stop_on_errors(bag)
        assert program is not None
        found[count] = program
    return found


def _mods(library: Library, wish: Wish, variant: str) -> list[Mod]:
    """The mods that can be laid over the variant."""
    found = [each for each in summaries(library) if each.is_mod]
    laid = {mod.rpartition("/")[2] for mod in wish.mods}
    return [
        Mod(each.name, each.title, each.description)
        for each in found
        if each.name in laid or variant in overlay_of(library, each.name).variants
    ]
