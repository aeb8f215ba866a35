"""The table's configuration: one TOML file, read by the daemon and by ``tablectl``."""
