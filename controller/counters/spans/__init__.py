"""What happened in a shift or in a gaming day: a projection of the journal, for the shift report.

:mod:`.moment` is when an entry was made, :mod:`.belonging` says to which span an entry belongs,
:mod:`.ledger` keeps an account of each span, :mod:`.report` writes one for people and programs. All
of it is pure: a replay shows it every entry (:mod:`controller.replay.shift_reports`).
"""
