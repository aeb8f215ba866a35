"""What a simulated device is plugged in by: serial lines of every make, and how each is bad."""
