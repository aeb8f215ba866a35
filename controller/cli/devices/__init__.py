"""``devices``: links, who is on a port, tests, traffic."""
