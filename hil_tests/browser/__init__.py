"""A real browser for the tests of pages: Debian's Chromium, driven by Playwright.

A test asks for the fixture ``visits`` (``plugin``) and opens pages with it, by screens of several
sizes. ``looking`` judges what is seen; ``chromium`` is the browser itself, one for each process of
a run. Tests speak Playwright's synchronous API and are no coroutines.
"""
