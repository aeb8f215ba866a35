"""The health of the controller itself: self-tests at the start, watches while it runs, and the
reports of their findings to the table.
"""
