"""What pytest has of a bench: its option, fixtures' types, the report, and docs/scenarios.md.

``opening``: the bench of a file, opened; ``plugin``: ``--bench`` and what is not run on a bench;
``report``: the report of a run; ``describe``: docs/scenarios.md.
"""
