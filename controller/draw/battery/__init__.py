"""The statistical battery over the generator and its mapping: what a technician runs.

It never runs in the daemon (an import contract sees to that). What it must find is planted in
``proof/battery``.
"""
