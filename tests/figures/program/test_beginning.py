"""Ctrl-C while the program's modules are loaded ends it as at any other time."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.figures.edges.support import CHECKOUT

AS_INSTALLED = """
import signal, sys

class Interrupting:
    at = [sys.argv[1]]

    def find_spec(self, name, path=None, target=None):
        if name in self.at:
            self.at.remove(name)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from {module} import {function}
sys.argv[1:] = ["edge", "--help"]
sys.exit({function}())
"""


@pytest.mark.parametrize("module", ["figures.program.main", "controller.verbs", "figures.kernel"])
def test_it_is_interrupted_while_it_loads(module: str) -> None:
    scripts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["scripts"]
    where, _, function = scripts["table-figures"].partition(":")
    script = AS_INSTALLED.format(module=where, function=function)
    ran = subprocess.run(
        [sys.executable, "-c", script, module],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
