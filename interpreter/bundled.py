"""Where the variants that ship with Rulewright are. Lowest layer: imports no project module."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def variants_dir() -> Path:
    """The folder with one sub-folder per bundled variant, in a checkout as in an installed wheel.

    Raises FileNotFoundError if the installation has lost it.
    """
    for folder in (_PACKAGE / "variants", _PACKAGE.parent / "variants"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        "The bundled variants are missing from this installation; install Rulewright again."
    )
