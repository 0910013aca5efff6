"""Sampling of what a seat can't see, and bots that search with it. See docs/bots.md."""
