"""Models of Table Link and of the draw, checked exhaustively by SPIN and tied to the code.

``docs/models.md`` says what is modelled, within which bounds, and what was found.
"""
