"""For tests of the syntax: codes without a page fail where they are raised; golden files."""

from __future__ import annotations

import os

from dsl.diagnostics.record import DEBUG_VARIABLE

os.environ.setdefault(DEBUG_VARIABLE, "1")
