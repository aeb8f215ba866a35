"""A file that is written out of the message table: rewritten, or compared with what is there."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def write_or_check(
    text: str, file: Path, module: str, about: str | None, arguments: list[str] | None
) -> int:
    """Write ``text`` to ``file``, or with ``--check`` compare it: 1 when it differs. ``module`` is
    whose ``python -m`` writes it, ``about`` what its help says."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift")
    parser.add_argument("--output", type=Path, default=file, help="the file to write")
    chosen = parser.parse_args(arguments)
    if not chosen.check:
        chosen.output.parent.mkdir(parents=True, exist_ok=True)
        chosen.output.write_text(text, encoding="utf-8")
        return 0
    if chosen.output.is_file() and chosen.output.read_text(encoding="utf-8") == text:
        return 0
    print(
        f"{chosen.output} does not agree with the messages: run python -m {module}",
        file=sys.stderr,
    )
    return 1
