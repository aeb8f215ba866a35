"""A journal's files, altered in every way that a disk or a hand alters files.

- :mod:`~.material`: a journal made by real play, as a power cut leaves it;
- :mod:`~.pages`: which bytes of a page are what;
- :mod:`~.altering`: the alterations;
- :mod:`~.trial`: what a start, the scrubber and the verification make of one.
"""
