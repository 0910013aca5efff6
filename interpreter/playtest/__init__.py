"""Playtests: thousands of games among bots, and what they say about the rules.

`conduct` does it all. Below it, `printing` and `machine` make a variant ready to be played in
batches, `runner` plays them on any executor, `tally` adds up, `stats` judges, `tables`, `remarks`
and `report` say it, `show` prints it, `rows` writes the CSV. Imported by `interpreter.api` and
`interpreter.cli`.
"""
