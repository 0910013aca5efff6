"""Statements of the core as flat statements: transfers, luck, watches."""
