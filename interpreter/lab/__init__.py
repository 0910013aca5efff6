"""Experiments with rules: two versions of a game under the same luck.

`paired` has the statistics, `figures` what is counted in pairs of games, `comparing` plays two
versions, `saying` puts into words what differs. Imported by `interpreter.cli`.
"""
