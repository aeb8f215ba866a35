"""``table-figures report``: what it refuses, and that nothing is half written."""

from __future__ import annotations

import argparse
import json
import re
from html import escape
from pathlib import Path

import pytest

from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from figures.program.main import main
from figures.report.command import add_report, write_report
from figures.report.reading import read_edge
from tests.figures.report.some_results import edge, shift, worth


def report(*words: object) -> None:
    parser = argparse.ArgumentParser()
    add_report(parser)
    write_report(parser.parse_args([str(word) for word in words]))


def refused(*words: object) -> tuple[int, str]:
    with pytest.raises(NotDone) as caught:
        report(*words)
    return caught.value.code, str(caught.value)


@pytest.fixture
def result(tmp_path: Path) -> Path:
    file = tmp_path / "edge.json"
    file.write_text(json.dumps(edge()))
    return file


@pytest.mark.needs("pango")
def test_both_files_are_written(result: Path, tmp_path: Path) -> None:
    (tmp_path / "shift.json").write_text(json.dumps(shift()))
    html, pdf = tmp_path / "a.html", tmp_path / "a.pdf"
    html.write_text("old")
    report(result, tmp_path / "shift.json", "--html", html, "--pdf", pdf)
    assert "A shift: mbs" in html.read_text()
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.html",
        "a.pdf",
        "edge.json",
        "shift.json",
    ]


def test_what_the_other_commands_print_becomes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = "--boxes 2 --rounds 600 --block 200 --seed 5 --uncompiled --json"
    commands = {
        "edge": f"edge mbs-pontoon-pandemonium-v5 {played}",
        "simple": f"edge pontoon-five-card-trick --policy simple {played}",
        "shift": f"shift {tmp_path / 'edge.json'} --stake 25 --loses 500 --json",
    }
    files = []
    for name, words in commands.items():
        assert main(words.split()) == 0
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(capsys.readouterr().out)
    html = tmp_path / "report.html"
    assert main(["report", *map(str, files), "--html", str(html)]) == 0
    written = html.read_text()
    edge_told = json.loads(files[0].read_text())
    assert escape(edge_told["origin"]["command"]) in written
    assert f"{100 * edge_told['main']['per_initial']['edge']:.3f}" in written
    assert main(["report", str(html), "--html", str(tmp_path / "b.html")]) == WRONG_USE
    assert "no result of table-figures" in capsys.readouterr().err
    assert html.read_text() == written


def _made_by(**other: str) -> str:
    return json.dumps({**edge(), "origin": {**edge()["origin"], **other}})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "no result of table-figures (it is no JSON from column 2 of a line on)"),
        ("[]", "no result of table-figures (it is no JSON object)"),
        ('{"rounds": 3}', "it has none of the keys distributions"),
        ("\n", "it is empty"),
        (json.dumps({**edge(), "rounds": "3"}), 'prints it: rounds = "3": expected a whole number'),
        (json.dumps({**shift(), "points": [["x"]]}), 'points[0][0] = "x": expected a number'),
        (_made_by(version="0.0.1"), "it was made by version 0.0.1, and this is version"),
        (_made_by(kernel="0" * 64), "by another source of the kernel (0000000000000000)"),
    ],
)
def test_a_file_that_is_no_result_of_this_version_is_refused(
    tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "other.json").write_text(content)
    code, said = refused(tmp_path / "other.json", "--html", tmp_path / "a.html")
    assert code == WRONG_USE
    assert words in said
    assert not (tmp_path / "a.html").exists()
    with pytest.raises(NotDone, match=re.escape(words)):
        read_edge(tmp_path / "other.json")  # as 'shift' does


def test_a_shift_is_of_one_run(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(worth()))
    with pytest.raises(NotDone, match="this is what 'worth' printed; expected what 'table-figures"):
        read_edge(path)
    path.write_text(f"{json.dumps(edge())}\n{json.dumps(edge())}\n")
    with pytest.raises(NotDone, match="it has 2 results"):
        read_edge(path)


def test_a_result_is_no_file_to_write_to(result: Path, tmp_path: Path) -> None:
    before = result.read_text()
    for name in (result, tmp_path / "x" / ".." / "edge.json"):
        code, said = refused(result, "--html", name)
        assert (code, "it is one of the results" in said) == (WRONG_USE, True)
    assert "cannot be both" in refused(result, "--html", "a", "--pdf", "./a")[1]
    assert result.read_text() == before


def test_what_is_named_wrongly_is_refused(result: Path, tmp_path: Path) -> None:
    assert refused(result)[1].startswith("name a file to write")
    assert "cannot be both" in refused(result, "--html", "a", "--pdf", "a")[1]
    missing = refused(tmp_path / "none.json", "--html", tmp_path / "a.html")
    assert missing == (WRONG_USE, f"{tmp_path / 'none.json'}: No such file or directory")


def test_what_cannot_be_written_stays_as_it_is(result: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    code, said = refused(result, "--html", tmp_path / "folder")
    assert code == NOT_WELL
    assert "it is a directory" in said
    assert "cannot be written" in refused(result, "--html", tmp_path / "none" / "a.html")[1]
