"""A technician's work on the devices of a running table."""
