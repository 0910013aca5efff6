"""The numbers of the random generators, which both printers and the seeding share."""

from __future__ import annotations

MASK64 = 0xFFFFFFFFFFFFFFFF

# A stream: s = s * STREAM_FACTOR + STREAM_ADD (mod 2**64); a draw takes the high 32 bits.
STREAM_FACTOR = 6364136223846793005
STREAM_ADD = 1442695040888963407

# splitmix64 (Steele, Lea and Flood, 2014)
GOLDEN = 0x9E3779B97F4A7C15
MIX_ONE = 0xBF58476D1CE4E5B9
MIX_TWO = 0x94D049BB133111EB

# Seeds are outputs of splitmix64 for words counted from the game's seed: a stream is as far from it
# as the key of its name says (`interpreter.flat.keys`), the key of seat k is output number
# BOT_KEY_PLACE + k.
BOT_KEY_PLACE = 1 << 16
