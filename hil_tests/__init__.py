"""The hardware-in-loop rig: scenarios of whole rounds in the words of the trade."""
