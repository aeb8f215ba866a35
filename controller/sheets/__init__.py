"""What people read of a round, in words and lines, and sheets to print."""
