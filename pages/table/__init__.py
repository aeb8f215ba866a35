"""What the documentation says about rounds and tables: states, events, faults and keys.

Nothing of it is written by hand. :mod:`.played_rounds` and :mod:`.played_tables` play until every
state of a document has been met; :mod:`.happenings` makes every event that a table can receive.
"""
