"""The command line. `main` is where it begins; `commands` knows the commands by name and loads one
only when it is run.

`checking` finds and checks what was named, `options` has what several commands share; each command
has a module of its own. Nothing imports this package.
"""
