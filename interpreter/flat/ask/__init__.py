"""Questions: who is asked, what is legal, how a line of a strategy is searched for."""
