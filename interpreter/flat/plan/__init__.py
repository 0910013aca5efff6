"""What is decided from the core alone, before anything is lowered: names, numbers, what is kept."""
