"""``python -m tests.console.locking_soon FILE``: the console of that configuration, whose screen
locks sooner than a house may have it."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from console.configuration import load_console
from console.main import show_screens

LOCK_S: Final = 3

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    show_screens(replace(load_console(Path(sys.argv[1])), lock_s=LOCK_S))
