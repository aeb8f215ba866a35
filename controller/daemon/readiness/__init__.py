"""The report before opening: whether the table is ready, and what is missing."""
