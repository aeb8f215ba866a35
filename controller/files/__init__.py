"""Files as they are read outside the core: rule files, with what they say in words, and media that
may not answer."""
