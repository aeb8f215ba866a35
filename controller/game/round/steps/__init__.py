"""The language of a round: steps as values, and how they are read from text."""
