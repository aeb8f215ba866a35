"""The count of the shoe, its card sets, and shuffling and burning."""
