"""`rulewright play`."""

from __future__ import annotations

import shutil
from itertools import islice

import click

from interpreter.cli.completing import complete_variants
from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.files import read_named
from interpreter.cli.games import compiled_game, has_color, the_library
from interpreter.cli.options import Wish, game_options, listed
from interpreter.cli.playing import Playing
from interpreter.cli.screen import STEP, Pace, Screen
from interpreter.cli.seats import ME, seated
from interpreter.cli.watching import Watching
from interpreter.engine.seeding import MOST_GAMES, MOST_SEED
from interpreter.session.game import Game
from interpreter.session.records import SaveError, from_text
from interpreter.table.describe import Describer

WIDTHS = (60, 160)
MOST_SECONDS = 60


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_variants)
@click.option(
    "--seats",
    metavar="WHO,...",
    help="Who plays each seat: `me`, a strategy of the variant, `random`, or a bot that searches, "
    "such as `ismcts:200`. [default: me, then the strategies]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=None,
    metavar="N",
    help="The seed. [default: by chance]",
)
@click.option(
    "--game",
    type=click.IntRange(0, MOST_GAMES - 1),
    default=0,
    metavar="K",
    help="The game of that number in a playtest with this seed.",
)
@click.option("--load", "load_file", metavar="FILE", help="Go on with a saved game.")
@click.option(
    "--watch",
    metavar="SECONDS|step",
    help="How fast what bots do is shown: a turn in so many seconds, or `step`: when you press "
    "Enter. [default: at once]",
)
@click.option("--ids", is_flag=True, help="Show the ids and places that scenarios and rules need.")
@click.option("--plain", is_flag=True, help="Plain lines, without boxes and colours.")
@click.option("--language", default="en", metavar="LANG", help="The language of names and texts.")
@game_options
def play_command(
    name: str,
    seats: str | None,
    seed: int | None,
    game: int,
    load_file: str | None,
    watch: str | None,
    ids: bool,
    plain: bool,
    language: str,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Play a game in the terminal. Type `help` in the game to see what can be typed."""
    defaults = defaults_of(name, the_library())
    wanted = listed(seats) if seats is not None else [ME, *defaults.bots] if defaults.bots else None
    saved = None if load_file is None else _read_saved(load_file)
    if players is None and saved is not None:
        players = from_text(saved).players
    elif players is None and seats is None and defaults.players is not None:
        players = defaults.players
    elif players is None and wanted is not None and len(wanted) > 1:
        players = len(wanted)
    laid = mods if is_given("mods") else defaults.mods
    compiled = compiled_game(Wish(name, laid, switches, profile, players, language))
    who = seated(compiled, wanted)
    bots = {seat: player for seat, player in who.items() if callable(player)}
    if saved is not None:
        said = dict(islice(who.items(), len(wanted or ())))
        try:
            opened = Game.load(compiled, saved, said, by_phase=True)
        except SaveError as error:
            raise click.UsageError(f"`{load_file}` can't be loaded: {error}") from None
    else:
        seed = _chance_seed() if seed is None else seed
        opened = Game(compiled, list(who.values()), seed=seed, game=game, by_phase=True)
    describer = Describer(compiled.facts)
    width = max(WIDTHS[0], min(WIDTHS[1], shutil.get_terminal_size().columns))
    is_drawn = not plain and has_color()
    screen = Screen(describer, width, is_drawn=is_drawn, pace=_pace(watch))
    if saved is None:
        key = "play.seed_game" if game else "play.seed"
        title = compiled.program.title
        screen.say(describer.values.word(key, title=title, seed=str(seed), game=str(game)))
    playing = Playing(compiled, opened, screen, bots, shows_ids=ids)
    if opened.people:
        playing.run()
    elif Watching(opened, screen).run():
        playing.tell_end()


def _pace(watch: str | None) -> Pace:
    """How fast it is watched."""
    if watch is None:
        return Pace()
    if watch == STEP:
        return Pace(is_stepped=True)
    try:
        seconds = float(watch)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= MOST_SECONDS:
        raise click.UsageError(f"--watch takes seconds up to {MOST_SECONDS}, or `{STEP}`")
    return Pace(seconds)


def _read_saved(name: str) -> str:
    """The text of a saved game that is not damaged."""
    try:
        text = read_named(name)
        from_text(text)
    except (SaveError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"`{name}` can't be loaded: {reason}") from None
    return text


def _chance_seed() -> int:
    import secrets

    return secrets.randbelow(1_000_000)
