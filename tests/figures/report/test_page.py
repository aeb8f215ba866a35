"""The page of a report: what is on it, and that nothing of it comes from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from figures.games.compiled import source_digest
from figures.report.page import report_of
from tests.figures.report.some_results import DIGEST, edge, everything, read, worth

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
    assert "a pair 3.414 % -" in rows
    assert "beside each other" not in report_of(read(tmp_path, [edge()])).screen


def test_runs_of_one_document_and_policy_stand_beside_each_other(tmp_path: Path) -> None:
    told = [edge(main=n / 1000) for n in range(1, 6)]
    told[1]["setting"]["boxes"] = told[4]["setting"]["boxes"] = 7
    told[2]["setting"]["penetration_percent"] = 50
    told[4]["origin"]["seed"] = 78
    told[3]["setting"]["weights"] = "100=2,10=8"
    weights = "weights 100=1,10=9"
    shown = _rows(report_of(read(tmp_path, list(told))).screen)
    assert f"mbs 8 1 box, 75 % to the cut, {weights}, seed 77 0.100 % 0.0010 %" in shown
    assert f"mbs 8 7 boxes, 75 % to the cut, {weights}, seed 77 0.200 % 0.0010 %" in shown
    assert f"mbs 8 1 box, 50 % to the cut, {weights}, seed 77 0.300 % 0.0010 %" in shown
    assert "mbs 8 1 box, 75 % to the cut, weights 100=2,10=8, seed 77 0.400 % 0.0010 %" in shown
    assert f"mbs 8 7 boxes, 75 % to the cut, {weights}, seed 78 0.500 % 0.0010 %" in shown
    assert f"mbs button, {weights} 3.414 %" in shown
    assert "mbs button, weights 100=2,10=8 3.414 %" in shown


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
