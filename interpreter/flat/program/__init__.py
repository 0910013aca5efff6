"""The driver around the rules: phases, events with their rules, scenarios, what follows writes."""
