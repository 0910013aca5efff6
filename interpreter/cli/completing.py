"""What may stand in the place of an argument, for shells that complete command lines."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from dsl.diagnostics.registry import codes, title
from dsl.project.find import Library, is_path
from dsl.project.summary import Summary, summaries
from interpreter.bundled import variants_dir


def complete_names(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Variants and mods; files, once a path is begun."""
    return _named(_known(), typed)


def complete_variants(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Variants; files, once a path is begun."""
    return _named([each for each in _known() if not each.is_mod], typed)


def complete_mods(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Mods, the last of a list with commas."""
    before, comma, last = typed.rpartition(",")
    mods = [each for each in _known() if each.is_mod]
    return [
        CompletionItem(f"{before}{comma}{each.value}", help=each.help)
        for each in _items(((mod.name, mod.title) for mod in mods), last)
    ]


def complete_commands(
    context: click.Context, _: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Commands of the program."""
    group = context.find_root().command
    names = group.list_commands(context) if isinstance(group, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(typed)]


def complete_codes(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Codes of messages."""
    return _items(((code, title(code)) for code in codes()), typed.upper())


def _known() -> list[Summary]:
    return summaries(Library([variants_dir()]))


def _named(known: Iterable[Summary], typed: str) -> list[CompletionItem]:
    if typed and is_path(typed):
        return [CompletionItem(typed, type="file")]
    return _items(((each.name, each.title) for each in known), typed)


def _items(pairs: Iterable[tuple[str, str]], typed: str) -> list[CompletionItem]:
    return [CompletionItem(word, help=help_) for word, help_ in pairs if word.startswith(typed)]
