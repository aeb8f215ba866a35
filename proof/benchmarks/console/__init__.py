"""What the console takes of a table's time, and how late its page is."""
