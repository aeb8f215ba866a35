"""What tries to break the table, and counts what it costs, tried itself."""
