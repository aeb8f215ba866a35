"""Whether the kernel of the figures (``figures.kernel``) plays as the table's own rounds do:
tables, cards and decisions by chance are played by both, and all that can be seen is compared."""
