"""``table-console``: the screens of a table, in a browser. A client of the control socket, in a
process of its own (docs/decisions/0042): what dealers and supervisors tap is a command there, and
what is shown is the table's committed state.

The pages' files have rooms in ``static``: ``common`` (words, amounts), ``felt`` (what lies there
and what is paid), ``dealer`` (the page and its keys), ``wrong`` (what went wrong, and the
supervisor), ``round`` and ``sign``. Each is served by its name alone.
"""
