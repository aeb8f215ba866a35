"""``tablectl nightly`` and ``bundle``: what is done by night, and what goes to support."""
