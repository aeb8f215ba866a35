"""Commands: one row a verb, its slots filled or open, and the only place where they are text."""
