"""A variant on disk to a merged one: finding folders, reading files, putting layers together.

`find` knows the folders, `files` reads and remembers texts, `parts` reads one variant or mod,
`chain` follows what it extends and uses, `rows` and `texts` merge data, `load` does it all.
The top layer of `dsl`; only `interpreter` imports it. Nothing is imported here.
"""
