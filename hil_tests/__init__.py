"""The hardware-in-loop tests: whole rounds at a table whose devices are on real links.

The terms are those of labgrid. A *bench* (``bench``, of several kinds in ``benches``) has devices
and a controller that speak over real links. A *strategy* (``tables``) brings a table from one state
to another by what ``people`` do. A *scenario* (``scenarios``) is a test that uses these alone and
so runs on every bench; ``rig`` is what gives pytest the bench of a run, and the report.

- ``kills``: the controller killed while it plays; ``replay``: captures played again, in
  ``virtual_time``; ``conformance``: the examination of a device; ``demo``: ``tablectl demo``;
- ``tests``: what runs on the virtual bench alone, and tests of the tools here;
- ``browser``: Chromium for tests of pages; ``floor``: a house's floor; ``postgresql``: its server;
- ``leftovers``: nothing is left behind by a test; ``process_tree``: which processes there are.

Imports run one way; pyproject.toml has the order. Nothing that runs at a table imports this
package. It imports the simulators, the control client, and the round scripts, by which it computes
how a round must settle.
"""
