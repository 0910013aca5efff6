"""Saving a game, and taking a saved one up again by replaying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.session.compile import CompiledGame
from interpreter.session.decision import BOT, PERSON, Seat
from interpreter.session.driver import Driver
from interpreter.session.records import Saved, SaveError, from_text, state_digest, to_text
from interpreter.session.tape import Need, ReplayMismatch

OTHER_VERSION = (
    "This game was saved with another version of Rulewright, which plays these rules differently: "
    "it can't be taken up at the same place."
)


def save_game(driver: Driver) -> str:
    """The text of a saved game."""
    program = driver.compiled.program
    saved = Saved(
        variant=program.variant,
        title=program.title,
        mods=list(program.mods),
        switches=dict(program.switches),
        meaning=driver.compiled.meaning,
        players=program.players,
        seed=driver.seed,
        game=driver.game,
        seats=list(driver.player_names()),
        phases=[record.log for record in driver.past],
        log=driver.log,
        envelopes=list(driver.envelopes.values()),
        state=state_digest(driver.before),
        is_over=driver.end is not None,
    )
    return to_text(saved, list(driver.flat.sites))


def load_game(
    compiled: CompiledGame, text: str, bots: Mapping[str, Seat], *, by_phase: bool = False
) -> Driver:
    """A saved game at the place where it was saved; raises SaveError."""
    saved = from_text(text)
    _check_rules(compiled, saved)
    _check_seats(saved)
    seats: list[Seat] = [PERSON if seat == BOT else seat for seat in saved.seats]
    try:
        driver = Driver(
            compiled, seats, saved.seed, saved.game, is_log_trusted=False, by_phase=by_phase
        )
    except ValueError as error:
        raise SaveError(f"This saved game does not fit the rules: {error}") from None
    for seat, player in bots.items():
        driver.players[driver.seat_number(seat)] = driver.player(player)
    try:
        _replay(driver, saved)
    except (Need, ReplayMismatch, IndexError, KeyError, ValueError) as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(OTHER_VERSION) from error
    return driver


def _replay(driver: Driver, saved: Saved) -> None:
    for log in saved.phases:
        if driver.end is not None:
            raise SaveError(OTHER_VERSION)
        length = len(log)
        driver.log = log
        driver.run_phase()
        if len(log) != length:
            raise SaveError(OTHER_VERSION)
    if state_digest(driver.before) != saved.state or (driver.end is not None) != saved.is_over:
        raise SaveError(OTHER_VERSION)
    driver.log = saved.log
    driver.envelopes = {entry.seat: entry for entry in saved.envelopes}
    driver.recall_policies()
    driver.run()
    is_secret = any(asked.site.form == "gather" for asked in driver.asked)
    if saved.envelopes and not is_secret and not driver.is_stepped:
        raise SaveError(OTHER_VERSION)


def _check_rules(compiled: CompiledGame, saved: Saved) -> None:
    program = compiled.program
    if saved.meaning == compiled.meaning:
        if saved.players != program.players:
            raise SaveError("This saved game is incomplete or damaged.")
        return
    if saved.variant != program.variant:
        raise SaveError(f"This is a saved game of {saved.title}, not of {program.title}.")
    if saved.players != program.players:
        raise SaveError(f"This game is for {saved.players} players, not {program.players}.")
    if set(saved.mods) != set(program.mods):
        raise SaveError(
            f"This game was saved {_with(saved.mods)}; these rules are {_with(program.mods)}."
        )
    known = dict(program.switches)
    changed = [
        f"{name} was {value}"
        for name, value in saved.switches.items()
        if known.get(name, value) != value
    ]
    if changed:
        raise SaveError(f"This game was saved with other switches: {', '.join(changed)}.")
    raise SaveError(
        f"This game was saved with other rules or data of {program.title} (rules "
        f"{saved.meaning[:12]}, now {compiled.meaning[:12]}): they have been changed since."
    )


def _check_seats(saved: Saved) -> None:
    """An entry of a seat that there is not would be taken for that of another one."""
    entries = [entry for log in (*saved.phases, saved.log, saved.envelopes) for entry in log]
    if any(not 0 <= entry.seat < saved.players for entry in entries):
        raise SaveError("This saved game is incomplete or damaged.")


def _with(mods: Sequence[str]) -> str:
    return f"with {', '.join(mods)}" if mods else "without mods"
