"""What the console's process does without."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

WITHOUT: Final = {"click", "controller.daemon", "multiprocessing", "segno", "sqlite3"}
"""uvicorn's command line and its processes, the controller itself, pictures of a code, a database:
each takes memory beside a table's cards."""


def test_it_imports_nothing_that_it_does_not_use() -> None:
    imported = "import json, sys, console.main; print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", imported], capture_output=True, check=True)
    assert not WITHOUT.intersection(json.loads(told.stdout))
