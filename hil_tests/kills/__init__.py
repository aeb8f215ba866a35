"""The controller killed while it plays, and the account of what was kept.

- ``killable_dealer``: people who go on playing when the controller is killed and started again, and
  what is counted meanwhile;
- what kills it: ``at_held_lines`` while a device's line is held back, ``ways`` at a planned commit
  (``killed_daemon``) and at any instruction, ``power_cuts`` with the machine itself;
- ``rounds``: the rounds played meanwhile.
"""
