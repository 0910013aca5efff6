"""What can be said of a flat program: who calls whom, what is written, what has one value."""
