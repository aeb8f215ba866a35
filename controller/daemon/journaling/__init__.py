"""What the daemon does with its journal: signed heads, played rounds, and threads that look after
it.
"""
