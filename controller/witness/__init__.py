"""``table-controller-witness``: takes checkpoints to witnesses, beside the daemon."""
