"""Pages of documentation that are written out of the code, and compared with it by ``--check``.

:mod:`.table` plays tables and rounds to find out what it writes; :mod:`.clauses` and
:mod:`.requirements` account for every clause and every demand of regulators; :mod:`.draw` computes
the tables of ``docs/draw.md``. Nothing else of the controller imports this package.
"""
