"""The draw as it is stored: the model (``stored.pml``), and the bench that plays it on files."""
