"""Why play is held."""
