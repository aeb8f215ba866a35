"""Reports of the figures, for who approves, buys or audits a table: one HTML file and the same as
PDF, with pictures.

``reading`` takes what ``table-figures`` has printed as JSON, ``pictures`` draws, ``figure`` puts
under each picture and table what gives it again, ``edge_part``, ``other_parts`` and ``comparison``
write the parts, ``page`` the whole, ``paper`` makes a PDF of it; ``command`` is ``table-figures
report``.
"""
