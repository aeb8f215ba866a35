"""A floor for the rig: PostgreSQL, collectors, and tables whose journals are sent there.

``house`` is the floor, ``sending`` what a table has for it, ``wire`` the network between. ``python
-m hil_tests.floor`` (``make floor-demo``) has six tables at play.
"""
