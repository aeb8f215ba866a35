"""Pages of documentation that are written out of the code, and compared with it by ``--check``.

:mod:`.table` plays tables to find out what it writes, :mod:`.clauses` and :mod:`.inspection` have
an account of every clause and every demand. Nothing of the controller imports this package.
"""
