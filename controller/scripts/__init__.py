"""Round scripts: rounds of play written down, run on the same engine as the live table."""
