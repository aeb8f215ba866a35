"""The hardware-in-loop rig: scenarios of whole rounds in the words of the trade.

In the words of labgrid: a *bench* (:mod:`hil_tests.bench`) holds resources, that is devices and
a controller that speak over real links; a *strategy*, the :mod:`hil_tests.dealer`, brings the table
from one state to another; a *scenario* is a test that only speaks to these two.

Nothing at run time imports the rig. It imports the simulators, the control client, and the round
scripts, from which it computes what a round must come to.
"""
