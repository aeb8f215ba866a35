"""Forms of plain values (JSON, TOML, a journal's bodies): each is a type that says once what a
value may be, and by which it is read, refused with all its faults, and shown in the documents.
"""
