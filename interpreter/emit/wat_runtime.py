"""The fixed part of a WebAssembly module: rows, chance, digest, and the loop that plays games."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.emit.ends import BROKEN
from interpreter.emit.layout import BATCH_GAMES, Layout
from interpreter.emit.random_words import (
    BOT_KEY_PLACE,
    GOLDEN,
    MIX_ONE,
    MIX_TWO,
    STREAM_ADD,
    STREAM_FACTOR,
)
from interpreter.emit.state import FOLD_FACTOR, FOLD_START, Field, words_of
from interpreter.flat.ir.nodes import Program
from interpreter.flat.plan.keys import ITEM_BITS, key_of

WITH_DIGEST, WITH_CHECKS = 1, 2
"""Bits of the options of `play_games`."""

# A shuffle puts what it sorts by into a line of three cells for each thing, at once near the place
# where it belongs, and moves greater ones on.
_RUNTIME = f"""
(func $.enter (param $size i32) (result i32) (local $top i32)
  global.get $.stack local.get $size i32.add local.tee $top
  i32.const @stack_end i32.gt_u if unreachable end
  global.get $.stack local.get $top global.set $.stack)
(func $.floor_div (param $a i32) (param $b i32) (result i32) (local $q i32)
  local.get $a local.get $b i32.div_s local.tee $q
  local.get $a local.get $b i32.xor i32.const 0 i32.lt_s
  local.get $q local.get $b i32.mul local.get $a i32.ne i32.and i32.sub)
(func $.floor_mod (param $a i32) (param $b i32) (result i32) (local $r i32)
  local.get $a local.get $b i32.rem_s local.tee $r
  local.get $b i32.const 0
  local.get $r i32.const 0 i32.ne local.get $r local.get $b i32.xor i32.const 0 i32.lt_s i32.and
  select i32.add)
(func $.row_find (param $item i32) (param $row i32) (result i32) (local $n i32) (local $i i32)
  local.get $row i32.load local.set $n
  block $out loop $on
    local.get $i local.get $n i32.ge_s br_if $out
    local.get $row local.get $i i32.const 2 i32.shl i32.add i32.load offset=4
    local.get $item i32.eq if local.get $i return end
    local.get $i i32.const 1 i32.add local.set $i br $on
  end end
  i32.const -1)
(func $.row_push (param $row i32) (param $item i32) (param $cap i32) (local $n i32)
  local.get $row i32.load local.tee $n local.get $cap i32.ge_s if unreachable end
  local.get $row local.get $n i32.const 2 i32.shl i32.add local.get $item i32.store offset=4
  local.get $row local.get $n i32.const 1 i32.add i32.store)
(func $.row_insert (param $row i32) (param $at i32) (param $item i32) (param $cap i32)
  (local $n i32) (local $place i32)
  local.get $row i32.load local.tee $n local.get $cap i32.ge_s if unreachable end
  local.get $row i32.const 4 i32.add local.get $at i32.const 2 i32.shl i32.add local.tee $place
  i32.const 4 i32.add
  local.get $place
  local.get $n local.get $at i32.sub i32.const 2 i32.shl
  memory.copy
  local.get $place local.get $item i32.store
  local.get $row local.get $n i32.const 1 i32.add i32.store)
(func $.row_remove (param $item i32) (param $row i32)
  (local $at i32) (local $n i32) (local $place i32)
  local.get $item local.get $row call $.row_find local.tee $at i32.const 0 i32.lt_s if return end
  local.get $row i32.load i32.const 1 i32.sub local.set $n
  local.get $row i32.const 4 i32.add local.get $at i32.const 2 i32.shl i32.add local.tee $place
  local.get $place i32.const 4 i32.add
  local.get $n local.get $at i32.sub i32.const 2 i32.shl
  memory.copy
  local.get $row local.get $n i32.store)
