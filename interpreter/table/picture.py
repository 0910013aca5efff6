"""A picture that a page can hold: SVG, its size in millimetres, and what it shows in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """`body`: what stands in the outermost `svg` element; `alt`: what it shows, for those who do
    not see it."""

    width: float
    height: float
    body: str
    alt: str
