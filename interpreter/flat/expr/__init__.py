"""Expressions and queries of the core as flat expressions."""
