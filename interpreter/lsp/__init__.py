"""The language server: what editors ask about rules and data, over the Language Server Protocol.

`server` speaks the protocol, `analysis` checks what is open and keeps what was found, and each of
the other modules answers one sort of question. Only `rulewright lsp` imports this package; it needs
pygls.
"""
