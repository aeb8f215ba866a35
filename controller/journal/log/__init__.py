"""A journal's own files before they are opened; SQLite's write-ahead log: what is in it, and
whether it is whole."""
