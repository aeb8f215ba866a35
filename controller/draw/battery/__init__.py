"""The statistical battery over the generator and its mapping: what a technician runs.

It never runs in the daemon (an import contract). ``proof/battery`` plants what it must find.
"""
