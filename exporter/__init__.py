"""Health for a monitor: an exporter for Prometheus, in a process of its own beside the daemon.

It is a client of the control socket that only looks, and a reader of the nightly report. The daemon
imports nothing of it, knows nothing of it, and does without its library.
"""