(func $.row_shuffle (param $row i32) (param $stream i32) (param $keys i32)
  (local $n i32) (local $i i32) (local $line i32) (local $at i32)
  (local $word i64) (local $item i64) (local $other i64)
  local.get $stream call $.next i64.const -4294967296 i64.and
  local.get $stream call $.next i64.const 32 i64.shr_u i64.or local.set $word
  local.get $row i32.load local.tee $n i32.eqz if return end
  global.get $.stack i32.const 7 i32.add i32.const -8 i32.and local.tee $line
  local.get $n i32.const 24 i32.mul i32.add i32.const @stack_end i32.gt_u if unreachable end
  local.get $line i32.const 255 local.get $n i32.const 24 i32.mul memory.fill
  loop $on
    local.get $row local.get $i i32.const 2 i32.shl i32.add i64.load32_u offset=4 local.tee $item
    local.get $keys local.get $item i32.wrap_i64 i32.const 3 i32.shl i32.add i64.load
    local.get $word i64.add call $.mix i64.const {-1 << ITEM_BITS} i64.and i64.or local.tee $item
    local.get $n i32.const 1 i32.shl call $.scale i32.const 3 i32.shl local.get $line i32.add
    local.set $at
    block $placed loop $next
      local.get $at i64.load local.tee $other local.get $item i64.gt_u if
        local.get $at local.get $item i64.store
        local.get $other local.tee $item i64.const -1 i64.eq br_if $placed
      end
      local.get $at i32.const 8 i32.add local.set $at br $next
    end end
    local.get $i i32.const 1 i32.add local.tee $i local.get $n i32.lt_s br_if $on
  end
  i32.const 0 local.set $i
  loop $on
    local.get $line i64.load local.set $item
    local.get $line i32.const 8 i32.add local.set $line
    local.get $item i64.const -1 i64.eq br_if $on
    local.get $row local.get $i i32.const 2 i32.shl i32.add
    local.get $item i32.wrap_i64 i32.const {(1 << ITEM_BITS) - 1} i32.and i32.store offset=4
    local.get $i i32.const 1 i32.add local.tee $i local.get $n i32.lt_s br_if $on
  end)
(func $.next (param $stream i32) (result i64) (local $word i64)
  local.get $stream
  local.get $stream i64.load i64.const {STREAM_FACTOR} i64.mul i64.const {STREAM_ADD} i64.add
  local.tee $word i64.store
  local.get $word)
(func $.draw (param $stream i32) (param $n i32) (result i32)
  local.get $stream call $.next local.get $n call $.scale)
(func $.scale (param $word i64) (param $n i32) (result i32)
  local.get $word i64.const 32 i64.shr_u local.get $n i64.extend_i32_u i64.mul
  i64.const 32 i64.shr_u i32.wrap_i64)
