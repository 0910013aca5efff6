"""Playtests: thousands of games among bots, and what they say about the rules.

`machine` makes a variant ready to be played in batches, `runner` plays them on any executor,
`tally` adds up, `stats` judges, `tables`, `remarks` and `report` say it, `show` prints it, `rows`
writes the CSV. Only `interpreter.cli` and tests import this package.
"""
