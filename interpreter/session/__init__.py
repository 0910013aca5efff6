"""Games for people and programs: compiled variants, and play from a seed and its answers."""
