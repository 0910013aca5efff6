"""What the tests of the rulebook share: books of variants, by name or folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
