"""Round scripts: rounds written as JSON and run on the same engine as the live table."""
