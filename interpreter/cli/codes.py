"""What commands end with. Imports nothing."""

FINDINGS = 1
"""There is something to mend in rules or data."""

WRONG_USAGE = 2
"""The command line asks for what there is not."""

REFUSED = 2
"""The system gives no place to write, or no memory."""

UNDECIDED = 4
"""Too few games were played to tell."""

CRASH = 3
"""A bug of ours."""

INTERRUPTED = 130
"""Ctrl-C has ended it."""
