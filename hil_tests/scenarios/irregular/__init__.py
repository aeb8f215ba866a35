"""Cards that may not be played as they came, and tables at which much goes wrong."""
