"""A USB unit as a process: what it says on its bus, carried by the usbredir protocol."""
