"""Cards of the round in progress, and their irregularities."""
