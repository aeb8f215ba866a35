"""Where files are read for the core, which itself reads and writes none: rule files, so far."""
