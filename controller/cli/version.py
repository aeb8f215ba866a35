"""``--version``: one line, version and short digest of the program, without a controller."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final

from controller.cli.output import say

DIGITS: Final = 12
"""Of the digest in hexadecimal, as in the HELLO of a device; ``tablectl program`` has all."""


class Version(argparse.Action):
    """Prints it and ends the command."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **more)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """See :class:`argparse.Action`."""
        from controller.program import this_program

        program = this_program()
        say(f"tablectl {program.version} ({program.digest[:DIGITS]})")
        parser.exit(0)
