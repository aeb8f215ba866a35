"""A report as PDF."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.not_done import NotDone
from figures.report.command import as_pdf
from figures.report.page import report_of
from tests.figures.report.some_results import DIGEST, edge, read, worth


@pytest.fixture(scope="module", autouse=True)
def _quiet() -> Iterator[None]:
    """It tells every word of a style that is for a screen, and pytest would keep each."""
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    yield
    logging.getLogger("weasyprint").setLevel(logging.NOTSET)


@pytest.fixture
def paper(tmp_path: Path) -> str:
    return report_of(read(tmp_path, [edge(), worth()])).paper


@pytest.mark.needs("pango")
def test_the_same_page_gives_the_same_bytes(paper: str) -> None:
    first = as_pdf(paper)
    assert first.startswith(b"%PDF-")
    assert as_pdf(paper) == first


@pytest.mark.needs("pango")
def test_every_sheet_has_its_number_and_says_of_what_it_is(paper: str) -> None:
    from weasyprint import HTML  # noqa: PLC0415 - it loads what a machine may lack

    sheets = HTML(string=paper).render().pages
    assert len(sheets) >= 3
    for number, sheet in enumerate(sheets, 1):
        said = " ".join(_texts(sheet._page_box))
        assert f"page {number} of {len(sheets)}" in said
        assert f"mbs · 8 decks · seed 77 · rules {DIGEST[:16]}" in said


def _texts(box: object) -> Iterator[str]:
    if isinstance(text := getattr(box, "text", None), str):
        yield text
    for child in getattr(box, "children", ()):
        yield from _texts(child)


@pytest.mark.needs("pango")
def test_a_report_asks_nothing_of_elsewhere(paper: str) -> None:
    from weasyprint.urls import FatalURLFetchingError  # noqa: PLC0415

    with pytest.raises(FatalURLFetchingError):
        as_pdf(paper.replace("<h1>", '<img src="file:///etc/hostname" alt=""><h1>'))


def test_a_machine_without_the_library_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(NotDone, match="apt install libpango"):
        as_pdf("")
