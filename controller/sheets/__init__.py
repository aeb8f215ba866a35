"""What people read of a round, and sheets to print: words, lines, and one page that needs nothing
else.
"""
