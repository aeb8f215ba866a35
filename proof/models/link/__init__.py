"""Table Link: the model (``link.pml``), and the bench that plays its runs on the real sessions."""
