"""Tests of the tests: small changes of rules and data, one at a time, and whether any scenario
notices.

`edits` says what is changed in a node of the syntax tree, `data_edits` in the data; `collect` names
and draws them; `bench` makes a program with a change and runs the scenarios; `run` judges all that
are drawn, `report` tells of it.
"""
