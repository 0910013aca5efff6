"""The core as text, in the language's own words: every name resolved, every rule in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.core import nodes as core
from dsl.core.types import Type
from interpreter.cli.core_values import Values

Lines = Iterator[str]
Params = tuple[tuple[str, Type], ...]


class CoreText(Values):
    """Writes the parts of a core program, line by line."""

    def params(self, params: Params) -> str:
        """`(player: Player, amount: money)`."""
        return f"({', '.join(f'{name}: {self.type(type_)}' for name, type_ in params)})"

    # ------------------------------------------------------------ declarations

    def column(self, column: core.Column) -> Lines:
        """A field."""
        seen = "" if column.seen_by == "everyone" else f", seen by {column.seen_by}"
        yield f"{column.role} {column.name}: {self.type(column.type)}{seen}"

    def zone(self, zone: core.Zone) -> Lines:
        """A place for things."""
        traits = [f"up to {zone.bound}"]
        traits += [word for word in ("ordered", "fanned") if getattr(zone, word)]
        traits += [] if zone.seen_by == "everyone" else [f"seen by {zone.seen_by}"]
        yield f"zone {zone.name}: holds {zone.holds} {', '.join(traits)}"

    def define(self, define: core.Define) -> Lines:
        """A derived value, with the lines for each kind."""
        yield f"define {define.name}: {self.type(define.type)}"
        for variant in define.variants:
            yield f"    for {self.params(variant.params)}"
            for let in variant.lets:
                yield f"        let {let.name} = {self.value(let.value)}"
            yield f"        {self.value(variant.base)}"
            for but in variant.buts:
                condition = self.value(but.condition)
                yield f"        but {but.label}: {self.value(but.value)} if {condition}"

    def routine(self, routine: core.Routine) -> Lines:
        """A routine or event with all that hooks it, in order."""
        gives = f" gives {self.type(routine.gives)}" if routine.gives is not None else ""
        what = "event" if routine.is_event else "routine"
        yield f"{what} {routine.name} {self.params(routine.params)}{gives}"
        yield from _in(self.hooks("instead", routine.insteads))
        yield from _in(self.hooks("before", routine.befores))
        yield from _in(self.block(routine.body))
        yield from _in(self.hooks("after", routine.afters))

    def phase(self, phase: core.Phase) -> Lines:
        """A phase with all that hooks it, in order."""
        yield f"phase {phase.name}"
        yield from _in(self.hooks("before", phase.befores))
        yield from _in(self.block(phase.body))
        yield from _in(self.hooks("after", phase.afters))
        yield "then"
        yield from _in(self.block(phase.then))

    def hooks(self, word: str, hooks: Iterable[core.Hook]) -> Lines:
        """The rules before, after or instead of something."""
        for hook in hooks:
            kinds = {pattern.position: pattern.kind for pattern in hook.patterns}
            words = [
                f"{name}: {kinds.get(position, self.type(type_))}"
                for position, (name, type_) in enumerate(hook.params)
            ]
            condition = "" if hook.condition is None else f" if {self.value(hook.condition)}"
            yield f"{word}: rule {hook.rule} ({', '.join(words)}){condition}"
            yield from _in(self.block(hook.body))

    def watch(self, watch: core.Watch) -> Lines:
        """A `whenever`."""
        yield f"rule {watch.rule}: whenever {self.value(watch.condition)}"
        yield from _in(self.block(watch.body))

    def always(self, check: core.AlwaysCheck) -> Lines:
        """What must always hold."""
        yield f"always {check.name}: {self.value(check.condition)}"

    def window(self, window: core.Window) -> Lines:
        """A window with its options."""
        yield f"window {window.name} {self.params(window.params)}"
        yield f"    ask {self.generator(window.asked)}"
        yield f"    {window.closing}"
        yield f"    options: {', '.join(window.options)}"

    def option(self, option: core.Option) -> Lines:
        """An option: its head, and what it does."""
        yield f"option {option.name} in {', '.join(option.windows)} {self.params(option.params)}"
        yield from _in(self.head(option.head))
        yield from _in(self.block(option.body))

    def measure(self, measure: core.Measure) -> Lines:
        """What is counted."""
        per = ", ".join(self.value(one) for one in measure.per)
        value = self.value(measure.value)
        where = f"{measure.timing} {measure.routine}"
        yield f"measure {measure.name}: {where} add {value}" + (f" per {per}" if per else "")

    def strategy(self, strategy: core.Strategy) -> Lines:
        """A strategy, question by question."""
        yield f"strategy {strategy.name}"
        for site, (lets, lines) in strategy.sites.items():
            yield f"    for {site}"
            for let in lets:
                yield f"        let {let.name} = {self.value(let.value)}"
            for line in lines:
                yield f"        {self._preference(line)}"

    def _preference(self, line: core.Preference) -> str:
        args = ", ".join(f"{name}: {self.value(value)}" for name, value in line.args)
        text = line.answer + (f"({args})" if args else "")
        if line.value is not None:
            text += f" {self.value(line.value)}"
        text += "".join(f" for {self.generator(one)}" for one in line.generators)
        if line.condition is not None:
            text += f" if {self.value(line.condition)}"
        ranks = [f"{'most' if r.most else 'least'} {self.value(r.value, 1)}" for r in line.ranking]
        return text + (f" with the {', '.join(ranks)}" if ranks else "")

    # ------------------------------------------------------------ statements

    def head(self, head: tuple[core.HeadItem, ...]) -> Lines:
        """What makes an answer legal."""
        for item in head:
            match item:
                case core.HeadLet(name=name, value=value):
                    yield f"let {name} = {self.value(value)}"
                case core.HeadNeeds(condition=condition, reason=reason):
                    yield f"needs {self.value(condition)}, {self.value(reason)}"
                case core.HeadPick():
                    yield self.pick(item)

    def pick(self, pick: core.HeadPick) -> str:
        """`which x in LIST where CONDITION`."""
        words = "how much" if pick.form == "amount" else "which"
        if pick.low is not None and pick.high is not None:
            words += f" {self.value(pick.low, 6)}..{self.value(pick.high, 6)}"
        text = f"{words} {pick.name} in {self.value(pick.source, 1)}"
        if pick.where is not None:
            text += f" where {self.value(pick.where)}"
        return text + (f" such that {self.value(pick.such_that)}" if pick.such_that else "")

    def block(self, block: core.Block) -> Lines:
        """Statements, one after the other."""
        for stmt in block:
            yield from self._statement(stmt)

    def _statement(self, stmt: core.Stmt) -> Lines:
        match stmt:
            case core.If(branches=branches, otherwise=otherwise):
                for number, (condition, body) in enumerate(branches):
                    yield f"{'else if' if number else 'if'} {self.value(condition)}"
                    yield from _in(self.block(body))
                if otherwise:
                    yield "else"
                    yield from _in(self.block(otherwise))
            case core.ForEach(generator=generator, key=key, body=body):
                by = f" by {self.value(key)}" if key is not None else ""
                yield f"for {self.generator(generator)}{by}"
                yield from _in(self.block(body))
            case core.Repeat(body=body, until=until):
                yield "repeat"
                yield from _in(self.block(body))
                yield f"until {self.value(until)}"
            case core.AskAbout(site=site, asked=asked, answers=answers):
                yield f"ask {self.value(asked)} about {site}"
                for answer in answers:
                    yield f"    * {answer.name}"
                    yield from _in(_in(self.head(answer.head)))
                    yield from _in(_in(self.block(answer.body)))
            case core.Ask(site=site, asked=asked, body=body, otherwise=otherwise):
                declines = ", if any," if stmt.may_decline else ""
                yield f"ask {self.value(asked)} {self.pick(stmt.pick)}{declines} to {site}"
                yield from _in(self.block(body))
                if otherwise:
                    yield "else"
                    yield from _in(self.block(otherwise))
            case core.Gather(site=site, asked=generator, pick=pick, body=body):
                yield f"secretly ask {self.generator(generator)} {self.pick(pick)} to {site}"
                yield from _in(self.block(body))
            case _:
                yield self._line(stmt)

    def _line(self, stmt: core.Stmt) -> str:
        value = self.value
        match stmt:
            case core.Let(name=name, value=given, fresh=fresh):
                return f"{'let ' if fresh else ''}{name} = {value(given)}"
            case core.SetField(column=column, subject=subject, key=key, value=given):
                place = self._path(column, subject) + (f"[{value(key)}]" if key else "")
                return f"{place} = {value(given)}"
            case core.MoveUnits(amount=amount):
                source = self._path(stmt.from_column, stmt.from_subject)
                return f"move {value(amount)} from {source} to " + self._path(
                    stmt.to_column, stmt.to_subject
                )
            case core.MoveThings(things=things, zone=zone, holder=holder, under=under):
                return f"move {value(things)} {'under' if under else 'to'} " + self._path(
                    zone, holder
                )
            case core.Exchange(left=left, right=right):
                return f"exchange {value(left)} with {value(right)}"
            case core.Shuffle(zone=zone, holder=holder):
                return f"shuffle {self._path(zone, holder)}"
            case core.Make(name=name, kind=kind, fields=fields):
                parts = [f"{field.rpartition('.')[2]}: {value(one)}" for field, one in fields]
                return f"let {name} = new {kind}({', '.join(parts)})"
            case core.Drop(thing=thing):
                return f"drop {value(thing)}"
            case core.Call(routine=routine, args=args, result=result):
                get = f"get {result} from " if result is not None else ""
                return get + self._command(routine, args)
            case core.AsUsual(args=args):
                return f"as usual with {', '.join(value(arg) for arg in args)}"
            case core.Luck(name=name, source=source, weight=weight):
                weighing = f" weighing {value(weight)}" if weight is not None else ""
                return f"luck picks {name} in {value(source)}{weighing}"
            case core.OpenWindow(window=window, args=args):
                return f"open {window}" + "".join(f", {value(arg)}" for arg in args)
            case core.End(label=label):
                return f"end {label}"
            case core.NextPhase(phase=phase):
                return f"next {phase}"
            case core.Return(value=given):
                return f"return {value(given)}"
            case core.Reveal(column=column, subject=subject, to=to):
                seat = "everyone" if to is None else value(to)
                return f"reveal {self._path(column, subject)} to {seat}"
            case core.Say(form="nothing"):
                return "says nothing"
            case core.Say(form="sentence", text=text, otherwise=other):
                return f"says {value(text)}" + (
                    "" if other is None else f" otherwise {value(other)}"
                )
            case core.Say(text=text, to=to):
                return f"say {value(text)}" + ("" if to is None else f" to {value(to)}")
            case _:
                return type(stmt).__name__

    def _path(self, name: str, subject: core.Expr) -> str:
        return f"{self.value(subject, 9)}.{name.rpartition('.')[2]}"

    def _command(self, routine: str, args: tuple[core.Expr, ...]) -> str:
        """`pay AMOUNT from PAYER to PAYEE`: the words of the name between the values."""
        verb, *prepositions = routine.split()
        values = [self.value(arg, 1) for arg in args]
        words = [verb]
        if len(values) > len(prepositions):
            words.append(values.pop(0))
        for preposition, given in zip(prepositions, values, strict=False):
            words += [preposition, given]
        return " ".join(words)


def _in(lines: Iterable[str]) -> Lines:
    for line in lines:
        yield f"    {line}"
