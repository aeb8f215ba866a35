"""The tests of a document beside its rounds, and whether one of them kills a mutant.

A test belongs to a document when it passes with the rule file and not without it. Each run is a
pytest of its own on a copy of ``config/``, for tests read rule files as they are imported. This
module is its plugin: imported before any test, so that nothing has read another folder, it has
rule files read from ``MUTATION_CONFIG`` and writes the node ids of tests that passed to
``MUTATION_PASSED``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.files import rules

ROOT = Path(__file__).resolve().parents[2]

WHERE = (
    "tests/table/live",
    "tests/game/rules/test_cards.py",
    "tests/configuration/test_configuration.py",
)
PROVE_NOTHING = {
    "tests/table/live/test_anything.py": "plays by chance",
    "tests/table/live/showing/test_documents.py": "compares pages with rule files",
    "tests/table/live/test_product.py": "shows what holds under any rules",
}
"""Files whose tests do not say what the document does, and why."""

CONFIG = "MUTATION_CONFIG"
PASSED = "MUTATION_PASSED"
"""Variables of a run's environment."""

LONGEST_S = 900
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


if CONFIG in os.environ:
    vars(rules)["RULES_DIRECTORY"] = Path(os.environ[CONFIG]) / "rules"  # final for everybody else


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that passed."""
    if report.when == "call" and report.passed:
        with Path(os.environ[PASSED]).open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


def tests_of(documents: Sequence[str]) -> dict[str, list[str]]:
    """The tests of each document, as node ids.

    Raises:
        RuntimeError: a test fails although no rule file has been changed.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        every, *without = pool.map(_passing, (None, *documents))
    return {
        document: [test for test in every if test not in set(passing)]
        for document, passing in zip(documents, without, strict=True)
    }


def _passing(missing: str | None) -> list[str]:
    """The tests that pass without the rule file of a document, or (None) with all."""
    with _copy() as folder:
        if missing is not None:
            (folder / "config" / "rules" / f"{missing}.toml").unlink()
        where = [*WHERE, *(f"--ignore={path}" for path in PROVE_NOTHING)]
        ran = _pytest(folder, "--continue-on-collection-errors", *where)
        if missing is None and ran.returncode:
            raise RuntimeError(f"tests fail without a mutant:\n{ran.stdout[-4000:]}")
        return (folder / "passed").read_text(encoding="utf-8").splitlines()


def failing_test(document: str, text: str, tests: Sequence[str]) -> str | None:
    """The first of the tests that fails with ``text`` as the document's rule file; None: none."""
    if not tests:
        return None
    with _copy() as folder:
        (folder / "config" / "rules" / f"{document}.toml").write_text(text, encoding="utf-8")
        names = folder / "names"
        names.write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
        try:
            ran = _pytest(folder, "--exitfirst", f"@{names}")
        except subprocess.TimeoutExpired:
            return f"the tests do not end within {LONGEST_S} s"
    if ran.returncode == 0:
        return None
    failed = _FAILED.search(ran.stdout)
    return failed[1] if failed else "collecting the tests"


@contextmanager
def _copy() -> Iterator[Path]:
    """A folder with a copy of ``config/``, gone afterwards."""
    with TemporaryDirectory(prefix="mutant-") as name:
        shutil.copytree(ROOT / "config", Path(name) / "config")
        yield Path(name)


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
    command += ["-p", "proof.mutation.live", "--tb=no", *arguments]
    environment = {
        **os.environ,
        CONFIG: str(folder / "config"),
        PASSED: str(folder / "passed"),
        "TABLE_NIGHT": "1",  # as by night: a mutant may need a round that is not played by day
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
    )
