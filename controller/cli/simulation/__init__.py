"""``tablectl simulate``: many rounds for figures, in several processes."""
