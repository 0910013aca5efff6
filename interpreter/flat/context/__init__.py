"""What all of lowering shares: the program being made, environments, where fields lie."""
