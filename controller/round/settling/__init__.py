"""What wagers come to: settlements with the clauses that decide them."""
