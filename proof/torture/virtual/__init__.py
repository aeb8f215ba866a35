"""A table in virtual time: one seed drives clock, wires, devices, dealer, faults and crashes.

The daemon is the real one above its outermost seams (:class:`controller.daemon.outside.Outside` and
its event loop): the same owner, fleet, links, table and journal file. Nothing here waits: time
jumps to the next thing that happens (:mod:`hil_tests.virtual_time`).

- ``wire``: lines between the devices and the daemon, with delay, noise and unplugging;
- ``life``: one life of the daemon, from its start to its death;
- ``site``: the devices, and every life after the other; ``people`` handle both;
- ``ledger``: what really happened, and that the journal tells the same;
- ``faults``: what goes wrong.

All of it together, from a seed, is a shift of :mod:`proof.torture.play`.
"""
