"""`rulewright fmt`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from dsl.data.formatter import format_data
from dsl.diagnostics.frame import render_text
from dsl.diagnostics.record import Bag
from dsl.project.files import read_text
from dsl.project.find import folder_at, is_directory, is_file, listed, shown, typed_path
from dsl.source import Source
from dsl.syntax.formatter import format_text
from interpreter.cli.codes import FINDINGS
from interpreter.cli.files import write_named
from interpreter.cli.games import exit_code, has_color
from interpreter.cli.options import quiet_option
from interpreter.cli.telling import tell

RULES = ".rules"
DATA = (".yaml", ".yml")


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@quiet_option
@click.option("--check", "is_check", is_flag=True, help="Change nothing; name the files in need.")
def fmt_command(paths: tuple[str, ...], is_check: bool, quiet: bool) -> None:
    """Write rules and data in the one style: files, or all in a folder; without a path those in
    this folder. `-` reads rules from stdin and writes them to stdout.

    What they mean stays the same, and so do all comments. A file with mistakes is left as it is.
    Ends with 1 if there is such a file, or one that --check would have changed.
    """
    if "-" in paths:
        if len(paths) > 1 or is_check:
            raise click.UsageError("`-` stands alone.")
        _format_stdin()
        return
    bag = Bag()
    changed: list[str] = []
    count = 0
    for path in _files(paths or (".",)):
        count += 1
        source = read_text(path, shown(path), bag)
        text = None if source is None else formatted(source, bag)
        if source is None or text is None or text.encode() == path.read_bytes():
            continue
        changed.append(source.name)
        if not is_check:
            write_named(str(path), text)
    tell(render_text(bag.sorted(), color=has_color()), nl=False)
    if not quiet:
        _tell(changed, count, is_check=is_check)
    if is_check and changed:
        raise click.exceptions.Exit(FINDINGS)
    raise click.exceptions.Exit(exit_code(bag.sorted()))


def formatted(source: Source, bag: Bag) -> str | None:
    """The text of a file in the style of its kind; None after a mistake, which is in the bag."""
    return (format_text if source.name.endswith(RULES) else format_data)(source, bag)


def _format_stdin() -> None:
    bag = Bag()
    text = format_text(Source("stdin", sys.stdin.read()), bag)
    if text is not None:
        tell(text, nl=False)
        return
    tell(render_text(bag.sorted(), color=has_color()), err=True, nl=False)
    raise click.exceptions.Exit(FINDINGS)


def _tell(changed: Sequence[str], count: int, *, is_check: bool) -> None:
    for name in changed:
        tell(f"{'would change' if is_check else 'changed'}: {name}")
    files = "1 file" if count == 1 else f"{count} files"
    told = f"{len(changed) or 'none'} {'would be changed' if is_check else 'changed'}"
    tell(f"{files}, {told}")


def _files(words: Sequence[str]) -> Iterator[Path]:
    """The files that are named or lie in the folders that are named, each once.

    Raises click.UsageError for a word that names nothing that can be formatted.
    """
    found: dict[Path, Path] = {}
    for word in words:
        path = typed_path(word)
        if is_directory(path):
            inside = list(_inside(path, folder_at(path) is not None))
        elif is_file(path) and path.suffix in (RULES, *DATA):
            inside = [path]
        else:
            reason = "is no rules or data file" if is_file(path) else "is not there"
            raise click.UsageError(f"`{word}` {reason}.")
        for each in inside:
            found.setdefault(each.absolute(), each)
    yield from found.values()


def _inside(path: Path, is_ours: bool) -> Iterator[Path]:
    """The rules files in a folder; and the data files, where they belong to a variant or mod."""
    for child in listed(path):
        if is_directory(child):
            if not child.is_symlink():
                yield from _inside(child, is_ours or folder_at(child) is not None)
        elif child.suffix == RULES or (is_ours and child.suffix in DATA):
            yield child
