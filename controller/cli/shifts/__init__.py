"""``shift report``: the report on a shift or a gaming day."""
