"""The collector, as a process on real sockets over a real database."""
