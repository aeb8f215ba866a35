"""The journal: everything that happened at a table, in order, durable and chained.

``model`` says what an entry is, ``store`` writes it, ``reader`` reads it, ``verify`` proves that
nothing was changed, ``export`` and ``stats`` show it.
"""
