"""The daemon's journal: signed heads, played rounds, and threads that look after it."""
