"""What follows a write: who reads what, who is woken, which values are kept up to date."""
