"""Steps of a round as values: classes by subject, each of them a command."""
