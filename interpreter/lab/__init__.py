"""Experiments with rules: two versions under one luck, figures over a range, values for a goal.

`paired` has the statistics, `figures` what is counted in pairs of games, `comparing` plays two
versions, `saying` puts into words what differs; `knobs` are what can be turned, `sampling` plays at
one setting, `sweeping` shows many, `seeking` finds one; `from_here` plays a saved game on,
`worth` ranks things by what they do, `history` keeps reports.
Imported by `interpreter.cli`.
"""
