"""Whether the box itself is well: self-tests at the start, watches in between, and what is reported
to the table when either finds something.
"""
