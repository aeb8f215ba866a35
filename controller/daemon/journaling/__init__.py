"""What the daemon does with its journal: snapshots, signed heads, and the threads that
look after it (:mod:`controller.upkeep`).
"""
