"""Flat core itself: nodes, making them, going through them. Knows nothing of the core."""
