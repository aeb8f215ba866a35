"""Tables as tests use them, and the checks of their journals.

- ``strategy``: brings a table to a named state; ``dealt_strategy``: the same without known cards;
- ``reused_bench``, ``reused_table``: a bench or table that is kept from one test to the next;
- ``scripted``: plays a round script at a table; ``irregular``: a table at which things go wrong;
- ``unplugged``: a table at which every device is unplugged in every state;
- ``offline``: a table without devices, which only computes;
- ``journal``: the journal of a table as exported; ``comparison``: the same compared with what was
  seen at the table;
- ``press_latency``: measures the time from a press to ``SHOW`` on the virtual machine.
"""
