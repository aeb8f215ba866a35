"""A console beside a real daemon with simulated devices, once for each process of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.console.server.beside import ConsolePage, DealersConsole


@pytest.fixture(scope="session")
def console() -> Iterator[DealersConsole]:
    """One that nobody disturbs; its table takes wagers, and no round is begun."""
    with DealersConsole() as made:
        made.bench.control.dealer("open")
        yield made
        assert "Traceback" not in made.program.said


@pytest.fixture
def disturbed() -> Iterator[DealersConsole]:
    """One that a test may kill, stop and fill."""
    with DealersConsole({"lock_s": "10"}) as made:
        yield made
        assert "Traceback" not in made.program.said


@pytest.fixture
def acting(console: DealersConsole) -> Iterator[ConsolePage]:
    """A page of it that acts."""
    with console.acting() as page:
        yield page


@pytest.fixture(scope="session")
def resting() -> Iterator[DealersConsole]:
    """Another one, whose table is left between rounds."""
    with DealersConsole() as made:
        yield made
        assert "Traceback" not in made.program.said
