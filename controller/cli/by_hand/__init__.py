"""``devices test NAME --by-hand``: what needs a person, tried in service."""
