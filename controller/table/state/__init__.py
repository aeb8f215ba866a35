"""The state of a live table: its parts, and the table that joins them. A part's fields are changed
only by its own methods and by the functions of the file or folder that has the part: that of its
name, ``betting`` for the course, ``links`` and ``starting`` for the devices, ``dealing`` for loose
cards (``tests/architecture``).
"""
