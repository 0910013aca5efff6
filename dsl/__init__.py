"""The Rulewright language: from source text and YAML to a checked core program."""
