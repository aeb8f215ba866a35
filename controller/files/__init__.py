"""Files as they are read outside the core: rule files, and media that may not answer."""
