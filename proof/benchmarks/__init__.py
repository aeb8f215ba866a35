"""Measurements: each prints what it found, none fails a build (``make bench``)."""
