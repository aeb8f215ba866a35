"""What the pages of a house are made of, whichever program serves them: files, headers, a state
that is followed, and HTTP (docs/decisions/0041). It knows nothing of tables.
"""
