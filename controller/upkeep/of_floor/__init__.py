"""A journal that is taken back from the floor: read there, made into a file, proven."""
