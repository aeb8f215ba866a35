"""Rules as data and pure functions: cards, hands, rule documents, pay tables.

The package uses no clock and no file, and depends on no particular rule document.
"""
