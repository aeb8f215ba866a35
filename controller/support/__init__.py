"""``tablectl bundle``: what support needs of a table, gathered and without secrets."""
