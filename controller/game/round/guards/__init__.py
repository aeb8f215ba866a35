"""Guards: each refuses a step that is not permitted, with the clause that forbids it."""
