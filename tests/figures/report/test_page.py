"""A report: what is on its page, and that nothing of it comes from elsewhere; as people see it,
narrow and wide, light, dark and on paper; and as PDF."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.not_done import NotDone
from figures.games.compiled import source_digest
from figures.report.command import as_pdf
from figures.report.page import report_of
from figures.report.reading import Result
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import (
    LARGE,
    Screen,
    not_accessible,
    not_by_keyboard,
    on_paper,
    too_wide,
)
from tests.figures.report.some_results import DIGEST, edge, everything, read, worth


@pytest.fixture(scope="package")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return read(tmp_path_factory.mktemp("results"), everything())


@pytest.fixture(scope="package")
def written(results: list[Result]) -> str:
    return report_of(results).screen


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


NARROW = Screen("narrow", 400, 800)


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("screen", [NARROW, LARGE], ids=lambda screen: screen.name)
def test_it_fits_and_everybody_can_read_it(
    visits: Visits, tmp_path: Path, written: str, screen: Screen
) -> None:
    file = tmp_path / "report.html"
    file.write_text(written)
    shown = visits.open(file.as_uri(), screen)
    assert [*too_wide(shown), *not_accessible(shown), *not_by_keyboard(shown)] == []
    visits.picture(shown, f"report-{screen.name}-light")
    shown.emulate_media(color_scheme="dark")
    assert not_accessible(shown, "color-contrast") == []
    visits.picture(shown, f"report-{screen.name}-dark")
    with on_paper(shown):
        assert too_wide(shown) == []


PICTURE = re.compile(r"<svg .*?</svg>", re.DOTALL)


def test_every_picture_and_table_has_what_gives_it_again(written: str) -> None:
    parts = re.findall(r"<section .*?</section>", written, re.DOTALL)
    assert len(parts) == 1 + len(everything())
    for part in parts[1:]:
        shown = re.split(r'(?=<figure>|<div class="scroll")', part)[1:]
        assert shown
        for one in shown:
            for words in ("seed 77", "Version 0.", DIGEST[:16], "table-figures edge --rules mbs"):
                assert words in one
        assert DIGEST in part
        assert source_digest() in part, "no digest of the kernel"


def test_nothing_runs_and_nothing_is_loaded(written: str) -> None:
    assert "default-src 'none'; style-src 'unsafe-inline'" in written
    assert '<html lang="en">' in written
    for word in ("<script", "<img", "<link", "@import", "url(http", "<iframe", " src="):
        assert word not in written
    for target in re.findall(r'href="([^"]*)"', written):
        assert target.startswith("#"), target
    addresses = set(re.findall(r"https?://[^\"' ]+", written))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_pictures_are_whole_and_have_text_as_text(written: str) -> None:
    pictures = PICTURE.findall(written)
    assert len(pictures) == 2 * 2 + 2
    names: list[str] = []
    for svg in pictures:
        root = ElementTree.fromstring(svg)
        assert root.get("aria-label")
        assert root.findall(".//{*}text")
        names += [one for item in root.iter() if (one := item.get("id"))]
        assert not re.search(r"(fill|stroke): #", svg), "a colour that is the same by night"
    assert len(names) == len(set(names))


def _rows(shown: str) -> list[str]:
    return [re.sub(r"(<[^>]*>|\s)+", " ", row).strip() for row in re.findall("<tr>.*?</tr>", shown)]


def test_documents_stand_beside_each_other_by_decks_and_policy(tmp_path: Path) -> None:
    told = [edge("a", 4, "optimal", 0.001), edge("a", 4, "simple", 0.002), edge("b", 6)]
    shown = report_of(read(tmp_path, list(told))).screen
    rows = _rows(shown)
    assert "a 4 0.100 % 0.0010 % 0.200 % 0.0010 %" in rows
    assert "b 6 0.534 % 0.0010 % - -" in rows
    assert "a pair 2.872 % -" in rows
    assert "beside each other" not in report_of(read(tmp_path, [edge()])).screen


def test_runs_of_one_document_and_policy_stand_beside_each_other(tmp_path: Path) -> None:
    told = [edge(main=n / 1000) for n in range(1, 6)]
    told[1]["setting"]["boxes"] = told[4]["setting"]["boxes"] = 7
    told[2]["setting"]["penetration_percent"] = 50
    told[4]["origin"]["seed"] = 78
    told[3]["setting"]["weights"] = "100=2,10=8"
    weights, button = "weights 100=1,10=9", "10.977"
    shown = _rows(report_of(read(tmp_path, list(told))).screen)
    assert f"mbs 8 1 box, 75 % to the cut, {weights}, seed 77 0.100 % 0.0010 %" in shown
    assert f"mbs 8 7 boxes, 75 % to the cut, {weights}, seed 77 0.200 % 0.0010 %" in shown
    assert f"mbs 8 1 box, 50 % to the cut, {weights}, seed 77 0.300 % 0.0010 %" in shown
    assert "mbs 8 1 box, 75 % to the cut, weights 100=2,10=8, seed 77 0.400 % 0.0010 %" in shown
    assert f"mbs 8 7 boxes, 75 % to the cut, {weights}, seed 78 0.500 % 0.0010 %" in shown
    assert f"mbs pandemonium, {weights} {button} %" in shown
    assert f"mbs pandemonium, weights 100=2,10=8 {button} %" in shown


def test_no_run_hides_another_that_is_the_same_by_all_words(tmp_path: Path) -> None:
    told = [edge(main=0.001), edge(main=0.002), edge(policy="simple", main=0.003), edge(main=0.004)]
    shown = _rows(report_of(read(tmp_path, list(told))).screen)
    assert "mbs 8 - 0.100 % 0.0010 % 0.300 % 0.0010 %" in shown
    assert "mbs 8 run 2 0.200 % 0.0010 % - -" in shown
    assert "mbs 8 run 3 0.400 % 0.0010 % - -" in shown


def test_the_value_that_weighs_most_is_the_first_and_the_table_has_all(tmp_path: Path) -> None:
    shown = report_of(read(tmp_path, [worth(40)])).screen
    rows = re.findall(r'<th scope="row">hands\.value_(\d+)</th>', shown)
    assert len(rows) == 40
    changes = [abs(worth(40)["values"][int(row) - 1]["change"]) for row in rows]
    assert changes == sorted(changes, reverse=True)
    assert "the 25 that weigh most of 40" in shown
    assert "ended before it was done: not whole are hands.value_7 = no." in shown
    assert "&lt;yes&gt;" in shown


def test_the_same_results_give_the_same_bytes_in_another_process(
    tmp_path: Path, written: str
) -> None:
    program = (
        "import sys; from pathlib import Path; from figures.report.page import report_of\n"
        "from tests.figures.report.some_results import everything, read\n"
        "sys.stdout.write(report_of(read(Path(sys.argv[1]), everything())).screen)"
    )
    again = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, tmp_path],
        env={**os.environ, "PYTHONHASHSEED": "5"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert again.stdout == written
