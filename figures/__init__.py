"""What the games return: their figures, by many rounds and by exact sums; never in the daemon."""
