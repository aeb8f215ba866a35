"""``table-console``: the screens of a table, in a browser. A client of the control socket, in a
process of its own (docs/decisions/0042): what dealers and supervisors tap is a command there, and
what is shown is the table's committed state.
"""
