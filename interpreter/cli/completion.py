"""`rulewright completion`: the scripts that let shells complete command lines.

click knows bash, zsh and fish; PowerShell is added here. Imported only when a script is wanted, or
when a shell asks what may stand somewhere.
"""

from __future__ import annotations

import os

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
)

VARIABLE = "_RULEWRIGHT_COMPLETE"
"""How a shell tells the program that it asks; click derives it from the name of the program."""

SHELLS = ("bash", "zsh", "fish", "powershell")

_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $position)
    $env:%(complete_var)s = "powershell_complete"
    $env:COMP_WORDS = $line.ToString().PadRight($position).Substring(0, $position)
    $env:COMP_CWORD = $word
    try {
        & %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_ -split "`t", 3
            if ($kind -eq "plain") {
                $shown = if ($help) { $help } else { $value }
                [System.Management.Automation.CompletionResult]::new(
                    $value, $value, "ParameterValue", $shown)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename($value)
            }
        }
    } finally {
        $env:%(complete_var)s = $env:COMP_WORDS = $env:COMP_CWORD = $null
    }
}
"""


@add_completion_class
class PowerShellComplete(ShellComplete):
    """Completion for PowerShell, Windows PowerShell too."""

    name = "powershell"
    source_template = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is being typed, and this one."""
        from click.shell_completion import split_arg_string

        words = split_arg_string(os.environ.get("COMP_WORDS", ""))
        typed = os.environ.get("COMP_CWORD", "")
        args = words[1:]
        return (args[:-1] if typed and args and args[-1] == typed else args), typed

    def format_completion(self, item: CompletionItem) -> str:
        """A line for the script: what it is, the word, and what is said of it."""
        said = " ".join((item.help or "").split())
        return f"{item.type}\t{item.value}\t{said}"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print the script with which a shell completes command lines of Rulewright.

    bash: eval "$(rulewright completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc;
    fish: rulewright completion fish > ~/.config/fish/completions/rulewright.fish; PowerShell:
    rulewright completion powershell | Out-String | Invoke-Expression in $PROFILE.
    """
    found = get_completion_class(shell)
    if found is None:
        raise AssertionError(f"nothing completes for {shell}")
    command = click.get_current_context().find_root().command
    click.echo(found(command, {}, "rulewright", VARIABLE).source())
