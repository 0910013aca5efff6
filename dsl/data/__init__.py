"""YAML data with the place of every value: loading, and checking its shape.

`node` has the node types, `loader` reads a text into them, `schema` checks nodes against a JSON
Schema, `outer` knows the fixed shape of variant.yaml and mod.yaml, `formatter` writes a file in the
one style. Imports `dsl.source` and `dsl.diagnostics` only. Nothing is imported here: `schema` is
slow to import, `loader` is not.
"""
