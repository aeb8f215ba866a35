"""``tablectl watch``: what ``status`` shows, live; on a full screen, or as lines."""
