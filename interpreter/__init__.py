"""The Rulewright engine: from the core program to played games."""
