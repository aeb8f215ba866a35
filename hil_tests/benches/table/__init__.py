"""The bench with real devices, and people at them."""
