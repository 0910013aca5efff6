"""Runs scenarios: worked examples of the rules, written beside them."""
