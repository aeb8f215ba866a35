"""Carriers: a serial line or a USB unit that keeps itself open and moves bytes."""
