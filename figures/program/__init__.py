"""``table-figures``: what the games return, asked from a command line."""
