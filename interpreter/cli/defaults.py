"""What the file of defaults beside a variant or mod says, where the command line does not."""

from __future__ import annotations

import click
from click.core import ParameterSource

from dsl.diagnostics.record import Bag
from dsl.project.chain import all_profiles
from dsl.project.defaults import Defaults, read_defaults
from dsl.project.find import Folder, Library, folder_at, is_path, typed_path
from interpreter.cli.games import stop_on_errors


def named_folder(name: str, library: Library) -> Folder | None:
    """The folder of what a word names, if it names a variant, a profile or a mod."""
    if not is_path(name):
        known = library.variants().get(name) or library.mods().get(name)
        owners = [known] if known is not None else all_profiles(library).get(name)
        if owners:
            return owners[0]
    return folder_at(typed_path(name))


def defaults_of(name: str, library: Library) -> Defaults:
    """The defaults for what a word names; the process ends if there are mistakes in the file."""
    folder = named_folder(name, library)
    if folder is None:
        return Defaults()
    bag = Bag()
    defaults = read_defaults(folder, bag)
    stop_on_errors(bag)
    return defaults


def is_given(option: str) -> bool:
    """Whether the command line itself says something about an option of this command."""
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE
