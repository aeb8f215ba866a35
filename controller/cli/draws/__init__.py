"""``tablectl draw``: odds, the tests of generator and mapping, and the evidence of a draw."""
