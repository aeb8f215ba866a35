"""Consoles beside real daemons with simulated devices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.console.server.beside import ConsolePage, DealersConsole


@pytest.fixture(scope="session")
def console() -> Iterator[DealersConsole]:
    """Of this process: one that nobody disturbs; its table takes wagers, and no round is begun."""
    with DealersConsole() as made:
        made.bench.control.dealer("open")
        yield made
        assert "Traceback" not in made.program.log_end


@pytest.fixture
def acting(console: DealersConsole) -> Iterator[ConsolePage]:
    with console.acting() as page:
        yield page


@pytest.fixture
def disturbed() -> Iterator[DealersConsole]:
    with DealersConsole() as made:
        yield made
        assert "Traceback" not in made.program.log_end


@pytest.fixture(scope="session")
def other() -> Iterator[DealersConsole]:
    with DealersConsole() as made:
        yield made
        assert "Traceback" not in made.program.log_end


@pytest.fixture
def resting(other: DealersConsole) -> Iterator[DealersConsole]:
    """That one, between rounds; a test may play there, and stops nothing."""
    yield other
    other.rest()
