"""The report for people: tables in the terminal, remarks before the end, speed last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from interpreter.playtest.grids import heading, make_grid
from interpreter.playtest.remarks import percent, verdict
from interpreter.playtest.report import Report, Setting, Turns
from interpreter.playtest.standings import Standings
from interpreter.playtest.stats import Lasting, Spread
from interpreter.playtest.tables import MONEY, Column, Table

MOST_ROWS = 14
TOP_ROWS, BOTTOM_ROWS = 8, 4
BAR_WIDTH = 30
MOST_COLUMNS = 6


def show(
    report: Report,
    remarks: Sequence[str],
    console: Console,
    *,
    texts: Mapping[str, str],
    full: bool = False,
) -> None:
    """Prints a report. `texts`: those of the variant, for its money; `full`: all rows of tables."""
    _show_setting(report, console)
    if report.games:
        _show_ends(report, console)
        _show_winners(report, console)
        _show_lengths(report, console)
        for table in report.tables:
            _show_table(table, console, texts, full=full)
    show_remarks(remarks, console)
    _show_speed(report, console)


# ---------------------------------------------------------------- what was played, how it ended


def _show_setting(report: Report, console: Console) -> None:
    setting = report.setting
    console.print(Text(f"{setting.title}: a playtest", style="bold"))
    games = f"{report.games:,} games"
    if report.games < setting.asked:
        games += f" of {setting.asked:,} ({report.cut or 'interrupted'})"
    lines = [("games", f"{games}, {setting.players} players, seed {setting.seed}")]
    lines.append(
        ("rules", f"{setting.variant}, {setting.rules[:12]}, Rulewright {setting.version}")
    )
    if setting.profile:
        lines.append(("profile", setting.profile))
    lines.append(("mods", ", ".join(setting.mods) or "none"))
    lines.append(("switches", _assignments(setting.chosen) or "as they are"))
    lines.append(("bots", ", ".join(setting.bots) + _seating(setting)))
    if setting.searching:
        who = " and ".join(setting.searching)
        lines.append(("engine", f"Python: {who} can't play on the native one"))
    for name, value in lines:
        console.print(Text(f"  {name:<9} {value}"), soft_wrap=True)


def _seating(setting: Setting) -> str:
    """How they sit, in words."""
    bots = len(setting.bots)
    if len(set(setting.bots)) < 2:
        return ""
    if bots > setting.players:
        return f", {setting.players} of them in each game by turns, in all orders"
    more = ", the further seats by turns" if setting.players % bots else ""
    return f", in all orders from game to game{more}"


def _assignments(pairs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}={value}" for name, value in pairs)


def _show_ends(report: Report, console: Console) -> None:
    heading(console, "How the games ended")
    grid = make_grid("reason", "games", "share")
    for end in report.ends:
        grid.add_row(escape(end.reason), f"{end.games:,}", percent(end.share))
    grid.add_row("all that were started", f"{report.games:,}", "", style="dim")
    console.print(grid)


# ---------------------------------------------------------------- who won


def _show_winners(report: Report, console: Console) -> None:
    won, led = report.won, report.led
    if won.games == 0:
        return
    note = f"{won.games:,} games that ended by a rule"
    if won.shared:
        note += f"; {won.shared:,} with several winners, who share the win"
    heading(console, f"Who won ({note})")
    for what, many, standings, leading in (
        ("place in the order of play", "places", won.by_place, led.by_place if led else None),
        ("seat", "seats", won.by_seat, led.by_seat if led else None),
        ("bot", "bots", won.by_bot, led.by_bot if led else None),
    ):
        if standings is not None and not (what == "seat" and won.is_by_seat):
            console.print(_standings(what, standings, leading))
            console.print(Text(f"  {verdict(standings.test, what, many)}"), soft_wrap=True)
    if led is not None:
        games = "1 game that was" if led.games == 1 else f"the {led.games:,} games that were"
        console.print(Text(f"  Led: who was ahead when {games} cut off at the limit."))


def _standings(what: str, standings: Standings, leading: Standings | None) -> Grid:
    has_scores = any(row.score is not None for row in standings.rows)
    headings = [what, "wins", "share", "95 % interval", "fair"]
    headings += ["led"] if leading is not None else []
    grid = make_grid(*headings, *(["score"] if has_scores else []))
    for number, row in enumerate(standings.rows):
        share = row.share
        cells = [
            escape(row.name),
            _broken(share.wins),
            percent(share.share),
            f"{percent(share.low)} to {percent(share.high)}",
            percent(share.fair),
        ]
        if leading is not None:
            cells.append(_broken(leading.rows[number].share.wins))
        if has_scores:
            cells.append("" if row.score is None else f"{row.score:,.1f}")
        grid.add_row(*cells)
    return grid


def _broken(wins: float) -> str:
    """A number of wins, with a digit where some are shared."""
    whole = round(wins)
    return f"{whole:,}" if abs(wins - whole) < 1e-6 else f"{wins:,.1f}"


# ---------------------------------------------------------------- how long


def _show_lengths(report: Report, console: Console) -> None:
    heading(console, "How long the games were")
    grid = make_grid(
        "", "mean", "95 % interval", "least", "5 %", "25 %", "median", "75 %", "95 %", "most"
    )
    turns, decisions = report.turns, report.decisions
    if turns is not None:
        lasting = turns.lasting
        interval = f"{lasting.low:,.1f} to {lasting.high:,.1f}"
        grid.add_row("turns", f"{lasting.mean:,.1f}", interval, *_reached(lasting))
    if decisions is not None:
        grid.add_row("decisions", f"{decisions.mean:,.1f}", "", *_reached(decisions))
    console.print(grid)
    if turns is None:
        return
    if turns.lasting.cut:
        console.print(Text(f"  {_cut_words(turns.lasting)}"), soft_wrap=True)
    console.print(_bars(turns))


def _reached(spread: Lasting | Spread) -> list[str]:
    most = spread.longest if isinstance(spread, Lasting) else spread.most
    quantiles = (spread.p5, spread.p25, spread.median, spread.p75, spread.p95)
    numbers = (f"over {most:,}" if each is None else f"{each:,}" for each in quantiles)
    return [f"{spread.least:,}", *numbers, f"{most:,}"]


def _cut_words(lasting: Lasting) -> str:
    games = "1 game was" if lasting.cut == 1 else f"{lasting.cut:,} games were"
    return (
        f"{games} cut off and would have lasted longer: the mean is of the first "
        f"{lasting.longest:,} turns."
    )


def _bars(turns: Turns) -> Grid:
    grid = make_grid("turns", "games", "still going after", "")
    grid.columns[3].justify = "left"
    most = max(bar.count for bar in turns.bars)
    for bar in turns.bars:
        label = f"{bar.low:,}" if bar.low == bar.high else f"{bar.low:,} to {bar.high:,}"
        going = percent(turns.lasting.share_after(bar.high))
        grid.add_row(label, f"{bar.count:,}", going, "█" * round(BAR_WIDTH * bar.count / most))
    return grid


# ---------------------------------------------------------------- what the rules measured


def _show_table(table: Table, console: Console, texts: Mapping[str, str], *, full: bool) -> None:
    if not table.rows:
        return
    rows = list(table.rows)
    note = ""
    if not table.is_course:
        sorted_by = _sorting(table)
        if sorted_by is not None and len(rows) > 1:
            rows.sort(key=lambda row: -(row[1][sorted_by] or 0))
        if len(rows) > MOST_ROWS and not full:
            note = f" (first {TOP_ROWS} and last {BOTTOM_ROWS} of {len(rows)})"
            rows = [*rows[:TOP_ROWS], ("…", ()), *rows[-BOTTOM_ROWS:]]
    heading(console, table.title + note)
    for start in range(0, len(table.columns), MOST_COLUMNS):
        columns = table.columns[start : start + MOST_COLUMNS]
        grid = make_grid("", *(_title(column) for column in columns))
        for label, values in rows:
            shown = values[start : start + MOST_COLUMNS]
            cells = [
                _value(value, column, texts) for value, column in zip(shown, columns, strict=False)
            ]
            grid.add_row(escape(label), *cells)
        console.print(grid)


def _sorting(table: Table) -> int | None:
    """The column by which rows are sorted: a ratio if there is one, else the first."""
    if table.title == "Totals":
        return None
    ratios = [n for n, column in enumerate(table.columns) if column.form == "ratio"]
    return ratios[0] if ratios else 0


def _title(column: Column) -> str:
    how = {"per_game": "per game", "each": "mean", "ratio": ""}
    return ", ".join(text for text in (column.title, how[column.form]) if text)


def _value(value: float | None, column: Column, texts: Mapping[str, str]) -> str:
    if value is None:
        return "-"
    if column.form == "ratio":
        return f"{100 * value:,.0f} %"
    if column.unit == MONEY:
        symbol = texts.get("currency.symbol", "")
        number = f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"
        is_before = texts.get("currency.position", "before") == "before"
        return f"{symbol}{number}" if is_before else f"{number} {symbol}".rstrip()
    return f"{value:,.1f}" if value >= 100 else f"{value:,.2f}"


# ---------------------------------------------------------------- at the end


def show_remarks(remarks: Sequence[str], console: Console) -> None:
    show_lines("What to look at", remarks or ["Nothing odd was found."], console)


def show_lines(title: str, lines: Sequence[str], console: Console) -> None:
    """Prints lines of text under a heading."""
    heading(console, title)
    for line in lines:
        console.print(Text(f"  - {line}"), soft_wrap=True)


def _show_speed(report: Report, console: Console) -> None:
    speed = report.speed
    workers = "1 worker" if speed.workers == 1 else f"{speed.workers} workers"
    console.print()
    console.print(
        Text(
            f"{report.games:,} games in {speed.seconds:.2f} s: {speed.games_per_second:,.0f} games "
            f"and {speed.decisions_per_second:,.0f} decisions a second ({speed.engine} engine, "
            f"{workers})",
            style="dim",
        ),
        soft_wrap=True,
    )
