"""A table in virtual time: one seed drives clock, wires, devices, dealer, faults and crashes.

The daemon is the real one above its outermost seams (:class:`controller.daemon.outside.Outside` and
its event loop): the same owner, fleet, links, table and journal file. Nothing here waits: time
jumps to the next thing that happens (:mod:`hil_tests.virtual_time`). All of it together, from a
seed, is a shift of :mod:`proof.torture.play`.
"""
