"""For the inspector: one file that checks an exported journal and needs nothing of the daemon."""
