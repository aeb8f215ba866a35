"""Results that are read once."""

from __future__ import annotations

import pytest

from figures.report.page import report_of
from figures.report.reading import Result
from tests.figures.report.some_results import everything, read


@pytest.fixture(scope="package")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return read(tmp_path_factory.mktemp("results"), everything())


@pytest.fixture(scope="package")
def written(results: list[Result]) -> str:
    """Their page."""
    return report_of(results).screen
