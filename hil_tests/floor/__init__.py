"""A floor for the rig: PostgreSQL, collectors, and tables whose journals are sent there.

``house`` is the floor and what a table has for it, ``at_play`` the tables and what it came to.
``python -m hil_tests.floor`` (``make floor-demo``) has six tables at play.
"""
