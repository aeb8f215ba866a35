"""Rules as data and pure functions: cards, hands, rule documents, pay tables.

Nothing here knows a clock, a file other than a rule file, or the name of a rule document.
"""
