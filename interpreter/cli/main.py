"""The entry point: the list of commands, each loaded when it is run, and the last safety net."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

COMMANDS = {
    "check": ("check", "Find the mistakes in variants and mods."),
    "test": ("test", "Run the worked examples (scenarios) of variants and mods."),
    "play": ("play", "Play a game in the terminal, alone or with others, against bots."),
    "playtest": ("playtest", "Play many games among bots and report on balance."),
    "list": ("look", "List the variants and mods that can be named."),
    "words": ("describe", "List what a variant offers to hook, except, forbid or replace."),
    "texts": ("texts", "Print all texts by their keys, as a start for a translation."),
    "explain": ("look", "Explain a code of a message, such as RW0301."),
    "explain-order": ("describe", "Show in which order rules run when something happens."),
    "schema": ("describe", "Print the JSON Schema of a variant's data, for editors."),
    "compile": ("compile", "Print what a variant is compiled to."),
}
"""By name: the module of this package, where the command is a function, and its line of help."""

CRASH, INTERRUPTED = 3, 130


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
    epilog="`rulewright COMMAND --help` tells more about a command.",
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
    """Runs a command line; its exit code: 0 good, 1 findings, 2 wrong usage, 3 a bug of ours."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        done = commands.main(args, prog_name="rulewright", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be written to it at exit either.
        sys.stdout = sys.stderr
        return 0
    except Exception as error:  # noqa: BLE001
        from interpreter.cli.crash import report_crash

        report_crash(error, list(sys.argv[1:] if args is None else args))
        return CRASH
    return done if isinstance(done, int) else 0


def main() -> None:
    """Runs the command line of this process."""
    sys.exit(run())
