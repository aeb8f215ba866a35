"""Service mode: nothing is played, and a technician tries the devices."""
