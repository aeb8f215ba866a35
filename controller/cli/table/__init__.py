"""The running table: what it says of itself, and what is said to it."""
