"""The core program: resolved, typed, small. Made by `dsl.check`, lowered by `interpreter.flat`."""
