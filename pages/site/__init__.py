"""The documentation as a site that needs no server and nothing from elsewhere (``make site``).

What a page must be for MkDocs is made of it while the site is built (:mod:`~.hooks`): the pages
themselves stay as they are best read in a repository.
"""
