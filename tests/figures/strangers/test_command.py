"""``table-figures strangers``."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from controller.not_done import WRONG_USE
from controller.verbs import INTERRUPTED
from figures.program.main import main
from figures.report.reading import read_results
from figures.strangers import comparison, rows

NAME = "pontoon-bb1-spl1-nlc"
ONE = "pontoon-spl2-spa1-d9"
FEW = ["--rounds", "20000", "--seed", "1"]


def test_each_row_of_a_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strangers", NAME, *FEW]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "by 20,000 hands" in told[0]
    end = "\n".join(told[-6:])
    assert f"table-figures strangers {NAME} --rounds 20000 --seed 1" in end
    assert "Version" in end
    assert [row.split("NLC")[1].split()[:2] for row in told[2:] if "NLC" in row] == [
        ["6", "0.41"],
        ["8", "0.38"],
    ]


def test_a_report_reads_its_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["strangers", ONE, *FEW, "--json"]) == 0
    path = tmp_path / "strangers.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    (result,) = read_results([path])
    published = [row["published"] for row in result.told["strangers"]]
    assert published == pytest.approx([0.0062])
    assert ONE in result.told["origin"]["command"]


def test_ctrl_c_between_rows_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    monkeypatch.setattr(comparison, "line", lambda _: signal.raise_signal(signal.SIGINT))
    assert main(["strangers", NAME, *FEW, "--resume", str(path)]) == INTERRUPTED
    told = capsys.readouterr()
    assert f"interrupted: 1 of 2 rows are done; go on with --resume {path}\n" in told.err
    assert "pontoon-bb1-spl1-nlc --rounds 20000" in told.out


def test_a_name_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strangers", "spanish"]) == WRONG_USE
    assert "spanish: expected some of pontoon-bb1-spl1-nlc, " in capsys.readouterr().err


def test_a_file_that_is_not_right_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "row.toml").write_text('title = "no more"\n', encoding="utf-8")
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    assert main(["strangers"]) == WRONG_USE
    assert "row.toml: decks = None: expected a list" in capsys.readouterr().err
