"""What tries to break the table, counts what it costs, and proves what holds in every state."""
