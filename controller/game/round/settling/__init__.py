"""Settlement of wagers, with the clauses that decide it."""
