"""The look of tables and headings in reports for people."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text


def heading(console: Console, text: str) -> None:
    """Prints the heading of a part."""
    console.print()
    console.print(Text(text, style="bold"))


def make_grid(*headings: str) -> Grid:
    """An empty table: what the rows are about on the left, numbers to the right of it."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for number, title in enumerate(headings):
        grid.add_column(
            Text(title),
            justify="left" if number == 0 else "right",
            no_wrap=number > 0 and len(title) < 12,
            overflow="fold",
        )
    return grid
