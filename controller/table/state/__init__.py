"""The state of a live table: one file for each part, and the table that joins them. A part's fields
are changed only by its own methods and by the functions of the folder that has the part: the folder
of its name, ``betting`` for the course, ``devices`` for the setup and the devices, ``dealing`` for
loose cards (``tests/architecture``).
"""
