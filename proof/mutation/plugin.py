"""For pytest: rule files from another folder, and a list of the tests that passed.

``-p proof.mutation.plugin`` with ``MUTATION_CONFIG``, a copy of ``config/``, and
``MUTATION_PASSED``, the file that gets the node ids. It is imported before any test, so nothing has
read another folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.files import rules
from proof.mutation.live import CONFIG, PASSED

vars(rules)["RULES_DIRECTORY"] = Path(os.environ[CONFIG]) / "rules"  # final for everybody else


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that passed."""
    if report.when == "call" and report.passed:
        with Path(os.environ[PASSED]).open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")
