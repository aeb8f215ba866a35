"""Whether a step may be taken: guards that refuse it, with the clause that forbids it."""
