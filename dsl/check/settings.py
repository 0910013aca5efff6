"""Switches that are set by layers: once in each, and the same by all mods."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.check.merged import Switching
from dsl.diagnostics.record import Bag
from dsl.source import Span


def check_settings(switchings: Sequence[Switching], mods: set[str], bag: Bag) -> None:
    """One layer sets a switch once; two mods that disagree are worth a warning."""
    last: dict[str, Switching] = {}
    for setting in switchings:
        first = last.get(setting.name)
        last[setting.name] = setting
        if first is None:
            continue
        if first.layer == setting.layer:
            bag.error(
                "RW0807",
                setting.span,
                f"`{setting.name}` is set twice in `{setting.layer}`",
                label="set again here",
                also=[(first.span, "first set here")],
                help="keep one of the two",
            )
        elif {first.layer, setting.layer} <= mods and _value(first) != _value(setting):
            bag.warning(
                "RW0808",
                setting.span,
                f"the mods `{first.layer}` and `{setting.layer}` both set `{setting.name}`",
                label="this value is used",
                also=[(first.span, "this one is not")],
                help="the later mod has its way; change the order, or leave one of them out",
            )


def _value(setting: Switching) -> str:
    text = setting.value if isinstance(setting.value, str) else setting.value.span.text
    return {"true": "yes", "false": "no"}.get(text, " ".join(text.split()))


def name_span(setting: Switching) -> Span:
    """The place of the switch's name at the head of the setting."""
    span = setting.span
    at = span.text.find(setting.name)
    if at < 0:
        return span
    return Span(span.source, span.start + at, span.start + at + len(setting.name))
