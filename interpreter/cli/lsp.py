"""`rulewright lsp`."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path

import click

from dsl.diagnostics import Bag, Diagnostic
from dsl.project.files import open_text, open_texts
from interpreter.cli.check import check_one
from interpreter.cli.checking import targets
from interpreter.cli.options import Wish, version


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout; nothing else is spoken.")
def lsp_command(stdio: bool) -> None:
    """Be the language server of an editor, over stdin and stdout.

    It needs pygls: pip install 'rulewright[lsp]'.
    """
    try:
        from interpreter.lsp.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        reason = "pygls is not installed; it comes with `pip install 'rulewright[lsp]'`."
        raise click.UsageError(reason) from None
    processes = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    make_server(version(), whole_check, processes).start_io()
    for child in active_children():  # whoever checks for nobody any more
        child.terminate()
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (the server closes it)


def whole_check(folder: str, texts: dict[str, str]) -> list[Diagnostic]:
    """All that `rulewright check` says of a folder, with texts as they are in an editor."""
    for path in open_texts():
        open_text(Path(path), None)
    for path, text in texts.items():
        open_text(Path(path), text)
    bag = Bag()
    try:
        for target in targets((folder,)):
            check_one(target, Wish(target.name), bag)
    except click.ClickException:
        return []  # it is for no variant, say: nothing in a text is wrong with that
    return bag.sorted()
