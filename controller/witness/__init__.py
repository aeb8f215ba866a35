"""``table-controller-witness``: takes checkpoints to witnesses, and the journal to the floor."""
