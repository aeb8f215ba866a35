"""The virtual bench: the daemon as a process here, its devices twins at the far end of links."""
