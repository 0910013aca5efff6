"""From flat core to flat core: what makes a program faster, and what every program needs."""
