"""The list of commands, each loaded when it is run, and the last safety net."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from interpreter.cli.codes import CRASH, INTERRUPTED, REFUSED
from interpreter.cli.telling import write_no_more

COMMANDS = {
    "check": ("check", "Find the mistakes in variants and mods."),
    "test": ("test", "Run the worked examples (scenarios) of variants and mods."),
    "play": ("play", "Play a game in the terminal, alone or with others, against bots."),
    "playtest": ("playtest", "Play many games among bots and report on balance."),
    "watch": ("watch", "Check, test and play again on every save, and say what is different."),
    "new": ("new", "Make a small complete variant or mod, to be changed from there."),
    "compare": ("compare", "Play two versions with the same luck and tell what differs."),
    "sweep": ("sweep", "Show how figures follow a switch or a number of the data."),
    "seek": ("seek", "Find the value of a switch at which a figure reaches a goal."),
    "worth": ("worth", "Tell what each thing does for a game, by taking it out."),
    "history": ("history", "List what playtests have said of a variant over time."),
    "list": ("look", "List the variants and mods that can be named."),
    "words": ("describe", "List what a variant offers to hook, except, forbid or replace."),
    "texts": ("texts", "Print all texts by their keys, as a start for a translation."),
    "docs": ("docs", "Write the rulebook of a variant, to read or to print."),
    "fmt": ("fmt", "Write rules and data in the one style."),
    "explain": ("look", "Explain a code of a message, such as RW0301."),
    "explain-order": ("describe", "Show in which order rules run when something happens."),
    "schema": ("describe", "Print the JSON Schema of a variant's data, for editors."),
    "compile": ("compile", "Print what a variant is compiled to."),
    "lsp": ("lsp", "Be the language server of an editor."),
    "completion": ("completion", "Print the script with which a shell completes command lines."),
    "help": ("look", "Tell more about a command."),
}
"""By name: the module of this package, where the command is a function, and its line of help."""


class _ReaderGone(Exception):
    """Whoever reads our output reads no more; click would call that a failure."""


class Commands(click.Group):
    """The group of all commands; their modules are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order in which help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module, short = COMMANDS[cmd_name]
        loaded = import_module(f"interpreter.cli.{module}")
        gc.freeze()  # what is loaded stays: to look through it for garbage takes 20 ms in each run
        command: click.Command = getattr(loaded, f"{cmd_name.replace('-', '_')}_command")
        command.short_help = short
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, with the command that was probably meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from dsl.diagnostics.suggest import did_you_mean

            help_line = did_you_mean(args[0], COMMANDS) or f"there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"There is no command `{args[0]}`; {help_line}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command."""
        try:
            _warn_of_cache()
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGone from error

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Reads the command line; help is printed meanwhile."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError as error:
            raise _ReaderGone from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, short) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from interpreter.cli.options import version

        click.echo(f"rulewright {version()}")
        ctx.exit()


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`rulewright help COMMAND` tells more about a command.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and stop.",
)
def commands() -> None:
    """Rulewright: rules for board games, checked, played and playtested."""


def run(args: Sequence[str] | None = None) -> int:
    """Runs a command line; its exit code: 0 good, 1 findings, 2 wrong usage or nowhere to write,
    3 a bug of ours."""
    _ready_streams()
    if "_RULEWRIGHT_COMPLETE" in os.environ:
        import interpreter.cli.completion  # noqa: F401 (a shell asks, perhaps PowerShell)
    try:
        done = commands.main(args, prog_name="rulewright", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        _say(error.show)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say(lambda: click.echo("Interrupted.", err=True))
        return INTERRUPTED
    except (BrokenPipeError, _ReaderGone):
        write_no_more(sys.stdout)  # whoever read our output has seen enough
        return 0
    except OSError as error:
        write_no_more(sys.stdout)
        what = f" `{error.filename}`" if error.filename else ""
        text = f"Error: The system can't read or write{what}: {error.strerror or error}."
        _say(lambda: click.echo(text, err=True))
        return REFUSED
    except MemoryError as error:
        write_no_more(sys.stdout)
        reason = f": {error}; `--engine python` needs less" if str(error) else ""
        text = f"Error: There is too little memory{reason}."
        _say(lambda: click.echo(text, err=True))
        return REFUSED
    except Exception as error:  # noqa: BLE001
        from interpreter.cli.crash import report_crash

        crash, given = error, list(sys.argv[1:] if args is None else args)
        _say(lambda: report_crash(crash, given))
        return CRASH
    return done if isinstance(done, int) else 0


def _warn_of_cache() -> None:
    """Says that nothing is kept, where others could put their own in the place of it."""
    from dsl.cache import distrusted_folder

    folder = distrusted_folder()
    if folder is not None:
        text = f"Nothing is kept in {folder}: others own it or can write to it (chmod go-w)."
        click.echo(text, err=True)


def _ready_streams() -> None:
    """Nothing breaks on a letter that can't be read or written, or on a stream that is closed."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _say(say: Callable[[], None]) -> None:
    """Says something on stderr, if that can be written to."""
    try:
        say()
        sys.stderr.flush()
    except OSError:
        write_no_more(sys.stderr)
