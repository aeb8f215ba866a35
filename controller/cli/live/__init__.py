"""``tablectl watch``: the table on a full screen, live; as lines where there is no screen.

``feed`` asks the controller, ``seen`` is what is known at one moment, ``differing``, ``links``,
``cells`` and ``layout`` make lines of it without a terminal, ``app`` and ``drills`` show them and
take keys.
"""
