"""The pages' scripts, by node: each test in a ``.mjs`` file beside this one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("node")

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "tests").rglob("*.test.mjs"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script(script: Path) -> None:
    done = subprocess.run(
        ["node", "--test", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
