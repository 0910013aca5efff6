"""`python -m interpreter` is `rulewright`."""

from __future__ import annotations

from interpreter.cli.main import main

if __name__ == "__main__":
    main()
