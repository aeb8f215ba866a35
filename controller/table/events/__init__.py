"""Events, the only input of the live table: a class for each."""
