"""Strategies as decision chains: line after line, the first legal answer is taken.

At an any-time window every step notes, right before it reads something, that the seat has to be
asked again when that changes; a line that gave no answer is left out until then.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.core import nodes as core
from interpreter.flat.agents import randoms
from interpreter.flat.ask import heads, lines, subscriptions
from interpreter.flat.ask.questions import AskedSite, AskedSites
from interpreter.flat.ask.subscriptions import Chain
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental import waking
from interpreter.flat.incremental.reads import ANY
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import map_body

Entry = tuple[tuple[core.HeadLet, ...], tuple[core.Preference, ...]]


def add_strategies(low: Lowering) -> None:
    """Makes the answer functions of every strategy at every site, and of the random bot."""
    wanted = low.options.strategies
    for strategy in low.program.strategies.values():
        if wanted is not None and strategy.name not in wanted:
            continue
        functions: dict[str, str] = {}
        for tag, site in low.own(AskedSites).by_tag.items():
            entry = _entry(low, strategy, site)
            if entry is None and not (site.core_site.form == "window" and site.may_pass):
                functions[tag] = randoms.random_function(low, site)
            else:
                functions[tag] = _answer_function(low, strategy, site, entry)
        low.out.strategies[strategy.name] = functions
    if wanted is None or flat.RANDOM in wanted:
        low.out.strategies[flat.RANDOM] = {
            tag: randoms.random_function(low, site)
            for tag, site in low.own(AskedSites).by_tag.items()
        }
    if flat.SEALED in low.out.sites:
        low.add("bot_sealed", (("seat", flat.INT),), (flat.Give(build.num(0)),), flat.INT)
        for functions in low.out.strategies.values():
            functions[flat.SEALED] = "bot_sealed"


def _entry(low: Lowering, strategy: core.Strategy, site: AskedSite) -> Entry | None:
    if site.core_site.name in strategy.sites:
        return strategy.sites[site.core_site.name]
    for name, entry in strategy.sites.items():
        known = low.program.sites.get(name)
        if known is not None and known.window is not None and known.window == site.core_site.window:
            return entry
    return None


def _answer_function(
    low: Lowering, strategy: core.Strategy, site: AskedSite, entry: Entry | None
) -> str:
    name = low.names.fresh(f"bot_{low.safe(strategy.name)}_{site.asked.site}")
    low.add(name, site.asked.params, (), flat.INT, f"{strategy.name} at {site.core_site.question}")
    body: list[flat.Stmt] = []
    lets, preferences = entry or ((), ())
    chain = Chain(site.asked.env, lines.own_names(site.asked.env))
    for let in lets:
        noting, chain = subscriptions.note(low, site.wake, chain, let.value, ANY)
        stmts, env = heads.head_let(low, chain.env, let.name, let.value)
        chain = replace(chain, env=env)
        body += [*noting, *stmts]
    if site.wake is not None:
        type_ = waking.bits_of(low, site.wake)
        own = waking.of_seat(low, site.wake, heads.SEAT)
        mine = build.set_and(waking.everything(low, site.wake), own)
        body.append(flat.SetVar("mine", mine, type_))
    for number, preference in enumerate(preferences):
        start = replace(chain, noted=frozenset(), lines=(number,), often={})
        body += _woken_line(low, site, number, preference, start)
    body += _when_nothing_fits(low, site)
    low.out.functions[name].body = tuple(body)
    return name


def _woken_line(
    low: Lowering, site: AskedSite, number: int, preference: core.Preference, chain: Chain
) -> list[flat.Stmt]:
    """One line; at an any-time window only looked at when something it read has changed."""
    wake = site.wake
    if wake is None or (preference.answer == "pass" and preference.condition is None):
        return lines.preference_line(low, site, preference, chain)
    if preference.answer == "pass":
        later = tuple(range(number, waking.lines_of(low, wake)))
        return lines.preference_line(low, site, preference, replace(chain, lines=later))
    mine = flat.Var("mine", waking.bits_of(low, wake))
    body = lines.preference_line(low, site, preference, chain)
    body = subscriptions.noted_once(low, wake, chain, body)
    if number:
        failed = build.set_and(mine, waking.only_lines(low, wake, range(number)))
        asleep = waking.set_bits(low, wake, flat.SetBin("-", waking.everything(low, wake), failed))
        body = list(map_body(tuple(body), lambda stmt: _answering(stmt, asleep)))
    this = build.set_and(mine, waking.only_lines(low, wake, (number,)))
    return [flat.If(build.negate(build.is_empty(this)), tuple(body))]


def _answering(stmt: flat.Stmt, asleep: flat.Stmt) -> flat.Body:
    """Where a line answers, those before it that gave no answer are done with."""
    if isinstance(stmt, flat.Give) and stmt.value != build.NO:
        return (asleep, stmt)
    return (stmt,)


def _when_nothing_fits(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    if site.may_pass:
        return [flat.Give(build.num(0))]
    return [*lines.first_legal(low, site), flat.Give(build.num(0))]
