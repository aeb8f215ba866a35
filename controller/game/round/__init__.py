"""One round of play: its state as data, with functions that check and apply steps to it. The
package does not depend on the live table: no devices, no journal, no clock. A function that checks,
or changes a round, raises :class:`~.refusal.Refused` where that is not permitted.
"""