(func $.mix (param $z i64) (result i64)
  local.get $z i64.const {GOLDEN:#x} i64.add local.tee $z
  local.get $z i64.const 30 i64.shr_u i64.xor i64.const {MIX_ONE:#x} i64.mul local.tee $z
  local.get $z i64.const 27 i64.shr_u i64.xor i64.const {MIX_TWO:#x} i64.mul local.tee $z
  local.get $z i64.const 31 i64.shr_u i64.xor)
(func $.nth_mix (param $seed i64) (param $place i32) (result i64)
  local.get $seed local.get $place i64.extend_i32_u i64.const {GOLDEN:#x} i64.mul i64.add
  call $.mix)
"""

_BOT_DRAW = """
(func $.bot_draw (param $seat i32) (param $n i32) (result i32) (local $at i32)
  local.get $seat i32.const 3 i32.shl i64.load offset=@keys
  local.get $seat i32.const 2 i32.shl local.tee $at i32.load offset=@count
  call $.nth_mix local.get $n call $.scale
  local.get $at local.get $at i32.load offset=@count i32.const 1 i32.add i32.store offset=@count)
"""

_FOLD = f"""
(func $.fold (param $h i64) (param $word i64) (result i64)
  local.get $h local.get $word i64.xor i64.const {FOLD_FACTOR:#x} i64.mul local.tee $h
  local.get $h i64.const 32 i64.shr_u i64.xor)
(func $.fold_ints (param $h i64) (param $at i32) (param $n i32) (result i64)
  block $out loop $on
    local.get $n i32.eqz br_if $out
    local.get $h local.get $at i64.load32_u call $.fold local.set $h
    local.get $at i32.const 4 i32.add local.set $at
    local.get $n i32.const 1 i32.sub local.set $n br $on
  end end
  local.get $h)
(func $.fold_words (param $h i64) (param $at i32) (param $n i32) (result i64)
  block $out loop $on
    local.get $n i32.eqz br_if $out
    local.get $h local.get $at i64.load call $.fold local.set $h
    local.get $at i32.const 8 i32.add local.set $at
    local.get $n i32.const 1 i32.sub local.set $n br $on
  end end
  local.get $h)
"""

_GAMES = """
(func $.new_game (export "new_game") (param $seed i64) (param $game i32)
  local.get $seed call $.mix local.get $game i64.extend_i32_u i64.add call $.mix local.set $seed
  i32.const @state i32.const @image i32.const @live memory.copy
  i32.const @stack global.set $.stack
  @streams)
(func $.play (export "play") (param $limit i32) (param $checks i32) (result i32)
  (local $code i32)
  local.get $limit @phases i32.sub local.set $limit
  block $out loop $on
    local.get $limit i32.const 0 i32.le_s br_if $out
    call $run_phase local.tee $code br_if $out
    local.get $checks if @check end
    local.get $limit i32.const 1 i32.sub local.set $limit br $on
  end end
  local.get $code)
(func (export "play_games") (param $seed i64) (param $first i32) (param $games i32)
  (param $limit i32) (param $options i32)
  (local $i i32) (local $at i32) (local $code i32)
  local.get $games i32.const @most i32.gt_u if unreachable end
  i32.const @results local.set $at
  block $out loop $on
    local.get $i local.get $games i32.ge_u br_if $out
    i32.const 0 local.get $first local.get $i i32.add i32.store offset=@game
    local.get $seed i32.const 0 i32.load offset=@game call $.new_game
    i32.const @seats
    local.get $i i32.const @seats_size i32.mul i32.const @line_up i32.add
    i32.const @seats_size memory.copy
    local.get $limit local.get $options i32.const 2 i32.and call $.play local.set $code
    local.get $at local.get $code i32.store
    @scalars
    local.get $at i32.const @tail i32.add i32.const 0 i32.const @tail_size memory.fill
    local.get $code i32.const 2 i32.lt_u if
      @results_of
    end
    local.get $options i32.const 1 i32.and if
      local.get $at call $.digest i64.store offset=@digest
    end
    local.get $at i32.const @size i32.add local.set $at
    local.get $i i32.const 1 i32.add local.set $i br $on
  end end)
"""


def runtime_lines(layout: Layout, bot_count: int | None) -> Iterator[str]:
    """Rows, division and chance; draws of bots where there is a column that counts them."""
    yield _RUNTIME.replace("@stack_end", str(layout.stack_end))
    if bot_count is not None:
        text = _BOT_DRAW.replace("@keys", str(layout.keys.address))
        yield text.replace("@count", str(bot_count))


def digest_lines(layout: Layout) -> Iterator[str]:
    """The function that folds the declared state into 64 bits."""
    yield _FOLD
    yield '(func $.digest (export "digest") (result i64) (local $h i64)'
    yield f"  i64.const {FOLD_START:#x}"
    for field in layout.fields:
        yield from _fold_field(layout, field)
    yield ")"


def _fold_field(layout: Layout, field: Field) -> Iterator[str]:
    if field.kind == "rows":
        rows = layout.rows[field.name]
        for index in range(rows.count):
            row = rows.address + rows.stride * index
            count = f"i32.const 0 i32.load offset={row} i32.const 1 i32.add"
            yield f"  i32.const {row} {count} call $.fold_ints"
        return
    cells = {
        "scalar": layout.scalars,
        "column": layout.columns,
        "streams": {"stream": layout.streams},
        "keys": {"bot_key": layout.keys},
    }[field.kind][field.name]
    kind = "words" if cells.words else "ints"
    start = 0
    for free in (*sorted(field.free), field.count):
        size = (free - start) * max(1, cells.words)
        if size:
            at = cells.address + cells.stride * start
            yield f"  i32.const {at} i32.const {size} call $.fold_{kind}"
        if free < field.count:
            yield "  i64.const 0 call $.fold" * max(1, cells.words)
        start = free + 1


def game_lines(program: Program, layout: Layout) -> Iterator[str]:
    """`new_game`, `play` and `play_games`."""
    record = layout.record
    function = program.functions["run_phase"]
    if not function.exits or function.params:
        raise ValueError("run_phase takes nothing and gives a code.")
    winners = program.functions.get("winners")
    if winners is not None and (winners.gives is None or words_of(winners.gives) != 1):
        raise ValueError("winners gives a set of at most 64.")
    text = _GAMES.replace("@check", _check_text(program, layout))
    text = text.replace("@results_of", "\n      ".join(_results_of(program, layout)))
    text = text.replace("@scalars", "\n    ".join(_scalars(layout)))
    text = text.replace("@streams", "\n  ".join(_seeding(program, layout)))
    text = text.replace("@phases", _phases(layout))
    numbers = {
        "state": layout.state,
        "image": layout.image,
        "live": layout.live_size,
        "stack": layout.stack,
        "most": BATCH_GAMES,
        "results": layout.results,
        "game": layout.game,
        "tail_size": record.size - record.scores,
        "tail": record.scores,
        "digest": record.digest,
        "size": record.size,
        "line_up": layout.line_up,
        "seats_size": 4 * program.players,
        "seats": layout.seats,
    }
    for name, number in numbers.items():
        text = text.replace(f"@{name}", str(number))
    yield text
    yield '(export "run_phase" (func $run_phase))'


def _phases(layout: Layout) -> str:
    cells = layout.scalars.get("phases")
    return f"i32.const 0 i32.load offset={cells.address}" if cells else "i32.const 0"


def _check_text(program: Program, layout: Layout) -> str:
    if "check_always" not in program.functions:
        return ""
    fault = layout.scalars.get("fault")
    store = f"i32.const 0 call $check_always i32.store offset={fault.address}" if fault else ""
    return f"call $check_always if {store} i32.const {BROKEN} return end"


def _scalars(layout: Layout) -> Iterator[str]:
    for name, offset in layout.record.scalars.items():
        address = layout.scalars[name].address
        yield f"local.get $at i32.const 0 i32.load offset={address} i32.store offset={offset}"


def _results_of(program: Program, layout: Layout) -> Iterator[str]:
    record = layout.record
    if "winners" in program.functions:
        yield f"local.get $at call $winners i64.store offset={record.winners}"
    if "score" in program.functions:
        for seat in range(program.players):
            score = f"i32.const {seat} call $score"
            yield f"local.get $at {score} i32.store offset={record.scores + 4 * seat}"


def _seeding(program: Program, layout: Layout) -> Iterator[str]:
    for number in range(layout.streams.count):
        at = layout.streams.address + 8 * number
        key = key_of(program.streams[number])
        yield f"i32.const {at} local.get $seed i64.const {key:#x} i64.add call $.mix i64.store"
    for seat in range(layout.keys.count):
        at = layout.keys.address + 8 * seat
        place = BOT_KEY_PLACE + seat
        yield f"i32.const {at} local.get $seed i32.const {place} call $.nth_mix i64.store"
