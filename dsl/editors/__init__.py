"""What editors and pages need to show rules: an extension for Visual Studio Code (`vscode/`, packed
by `vsix`), and a lexer for Pygments (`lexer`). Nothing else imports this package.
"""
