"""How a game or a batch of phases ends: the codes that every engine gives."""

from __future__ import annotations

PHASE_LIMIT = 0
"""It has had as many phases as it may."""

GAME_OVER = 1
FAULT = 2
"""The rules came to a point where they cannot go on; the scalar `fault` says which."""

LOST_EXIT = 3
"""A code that nobody has caught: 3 or more from `run_phase`. A bug of the compiler."""

BROKEN = -1
"""A condition that must always hold does not; the scalar `fault` has its number."""

CRASHED = -2
"""The engine itself could not go on. A bug of ours."""
