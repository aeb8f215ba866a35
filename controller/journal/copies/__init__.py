"""The journal's second copy, its archives, and what is saved out of a damaged one."""
