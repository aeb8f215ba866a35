"""``table-figures``: what the games return, asked from a command line."""

from __future__ import annotations


def begin() -> int:
    """The program, whose exit status this is; Ctrl-C ends it without a word also while it loads."""
    try:
        from figures.program.main import main  # noqa: PLC0415 - that is what takes a while

        return main()
    except KeyboardInterrupt:
        from controller.verbs import INTERRUPTED  # noqa: PLC0415

        return INTERRUPTED
