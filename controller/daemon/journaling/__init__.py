"""What the daemon does with its journal: committing, snapshots, signed heads, and beside play
copying, scrubbing and recounting, each in a thread of its own.
"""
