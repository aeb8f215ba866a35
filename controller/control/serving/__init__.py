"""The controller's half of the control socket: who is let in, what may be asked, answers."""
