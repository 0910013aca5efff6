"""What is built in beside the rules: marks for the log, counts, measures."""
