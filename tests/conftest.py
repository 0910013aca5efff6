"""For all tests: diagnostics without a page fail; nothing is kept in the user's cache folder."""

from __future__ import annotations

import os
import tempfile

from dsl.cache import FOLDER_VARIABLE
from dsl.diagnostics.record import DEBUG_VARIABLE

os.environ.setdefault(DEBUG_VARIABLE, "1")

# Workers of pytest-xdist are started later and share the folder of the process that starts them.
if FOLDER_VARIABLE not in os.environ:
    _CACHE = tempfile.TemporaryDirectory(prefix="rulewright-tests-")
    os.environ[FOLDER_VARIABLE] = _CACHE.name
