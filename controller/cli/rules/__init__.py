"""``tablectl rules``: rule sets as pages, their differences and their faults."""
