"""The course of a round: what happened in it, entry by entry, as it is shown in a dispute.

:mod:`.steps` is the model; :mod:`.recording` makes it while a journal is replayed; :mod:`.saying`
has the words of what the table itself does not say.
"""
