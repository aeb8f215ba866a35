"""``tablectl round``: rounds out of scripts, and out of the journal."""
