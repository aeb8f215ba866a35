"""What was asked for, on standard output: a result as JSON, or as text."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from figures.report.plain import as_text
from figures.report.reading import result_of


def tell(given: argparse.Namespace, told: Mapping[str, object]) -> None:
    """One line of JSON with ``--json``, else as text."""
    as_json = json.dumps(told, allow_nan=False)
    print(as_json if given.json else "\n".join(as_text(result_of(told))))
