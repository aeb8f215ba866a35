"""What a floor keeps, in PostgreSQL: how far each log is mirrored, and its entries."""
