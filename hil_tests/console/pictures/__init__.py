"""The walk that goes through every screen of a table, looks at each, and takes its picture.

``python -m hil_tests.console.pictures`` (``make console-pictures``) takes them in every language
and at every size; a test walks the same way and looks. ``walk`` is who walks, ``sections`` where
to and which pictures the dealer's manual shows, ``camera`` what is wrong with a screen.
"""
