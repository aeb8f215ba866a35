"""``tablectl draw``: odds, the tests of generator and mapping, and how a draw came about."""
