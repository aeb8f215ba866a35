"""``tablectl journal``: verification, export, archive, recovery, signed heads."""
