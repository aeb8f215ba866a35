"""Why a call failed, what ends it, and who may do what: where an error becomes words.

Whoever catches an ``OSError`` or an error of SQLite asks
:func:`controller.causes.finding.cause_of`; nobody translates by himself. What each error number and
each code means is decided once (:mod:`.errnos`, :mod:`.sqlite`) and listed in docs/causes.md.
"""
