"""Tables as tests use them, and the checks of their journals.

- ``strategy``: brings a table to a named state, with known cards or without;
- ``reused_table``: a bench or table that is kept from one test to the next;
- ``scripted``: plays a round script at a table; ``irregular``: a table at which things go wrong;
- ``unplugged``: a table at which every device is unplugged in every state;
- ``comparison``: the journal of a table compared with what was seen there;
- ``press_latency``: measures the time from a press to ``SHOW`` on the virtual machine.
"""
