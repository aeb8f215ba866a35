"""Published edges of other tables: their rules as files beside ours, played by the same kernel.

A file names the document of ours that it starts from and what differs, each with where that is said
(:mod:`~.rows`). :mod:`~.play` finds what to do, :mod:`~.comparison` plays and compares.
"""
