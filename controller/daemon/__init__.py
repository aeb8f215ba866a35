"""The daemon: the only place with a loop. It joins links, table, journal and control socket."""
