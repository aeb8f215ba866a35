"""What a live table remembers: one file for each part, and the table that joins them.

A part's fields are changed by its own methods and by the functions of the folder of its name, and
by nothing else.
"""
