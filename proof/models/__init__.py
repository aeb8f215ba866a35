"""Models of Table Link, of the draw and of how it is stored, checked exhaustively by SPIN and tied
to the code.

``docs/models.md`` says what is modelled, within which bounds, and what was found.
"""
