"""Routines and events with the rules that hook them: one function per set of rules that can apply.

A rule that asks for a kind costs nothing elsewhere: calls go through a table by entity to the
function that has just the rules of that entity's kind.

The heads of all rules of one timing are looked at before the first of them runs, and that of a rule
again when its turn comes. Only what an earlier rule may make true has to be kept for that.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env, Params
from interpreter.flat.context.frames import Frame, UsualCall
from interpreter.flat.context.layout import snake
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr.exprs import is_kind, lower
from interpreter.flat.instrument import measures
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.stmt.statements import lower_block


@dataclass(frozen=True, slots=True)
class Hooks:
    befores: tuple[core.Hook, ...]
    insteads: tuple[core.Hook, ...]
    afters: tuple[core.Hook, ...]

    @property
    def key(self) -> tuple[tuple[int, ...], ...]:
        """What makes two of these the same."""
        return tuple(
            tuple(id(hook) for hook in part) for part in (self.befores, self.insteads, self.afters)
        )


class Happenings:
    """Makes the functions of routines on demand."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self._variants: dict[tuple[str, tuple[tuple[int, ...], ...]], str] = {}
        self._tables: dict[str, str] = {}
        self._rules: dict[tuple[int, str | None, int], str] = {}
        self._bodies: dict[str, str] = {}
        self.guarded: set[str] = (
            set()
        )  # functions that are events: where depth is counted in circles

    # ------------------------------------------------------------ calls

    def happen(self, routine_name: str, args: tuple[flat.Expr, ...]) -> flat.Expr:
        """A call of a routine with all its rules."""
        routine = self.low.program.routines[routine_name]
        if self.low.options.tells:
            return flat.Call(self._telling(routine), args)
        return self._call(routine, args)

    def _telling(self, routine: core.Routine) -> str:
        """The function that says that a routine begins and is over, and calls it in between."""
        low = self.low
        name = low.names.of(f"telling_{_tag(routine.name)}", "telling", routine.name)
        if name not in low.out.functions:
            params, _ = low.env_of(routine.params)
            gives = low.layout.flat_type(routine.gives) if routine.gives is not None else None
            low.add(name, params, (), gives)
            call = self._call(routine, tuple(flat.Var(*param) for param in params))
            do = flat.Do(call, "given" if gives else None, gives or flat.INT)
            body = low.tracer.within(f"happening {routine.name}", [do])
            if gives is not None:
                body.append(flat.Give(flat.Var("given", gives)))
            low.out.functions[name].body = tuple(body)
        return name

    def _call(self, routine: core.Routine, args: tuple[flat.Expr, ...]) -> flat.Expr:
        by = self.dispatch_position(routine)
        if by is None:
            return flat.Call(self._function(routine, self._hooks(routine, None, None), None), args)
        subject = args[by]
        if isinstance(subject, flat.Num) and subject.value >= 0:
            return flat.Call(
                self._function(routine, self._hooks(routine, by, subject.value), by), args
            )
        return flat.CallBy(self._table(routine, by), subject, args)

    def dispatch_position(self, routine: core.Routine) -> int | None:
        """The parameter by whose kind the routine is specialised: the one most rules ask for. What
        measures ask for decides nothing."""
        if not self.low.does("kinds"):
            return None
        counts: dict[int, int] = {}
        for hook in _rules(routine):
            for pattern in hook.patterns:
                type_ = routine.params[pattern.position][1]
                if isinstance(type_, t.RefType) and not type_.optional:
                    counts[pattern.position] = counts.get(pattern.position, 0) + 1
        return max(counts, key=lambda position: (counts[position], -position)) if counts else None

    def active_at(self, routine_name: str, position: int) -> frozenset[int] | None:
        """The entities for which anything happens or is measured at all; None where that does not
        depend on the parameter.
        """
        routine = self.low.program.routines[routine_name]
        if routine.body or self._is_told(routine) or not self.low.does("kinds"):
            return None
        rules, measured = _rules(routine), measures.hooks(self.low, routine.name)
        if not rules and not measured:
            return frozenset()
        if rules and self.dispatch_position(routine) != position:
            return None
        type_ = routine.params[position][1]
        if not isinstance(type_, t.RefType):
            return None
        family = self.low.program.families[self.low.program.kinds[type_.kind].family]
        hooks = (*rules, *(hook for hook, _ in measured))
        return frozenset(
            entity
            for entity in range(family.size)
            if any(self._fits(hook, position, entity) for hook in hooks)
        )

    def _is_told(self, routine: core.Routine) -> bool:
        """Whether people are told of an event also where nothing comes of it."""
        is_hushed = routine.says is not None and routine.says.form == "nothing"
        return self.low.options.tells and routine.is_event and not is_hushed

    def _hooks(self, routine: core.Routine, by: int | None, entity: int | None) -> Hooks:
        return Hooks(
            tuple(hook for hook in routine.befores if self._fits(hook, by, entity)),
            tuple(hook for hook in routine.insteads if self._fits(hook, by, entity)),
            tuple(hook for hook in routine.afters if self._fits(hook, by, entity)),
        )

    def _fits(self, hook: core.Hook, by: int | None, entity: int | None) -> bool:
        if by is None or entity is None:
            kinds = self.low.program.kinds
            return all(kinds[pattern.kind].members for pattern in hook.patterns)
        return all(
            entity in self.low.program.kinds[pattern.kind].members
            for pattern in hook.patterns
            if pattern.position == by
        )

    def _table(self, routine: core.Routine, by: int) -> str:
        name = self._tables.get(routine.name)
        if name is None:
            name = self.low.names.fresh(f"by_{snake(routine.params[by][0])}_{_tag(routine.name)}")
            self._tables[routine.name] = name
            type_ = routine.params[by][1]
            assert isinstance(type_, t.RefType)
            kind = self.low.program.kinds[type_.kind]
            size = self.low.program.families[kind.family].size
            self.low.out.dispatch[name] = ()
            functions = [
                self._function(routine, self._hooks(routine, by, entity), by)
                for entity in range(size)
            ]
            self.low.out.dispatch[name] = tuple(functions)
        return name

    # ------------------------------------------------------------ functions

    def _function(self, routine: core.Routine, hooks: Hooks, by: int | None) -> str:
        key = (routine.name, hooks.key)
        name = self._variants.get(key)
        if name is None:
            only = self._only_rule(routine, hooks)
            if only is not None:
                self._variants[key] = name = self._rule(routine, only, by, None, 0)
            else:
                base = f"{'event' if routine.is_event else 'to'}_{_tag(routine.name)}"
                self._variants[key] = name = self.low.function_name(base)
                self._make(routine, hooks, by, name)
            self.guarded.add(name)
        return name

    def _only_rule(self, routine: core.Routine, hooks: Hooks) -> core.Hook | None:
        """Where one rule is all there is, its function is the whole happening."""
        if routine.body or routine.gives or hooks.insteads or self.low.is_label(routine.name):
            return None
        if measures.hooks(self.low, routine.name) or self.low.options.tells:
            return None
        rules = (*hooks.befores, *hooks.afters)
        return rules[0] if len(rules) == 1 else None

    def _make(self, routine: core.Routine, hooks: Hooks, by: int | None, name: str) -> None:
        low = self.low
        params, env = low.env_of(routine.params)
        gives = low.layout.flat_type(routine.gives) if routine.gives is not None else None
        low.add(name, params, (), gives, routine.name)
        args = tuple(flat.Var(*param) for param in params)
        if not hooks.insteads:
            low.out.functions[name].body = self._usual_body(routine, hooks, by, env, args, gives)
            return
        usual = low.function_name(f"usually_{_tag(routine.name)}")
        low.add(usual, params, (), gives)
        low.out.functions[usual].body = self._usual_body(routine, hooks, by, env, args, gives)
        target = usual
        for number, hook in reversed(list(enumerate(hooks.insteads))):
            rule = self._instead(routine, hook, by, target, number)
            target = rule
        body: list[flat.Stmt] = [
            flat.Do(
                flat.Call(target, args),
                "given" if gives else None,
                gives or flat.INT,
                self._label(routine),
            )
        ]
        if gives is not None:
            body.append(flat.Give(flat.Var("given", gives)))
        low.out.functions[name].body = tuple(body)

    def _usual_body(
        self,
        routine: core.Routine,
        hooks: Hooks,
        by: int | None,
        env: Env,
        args: tuple[flat.Expr, ...],
        gives: flat.FlatType | None,
    ) -> flat.Body:
        label = self._label(routine)
        befores = self.in_turn(routine, hooks.befores, by, args)
        afters = self.in_turn(routine, hooks.afters, by, args)
        befores += self._measured(routine, "before", args)
        afters += self._measured(routine, "after", args)
        befores = [*self.low.tracer.event(env, routine), *befores]
        if not afters and not label:
            frame = Frame(routine.name, gives, kind="event")
            return (*befores, *lower_block(self.low, frame, env, routine.body))
        stmts = [] if label else befores
        if routine.body or (label and befores):
            begun = self._body(routine, tuple(befores) if label else ())
            given = "given" if gives else None
            do = flat.Do(flat.Call(begun, args), given, gives or flat.INT, label)
            stmts += self.low.tracer.within(f"body {routine.name}", [do]) if label else [do]
        if label and afters:
            afters = [flat.Do(flat.Call(self._behind(routine, afters), args), catch=label)]
        stmts += afters
        if gives is not None:
            stmts.append(flat.Give(flat.Var("given", gives)))
        return tuple(stmts)

    def in_turn(
        self,
        routine: core.Routine,
        hooks: tuple[core.Hook, ...],
        by: int | None,
        args: tuple[flat.Expr, ...],
    ) -> list[flat.Stmt]:
        """The rules of one timing, one after the other, each if its head held at the first and
        still holds."""
        low = self.low
        kept: dict[int, flat.Expr] = {}
        before: list[flat.Stmt] = []
        for at in self.low.changes.changed_heads(hooks):
            hook = hooks[at]
            names = {own: arg for (own, _), arg in zip(hook.params, args, strict=True)}
            local = low.temp(f"held_{_tag(hook.rule)}")
            before.append(flat.SetVar(local, self._head(routine, hook, by, Env(names))))
            kept[at] = flat.Var(local)
        calls: list[flat.Stmt] = []
        for at, hook in enumerate(hooks):
            call = flat.Do(flat.Call(self._rule(routine, hook, by, None, 0), args))
            told = tuple(low.tracer.within(f"rule {hook.rule}", [call]))
            calls += [flat.If(kept[at], told)] if at in kept else told
        return [*before, *calls]

    def _measured(
        self, routine: core.Routine, timing: str, args: tuple[flat.Expr, ...]
    ) -> list[flat.Stmt]:
        """Calls of the measures of a routine: each looks itself for the kinds that it asks for."""
        return [
            flat.Do(flat.Call(self._rule(routine, hook, None, None, 0), args))
            for hook, when in measures.hooks(self.low, routine.name)
            if when == timing
        ]

    def _label(self, routine: core.Routine) -> int:
        return self.low.label(routine.name) if self.low.is_label(routine.name) else 0

    def _body(self, routine: core.Routine, befores: flat.Body) -> str:
        """The function of what an `end` of the routine leaves: its body, and the befores if any."""
        name = None if befores else self._bodies.get(routine.name)
        if name is None:
            low = self.low
            name = low.function_name(f"do_{_tag(routine.name)}")
            if not befores:
                self._bodies[routine.name] = name
            params, env = low.env_of(routine.params)
            gives = low.layout.flat_type(routine.gives) if routine.gives is not None else None
            low.add(name, params, (), gives, routine.name)
            body = lower_block(low, Frame(routine.name, gives, kind="event"), env, routine.body)
            low.out.functions[name].body = (*befores, *body)
        return name

    def _behind(self, routine: core.Routine, afters: list[flat.Stmt]) -> str:
        """The same for what comes behind it."""
        name = self.low.function_name(f"behind_{_tag(routine.name)}")
        self.low.add(name, self.low.env_of(routine.params)[0], tuple(afters), None)
        return name

    # ------------------------------------------------------------ rules

    def _rule(
        self, routine: core.Routine, hook: core.Hook, by: int | None, usual: str | None, number: int
    ) -> str:
        key = (id(hook), usual, number)
        name = self._rules.get(key)
        if name is None:
            name = self._rules[key] = self.low.function_name(f"rule_{_tag(hook.rule)}")
            self._make_rule(routine, hook, by, name, usual)
        return name

    def _instead(
        self, routine: core.Routine, hook: core.Hook, by: int | None, usual: str, number: int
    ) -> str:
        return self._rule(routine, hook, by, usual, number)

    def _make_rule(
        self, routine: core.Routine, hook: core.Hook, by: int | None, name: str, usual: str | None
    ) -> None:
        low = self.low
        params, env = low.env_of(hook.params)
        low.add(
            name,
            params,
            (),
            low.layout.flat_type(routine.gives) if usual and routine.gives else None,
            hook.rule,
        )
        test = self._head(routine, hook, by, env)
        gives = low.layout.flat_type(routine.gives) if usual and routine.gives is not None else None
        args = tuple(flat.Var(*param) for param in params)
        call: UsualCall | None = (
            (lambda values: flat.Call(usual, values)) if usual is not None else None
        )
        fired = [*low.counter.count(f"rule {hook.rule}"), *low.tracer.rule(env, hook)]
        measured = measures.body(low, env, hook)
        body = (
            measured
            if measured is not None
            else lower_block(low, Frame(hook.rule, gives, call), env, hook.body)
        )
        stmts: list[flat.Stmt] = []
        if test != build.YES:
            stmts.append(flat.If(build.negate(test), self._otherwise(usual, args, gives)))
        low.out.functions[name].body = (*stmts, *(fired if measured is None else ()), *body)

    def _head(self, routine: core.Routine, hook: core.Hook, by: int | None, env: Env) -> flat.Expr:
        """Whether a rule applies: what it asks of kinds, then its condition."""
        tests = [
            is_kind(
                self.low,
                env.names[hook.params[pattern.position][0]],
                routine.params[pattern.position][1],
                pattern.kind,
            )
            for pattern in hook.patterns
            if pattern.position != by
        ]
        if hook.condition is not None:
            tests.append(lower(self.low, env, hook.condition))
        return build.all_of(tests)

    def _otherwise(
        self, usual: str | None, args: tuple[flat.Expr, ...], gives: flat.FlatType | None
    ) -> flat.Body:
        if usual is None:
            return (flat.Exit(build.NO),)
        if gives is None:
            return (flat.Do(flat.Call(usual, args)), flat.Exit(build.NO))
        return (
            flat.Do(flat.Call(usual, args), "given", gives),
            flat.Give(flat.Var("given", gives)),
        )


def _rules(routine: core.Routine) -> tuple[core.Hook, ...]:
    return (*routine.befores, *routine.insteads, *routine.afters)


def hook_calls(
    happenings: Happenings, phase: core.Phase, hooks: tuple[core.Hook, ...]
) -> flat.Body:
    """Calls of the rules before or after a phase."""
    routine = core.Routine(
        phase.name, phase.name, (), None, (), (), (), (), True, phase.doc, phase.span
    )
    return tuple(happenings.in_turn(routine, hooks, None, ()))


def _tag(name: str) -> str:
    return "_".join("".join(char if char.isalnum() else " " for char in name.lower()).split())


__all__ = ["Happenings", "Hooks", "Params", "hook_calls"]
