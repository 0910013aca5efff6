"""Runs printed programs: one game in Python, batches in Python or WebAssembly, with one result."""
