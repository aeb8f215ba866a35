"""The controller killed while it plays, and the account of what was kept.

- ``killable_table``: people who go on playing when the controller is killed and started again;
- what kills it: ``at_held_lines`` while a device's line is held back, ``at_commits`` at a planned
  commit (``commit_plan``, ``killed_daemon``), ``at_random`` at any instruction, ``power_cuts`` with
  the machine itself;
- ``rounds``: the rounds played meanwhile; ``device_states``: what a device was waiting for;
- ``account``: what is counted; ``ways``: a table for each way to kill.
"""
