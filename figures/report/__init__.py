"""Reports of the figures, for who approves, buys or audits a table: one HTML file and the same as
PDF, with pictures.

``edge_part`` and ``other_parts`` say what a result comes to, as paragraphs, tables and pictures
(``figure``). ``page`` writes that as HTML, with what ``pictures`` draws, what gives each again, and
documents beside each other. ``reading`` takes what ``table-figures`` has printed as JSON;
``command`` is its ``report``, and makes a PDF of the page.
"""
