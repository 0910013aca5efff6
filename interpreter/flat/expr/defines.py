"""Calls of derived values: expanded where they are small, else a function; the variant for a kind
chosen early.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import constants
from interpreter.flat.incremental import maintained, memo
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import uses_usual, walk

INLINE_COST = 16
DEEPEST = 10  # expansions inside each other: what uses another twice would double with each


def lower_define_call(low: Lowering, env: Env, call: core.CallDefine) -> flat.Expr:
    """The value of a define for given arguments."""
    variants = applicable(low, call)
    args = [low.expr(env, arg) for arg in call.args]
    value = constants.known_value(low, call, args)
    if value is not None:
        return value
    if len(variants) == 1:
        kept = maintained.maintained_value(low, call.define, args) or memo.kept_value(
            low, call.define, args
        )
        if kept is not None:
            return kept
        expanded = _expand(low, env, variants[0], args)
        if expanded is not None:
            return expanded
        return flat.Call(_variant_function(low, call.define, variants[0]), tuple(args))
    return flat.Call(_choosing_function(low, call, variants), tuple(args))


def applicable(low: Lowering, call: core.CallDefine) -> list[core.DefineVariant]:
    """The variants that can be meant, narrowest first; the last one fits whatever is left."""
    define = low.program.defines[call.define]
    if not call.args or define.variants[0].kind is None:
        return [define.variants[0]]
    subject = call.args[0]
    if not isinstance(subject.type, t.RefType) or subject.type.kind not in low.program.kinds:
        return list(define.variants)
    static = set(low.program.kinds[subject.type.kind].members)
    if isinstance(subject, core.Const):
        static &= {subject.value}
    found = []
    for variant in define.variants:
        assert variant.kind is not None
        members = set(low.program.kinds[variant.kind].members)
        if static & members:
            found.append(variant)
            static -= members
        if not static:
            break
    return found or list(define.variants[-1:])


def single_expression(
    low: Lowering, call: core.CallDefine
) -> tuple[core.DefineVariant, core.Expr] | None:
    """The variant and its one expression, where a call has just that."""
    variants = applicable(low, call)
    if len(variants) == 1 and not variants[0].lets and not variants[0].buts:
        return variants[0], variants[0].base
    return None


def _expand(
    low: Lowering, env: Env, variant: core.DefineVariant, args: list[flat.Expr]
) -> flat.Expr | None:
    if not low.does("expanded") or variant.lets or low.expanding >= DEEPEST:
        return None
    parts = [
        variant.base,
        *(but.value for but in variant.buts),
        *(but.condition for but in variant.buts),
    ]
    nodes = [node for part in parts for node in walk(part)]
    if len(nodes) > INLINE_COST:
        return None
    for (name, _), arg in zip(variant.params, args, strict=True):
        uses = sum(1 for node in nodes if isinstance(node, core.Local) and node.name == name)
        if not build.is_atom(arg) and uses > 1:
            return None
    names = {name: arg for (name, _), arg in zip(variant.params, args, strict=True)}
    low.expanding += 1
    value = chain(low, Env(names), variant)
    low.expanding -= 1
    return value


def plain_value(low: Lowering, env: Env, expr: core.Expr) -> tuple[Env, core.Expr]:
    """What a call of a derived value stands for, where its exceptions are settled before play;
    the environment to work it out in."""
    if not isinstance(expr, core.CallDefine):
        return env, expr
    variants = applicable(low, expr)
    args = [low.expr(env, arg) for arg in expr.args]
    if len(variants) > 1 or variants[0].lets or not all(build.is_atom(arg) for arg in args):
        return env, expr
    names = (name for name, _ in variants[0].params)
    inner = Env(dict(zip(names, args, strict=True)))
    for but in reversed(variants[0].buts):
        holds = None if uses_usual(but.condition) else low.expr(inner, but.condition)
        if holds == build.NO:
            continue
        return (
            (inner, but.value) if holds == build.YES and not uses_usual(but.value) else (env, expr)
        )
    return inner, variants[0].base


def chain(low: Lowering, env: Env, variant: core.DefineVariant) -> flat.Expr:
    """The value of a variant: the last but-line that applies, else the base."""
    value = low.expr(env, variant.base)
    for but in variant.buts:
        inner = Env(env.names, env.tables, value)
        value = build.choose(low.expr(inner, but.condition), low.expr(inner, but.value), value)
    return value


def _variant_function(low: Lowering, define: str, variant: core.DefineVariant) -> str:
    base = f"value_{_tag(define)}" + (f"_of_{variant.kind.lower()}" if variant.kind else "")
    name = low.names.of(base, define, variant.kind)
    if name in low.out.functions:
        return name
    params, env = low.env_of(variant.params)
    gives = low.layout.flat_type(low.program.defines[define].type)
    low.add(name, params, (), gives, define)
    body: list[flat.Stmt] = []
    with low.on_its_own():
        for let in variant.lets:
            stmts, env = low.let(env, let.name, let.value)
            body += stmts
        body.extend(_buts(low, env, variant))
    low.out.functions[name].body = tuple(body)
    return name


def _buts(low: Lowering, env: Env, variant: core.DefineVariant) -> list[flat.Stmt]:
    body: list[flat.Stmt] = []
    for number in range(len(variant.buts), 0, -1):
        but = variant.buts[number - 1]
        uses = any(
            isinstance(node, core.Usual)
            for part in (but.value, but.condition)
            for node in walk(part)
        )
        usual = _usual(low, env, variant, number - 1) if uses else None
        inner = Env(env.names, env.tables, usual)
        condition = low.expr(inner, but.condition)
        body.append(flat.If(condition, (flat.Give(low.expr(inner, but.value)),)))
    body.append(flat.Give(low.expr(env, variant.base)))
    return body


def _usual(low: Lowering, env: Env, variant: core.DefineVariant, count: int) -> flat.Expr:
    earlier = replace(variant, buts=variant.buts[:count])
    return chain(low, env, earlier)


def _choosing_function(
    low: Lowering, call: core.CallDefine, variants: list[core.DefineVariant]
) -> str:
    kinds = "_".join((variant.kind or "").lower() for variant in variants)
    chosen = tuple(variant.kind for variant in variants)
    name = low.names.of(f"value_{_tag(call.define)}_by_{kinds}", call.define, chosen)
    if name in low.out.functions:
        return name
    first = variants[0].params
    params = tuple(
        (f"a{index}", low.layout.flat_type(type_)) for index, (_, type_) in enumerate(first)
    )
    args = tuple(flat.Var(*param) for param in params)
    gives = low.layout.flat_type(low.program.defines[call.define].type)
    low.add(name, params, (), gives, call.define)
    body: list[flat.Stmt] = []
    for variant in variants:
        with low.on_its_own():
            value = _expand(low, Env(), variant, list(args))
        if value is None:
            value = flat.Call(_variant_function(low, call.define, variant), args)
        if variant is variants[-1]:
            body.append(flat.Give(value))
        else:
            assert variant.kind is not None
            body.append(flat.If(_of_kind(low, args[0], variant.kind), (flat.Give(value),)))
    low.out.functions[name].body = tuple(body)
    return name


def _of_kind(low: Lowering, subject: flat.Expr, kind: str) -> flat.Expr:
    members = low.program.kinds[kind].members
    if members and members[-1] - members[0] + 1 == len(members):
        above = flat.Bin(">=", subject, build.num(members[0]))
        return build.both(above, flat.Bin("<=", subject, build.num(members[-1])))
    return build.has(low.layout.mask(kind), subject)


def _tag(define: str) -> str:
    return "".join(char if char.isalnum() else "_" for char in define).lower()
