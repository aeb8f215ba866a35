"""The page of the floor."""
