"""The whole table as plain data, and a table made of it."""
