"""What was asked for, on standard output: a result as JSON, or as text."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def tell(given: argparse.Namespace, told: T, page: Callable[[T], Iterator[str]]) -> None:
    """One line of JSON with ``--json``, else the page."""
    print(json.dumps(told, allow_nan=False) if given.json else "\n".join(page(told)))
