"""Whether the tests would notice if a rule file said something else.

A mutant is a rule file with one value changed to another permitted one, or with one case of an
irregularity left out. It is killed by what fails with it: the loader, a round worked out by hand
(:mod:`~.fates`), or a test that needs the document (:mod:`~.live`). What nothing kills is a gap in
the tests, unless ``equivalents.toml`` proves that it plays the same.

Citations are mutated where they decide what a result or a refusal says (``settled_by``,
``not_played``). Those of values, cases and states are held against the documents by
:mod:`pages.clauses`.

``python -m proof.mutation`` takes hours: it is a command for the night (``make mutate``).
"""
