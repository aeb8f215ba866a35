"""The page of requirements."""
