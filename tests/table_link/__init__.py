"""Table Link v1, tested without a port, a clock or a wait."""
