"""``tablectl bundle``: one archive for support, and what goes into it."""
