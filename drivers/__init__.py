"""Devices of the table: protocols, carriers and drivers. Knows nothing of the controller."""
