"""The state of a live table: one file for each part, and the table that joins them. A part's fields
are changed only by its own methods and by the functions of the folder of its name.
"""
