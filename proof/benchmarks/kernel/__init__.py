"""How many hands a second the kernel of the figures plays, beside a bare loop in C."""
