"""``setup``: commissioning of a table, from what is plugged in to a configuration that runs."""
