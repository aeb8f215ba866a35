"""What the console's process does without."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

IMPORTED = "import json, sys, console.main; print(json.dumps(sorted(sys.modules)))"


@pytest.mark.parametrize("name", ["sqlite3", "click", "multiprocessing", "controller.daemon"])
def test_it_is_not_imported(name: str) -> None:
    """A database, uvicorn's command line and its processes, the controller itself."""
    told = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, check=True)
    assert name not in json.loads(told.stdout)
