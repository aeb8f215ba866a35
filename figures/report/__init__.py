"""Reports of the figures, for who approves, buys or audits a table: one HTML file and the same as
PDF, with pictures.

``edge_part`` and ``other_parts`` say what a result comes to, as paragraphs, tables and pictures
(``figure``). ``plain`` writes that as text, as the commands print it, ``page`` as HTML, with
what ``pictures`` draws, what gives each again, and a ``comparison``; ``paper`` makes a PDF of it.
``reading`` takes what ``table-figures`` has printed as JSON; ``command`` is its ``report``.
"""
