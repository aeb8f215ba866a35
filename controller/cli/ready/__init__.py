"""``ready``: the report before opening."""
