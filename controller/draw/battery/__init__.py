"""The statistical battery over the generator and its mapping: what a technician runs.

It never runs in the daemon (an import contract sees to that). ``chances`` are the distributions,
``series`` what is looked at, ``counts``, ``patterns`` and ``waves`` the tests, ``verdict`` runs
them on the path that draws take and says whether all is well. What it must find is planted
in ``proof/battery``.
"""
