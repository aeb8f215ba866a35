"""The clauses of the rule documents, and what carries each: a tool that writes ``docs/clauses``.

``config/clauses`` lists every clause of a document in our own words (:mod:`.sources`); rule files
say which of them they follow (:mod:`controller.files.readings`), tests which of them they show
(:mod:`.shown_clauses`). :mod:`.account` brings the three together and finds the gaps,
:mod:`.describe` writes them down.
"""
