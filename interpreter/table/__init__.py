"""What lies on the table, as one seat sees it: places, cards, piles, seats. Knows no screen; a
terminal, a page and a sheet draw from it."""
