"""What is written down of a game: its answers by phase, and the saved form of it all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.session.asked import Given
from interpreter.session.trace import TraceLine

FORMAT = 2

Policy = Literal["phase", "turn", "question", "change"]
"""For how long a player goes on passing at a window: to the end of this phase; until a phase of
his own begins; until he is asked something else; until what he could answer there changes. What
can newly be claimed is asked all the same."""

POLICIES: tuple[Policy, ...] = ("phase", "turn", "question", "change")

By = Literal["bot", "person", "policy"]
_BY: tuple[By, ...] = ("bot", "person", "policy")


class SaveError(ValueError):
    """A saved game that can't be taken up: damaged, of other rules, or of another version."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One answered question.

    `draws`: how many numbers the seat's bot drew for it. `by` a policy: a pass that a player had
    decided on before. `policy`: what the player decided on with this pass; `could`: what he could
    have answered, as text, for the policy `change`, else what he could have claimed. `secret`: the
    number of the secret question in
    its phase to which it belongs, from 1.
    """

    site: str
    seat: int
    given: Given
    draws: int = 0
    by: By = "bot"
    policy: Policy | None = None
    could: str = ""
    secret: int = 0


@dataclass(slots=True)
class PhaseRecord:
    """A phase that is over: the state before it, the answers in it, whose phase it was."""

    before: list[int]
    log: list[Entry]
    whose: int | None
    lines: list[TraceLine] | None = None  # once somebody has asked for them


@dataclass(slots=True)
class Saved:
    """A saved game, as it stands in the file."""

    variant: str
    title: str
    mods: list[str]
    switches: dict[str, str]
    meaning: str
    players: int
    seed: int
    game: int
    seats: list[str]
    phases: list[list[Entry]]
    log: list[Entry]
    envelopes: list[Entry]
    state: str
    is_over: bool
    format: int = field(default=FORMAT)


def state_digest(words: list[int]) -> str:
    """A short hash of a saved state."""
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:32]


# ---------------------------------------------------------------- to text


def to_text(saved: Saved, sites: list[str]) -> str:
    """The file of a saved game: JSON, with a hash over everything in it."""
    content: dict[str, Any] = {
        "rulewright": saved.format,
        "variant": saved.variant,
        "title": saved.title,
        "mods": saved.mods,
        "switches": saved.switches,
        "rules": saved.meaning,
        "players": saved.players,
        "seats": saved.seats,
        "seed": saved.seed,
        "game": saved.game,
        "over": saved.is_over,
        "sites": sites,
        "phases": [[_flat(entry, sites) for entry in log] for log in saved.phases],
        "log": [_flat(entry, sites) for entry in saved.log],
        "envelopes": [_flat(entry, sites) for entry in saved.envelopes],
        "state": saved.state,
    }
    content["check"] = _check(content)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{" + ",\n ".join(lines) + "}\n"


def _check(content: dict[str, Any]) -> str:
    plain = {key: value for key, value in content.items() if key != "check"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _flat(entry: Entry, sites: list[str]) -> list[Any]:
    flat: list[Any] = [
        sites.index(entry.site), entry.seat, entry.given.number, list(entry.given.picks),
        entry.draws, _BY.index(entry.by), entry.policy, entry.could, entry.secret,
    ]  # fmt: skip
    defaults: list[Any] = [None, None, None, [], 0, 0, None, "", 0]
    while flat[-1] == defaults[len(flat) - 1]:
        flat.pop()
    return flat


# ---------------------------------------------------------------- from text


def from_text(text: str) -> Saved:
    """A saved game from its file; raises SaveError where it is none, or damaged."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SaveError(f"This is not a saved game, or it is damaged: see {place}.") from None
    except (ValueError, RecursionError):
        raise SaveError("This is not a saved game, or it is damaged.") from None
    if not isinstance(content, dict) or "rulewright" not in content:
        raise SaveError("This is not a saved game of Rulewright.")
    if content["rulewright"] is True or content["rulewright"] != FORMAT:
        raise SaveError(
            f"This game was saved in format {content['rulewright']!r}; only format {FORMAT} can be "
            "read. Use the version of Rulewright it was saved with."
        )
    try:
        if content.get("check") != _check(content):
            raise SaveError("This saved game was damaged or changed after it was saved.")
        return _saved(content)
    except SaveError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        raise SaveError("This saved game is incomplete or damaged.") from None


def _saved(content: dict[str, Any]) -> Saved:
    sites = [_text(site) for site in content["sites"]]
    return Saved(
        _text(content["variant"]),
        _text(content["title"]),
        [_text(mod) for mod in content["mods"]],
        {_text(name): _text(value) for name, value in content["switches"].items()},
        _text(content["rules"]),
        _whole(content["players"]),
        _whole(content["seed"]),
        _whole(content["game"]),
        [_text(seat) for seat in content["seats"]],
        [[_entry(flat, sites) for flat in log] for log in content["phases"]],
        [_entry(flat, sites) for flat in content["log"]],
        [_entry(flat, sites) for flat in content["envelopes"]],
        _text(content["state"]),
        content["over"] is True,
    )


def _entry(flat: list[Any], sites: list[str]) -> Entry:
    site, seat, number, picks, draws, by, policy, could, secret = [*flat, *(None,) * 9][:9]
    given = Given(_whole(number), tuple(_whole(pick) for pick in picks or []))
    if policy is not None and policy not in POLICIES:
        raise ValueError(policy)
    return Entry(
        sites[_count(site)], _count(seat), given, _count(draws or 0), _BY[_count(by or 0)],
        policy, str(could or ""), _count(secret or 0),
    )  # fmt: skip


def _text(value: object) -> str:
    """A text that may be shown as it is."""
    if not isinstance(value, str) or not value.isprintable():
        raise TypeError(value)
    return value


def _count(value: object) -> int:
    if not 0 <= (number := _whole(value)) < 1 << 31:
        raise ValueError(value)
    return number


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value
