"""What the processes of the console and the floor do without."""

from __future__ import annotations

import subprocess
import sys

import pytest

# uvicorn's command line and its processes, the controller itself, pictures of a code, a database:
# each takes memory beside a table's cards. Of the floor: libraries that its package has not.
WITHOUT = {
    "console.main": {"click", "controller.daemon", "multiprocessing", "segno", "sqlite3"},
    "floor.main": {"controller.daemon", "rich", "segno", "serial", "tomlkit", "usb"},
}


@pytest.mark.parametrize("module", WITHOUT)
def test_it_imports_nothing_that_it_does_not_use(module: str) -> None:
    told = [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"]
    assert not WITHOUT[module].intersection(subprocess.check_output(told, text=True).split())
