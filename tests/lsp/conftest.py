"""A server in a process of its own, and a client that speaks the protocol with it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
