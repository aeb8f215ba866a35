"""The draw: the model (``draw.pml``), and the bench that plays its runs on the real table."""
