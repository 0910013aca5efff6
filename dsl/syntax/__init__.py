"""The surface language: text to syntax tree and back. Knows no declaration and no game.

`parser.parse_script` and `parser.parse_expression` are the way in, `printer.format_script` the way
back, `nodes` what is in between. Inside, in the order of the work:

- `rules.lark` is the grammar; `grammar` makes parse tables of it with Lark, `tables` is what they
  are, `table_file` keeps them beside it in `tables.json`, so that Lark is not even loaded;
- `layout` makes tokens of the text, with lines and blocks;
- `driver` runs the tables; the `build...` modules make the nodes as it goes;
- `formatter` writes a script that was read in the one style, with its comments; `breaking` makes
  the lines of a statement;
- `recovery` reads on after a mistake; `mistakes`, `mistaken_words`, `problems`, `foreign` and
  `expected` say what it was.

To add a construct: a rule in the grammar (and `make bless` for the tables), a node, the method
`build_RULE`, a printer, an example in `tests/syntax/examples` (a test says which rules and nodes
have none), and a strategy in `tests/syntax/syntax_trees.py`.
"""
