"""The process by itself: its options, its end, and that one witness delays no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from controller import __version__
from controller.witness.main import EXAMPLES, build
from tests.daemon.process import Place, running
from tests.witness.signer import Signer
from tests.witness.stock import NEEDS, free_port, litewitness, until
from tests.witness.strange import Answering, http, strange
from tests.witness.tables import Table, process
from tests.witness.test_asking import drip, hang


def ended(*options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "controller.witness.main", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    return done.returncode, done.stdout + done.stderr


def test_without_a_witness_there_is_nothing_to_do(tmp_path: Path) -> None:
    place = Place(tmp_path)
    status, said = ended("--config", str(place.configuration))
    assert status == 0
    assert "has neither [[witness]] nor [floor]: there is nothing to do" in said


def test_a_bad_configuration_is_told(tmp_path: Path) -> None:
    status, said = ended("--config", str(tmp_path / "none.toml"))
    assert status == 2
    assert "none.toml" in said
    assert "Traceback" not in said


def test_version_and_examples() -> None:
    assert ended("--version") == (0, f"table-controller-witness {__version__}\n")
    for words, _ in EXAMPLES:
        build().parse_args(words.split()[1:])


def test_it_waits_for_its_controller_and_ends_at_once(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.add("w1", f"http://127.0.0.1:{free_port()}", Signer(tmp_path / "signer").vkey)
    with process(table):
        until(lambda: "no controller answers" in log_of(table), "it says so")
    assert log_of(table).count("no controller answers") == 1, "once, however often it is tried"


def log_of(table: Place) -> str:
    return (table.folder / "witness.log").read_text(encoding="utf-8")


@pytest.mark.needs(*NEEDS)
def test_one_that_hangs_or_lies_delays_no_other_and_holds_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path / "table")
    answers = {
        "hangs": hang,
        "drips": drip,
        "redirects": http("307 Temporary Redirect", b"", "Location: http://127.0.0.1:1/"),
        "lies": http("200 OK", "— witness.example/w1 AAAA\n".encode()),
        "stands-nowhere": http("409 Conflict", b"012\n", "Content-Type: text/x.tlog.size"),
        "says-no-type": http("409 Conflict", b"999\n"),
        "is-beyond-all": http("409 Conflict", b"9" * 30 + b"\n", "Content-Type: text/x.tlog.size"),
        "moves": http("409 Conflict", b"1\n", "Content-Type: text/x.tlog.size"),
        "is-hostile": http("500 \x1b[2J", b"\x1b[2J\xff\n\xe2\x80\xa8" * 200),
    }
    with (
        table.plugged(),
        litewitness(tmp_path / "witness") as good,
        all_of(answers, tmp_path, table),
    ):
        good.knows(table.origin, table.vkey)
        good.start()
        table.add("good", good.url, good.vkey)
        with running(table):
            pass  # the journal has more than one entry
        with running(table), process(table):
            table.until_cosigned("good")
            quick = set(answers) - {"hangs", "drips"}
            until(lambda: all(table.witness(name)["answer"] for name in quick), "all are told")
            told = {name: str(table.witness(name)["answer"]) for name in quick}
            assert table.status()["held"] is None
            assert all(table.witness(name)["size"] is None for name in answers)
    assert told["redirects"].startswith("307")
    assert told["lies"] == "200"
    assert told["stands-nowhere"] == "none: 409 that says nothing, 012"
    assert told["says-no-type"] == "none: 409 that says nothing, 999"
    assert told["is-beyond-all"].startswith("none: 409 that says nothing")
    assert told["moves"].startswith("none: 409 that says nothing, 1")
    assert told["is-hostile"].isprintable()
    assert len(told["is-hostile"]) <= 200
    assert "\x1b" not in log_of(table)


@contextmanager
def all_of(answers: Mapping[str, Answering], folder: Path, table: Table) -> Iterator[None]:
    """Each of them is a witness of the table."""
    with ExitStack() as stack:
        for name, answering in answers.items():
            witness = stack.enter_context(strange(answering))
            table.add(name, witness.url, Signer(folder / f"signer-{name}").vkey)
        yield
