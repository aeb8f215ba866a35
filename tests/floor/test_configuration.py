"""The floor's configuration: all faults at once, and what follows from it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from controller.configuration.tables import BadConfiguration
from floor.configuration import FloorSettings, load_floor
from floor.main import CONFIGURATION
from floor.tables import read_tables
from tests.witness.logs import Log
from web.listening import ListenAddress


def loaded(folder: Path, text: str) -> FloorSettings:
    path = folder / "floor.toml"
    path.write_text(text, encoding="utf-8")
    return load_floor(path)


def faults_of(folder: Path, text: str) -> list[str]:
    with pytest.raises(BadConfiguration) as error:
        loaded(folder, text)
    assert error.value.code == 2
    return error.value.faults


SMALL = """
database = "dbname=floor"
currency = "SGD"
zone = "Asia/Singapore"
[mirror]
name = "floor.example/mirror"
"""


def test_the_example_in_the_help_is_one(tmp_path: Path) -> None:
    settings = loaded(tmp_path, CONFIGURATION)
    assert settings.database == "postgresql:///floor"
    assert settings.tables == tmp_path / "tables"
    assert settings.witness is not None
    assert settings.witness.key == tmp_path / "witness.key"
    assert settings.collector.listen == ListenAddress("127.0.0.1", 8440)
    assert (settings.currency_of("P12"), settings.currency_of("P13")) == ("USD", "SGD")
    assert settings.approved.named == {"version": ("0.3.0",)}


def test_what_may_be_left_out(tmp_path: Path) -> None:
    settings = loaded(tmp_path, SMALL)
    assert settings.witness is None
    assert settings.mirror.key == tmp_path / "mirror.key"
    assert settings.page.listen == ListenAddress("127.0.0.1", 8441)


def test_the_gaming_day_of_an_entry(tmp_path: Path) -> None:
    settings = loaded(tmp_path, SMALL)
    assert settings.day_of("2026-11-20T21:59:59.999+00:00") == date(2026, 11, 20)
    assert settings.day_of("2026-11-20T22:00:00+00:00") == date(2026, 11, 21)
    assert settings.day_of("2026-11-21T05:59:00+08:00") == date(2026, 11, 20)
    assert settings.day_of("no time") is None
    assert settings.day_of("0001-01-01T00:00:00+14:00") is None


def test_every_fault_is_told(tmp_path: Path) -> None:
    found = faults_of(
        tmp_path,
        """
        data_base = "x"
        currency = "dollars"
        zone = "Mars/Olympus"
        day_begins = "6"
        tables = 5
        [mirror]
        name = "with a space"
        keys = "x"
        [witness]
        name = "a+b"
        [collector]
        listen = "somewhere"
        [page]
        listen = "127.0.0.1:99999"
        [table]
        P1 = "SGD"
        [approved]
        version = "0.3.0"
        programs = ["x"]
        rules = ["a1", "b2"]
        """,
    )
    for words in (
        "data_base is unknown: did you mean database?",
        "database is missing",
        'currency = "dollars"',
        'zone = "Mars/Olympus"',
        'day_begins = "6"',
        "tables = 5",
        'mirror.name = "with a space"',
        "mirror.keys is unknown",
        'witness.name = "a+b"',
        'collector.listen = "somewhere"',
        'page.listen = "127.0.0.1:99999"',
        'table.P1 = "SGD"',
        'approved.version = "0.3.0": expected a list of texts',
        "expected SHA-256 digests, each of 64 hexadecimal digits in lower case",
        "approved.programs is unknown: did you mean program?",
    ):
        assert [fault for fault in found if words in fault] != [], (words, found)


@pytest.mark.parametrize("text", ["rubbish secret", "postgresql:///floor?hst=secret"])
def test_a_database_that_cannot_be_meant(tmp_path: Path, text: str) -> None:
    (fault,) = faults_of(tmp_path, SMALL.replace("dbname=floor", text))
    assert fault.startswith("database: ")
    assert fault.endswith(": expected a connection string of libpq, postgresql:///floor")
    assert "secret" not in fault


def test_a_file_that_is_none_and_one_of_a_single_cosigner(tmp_path: Path) -> None:
    assert "is not TOML" in faults_of(tmp_path, "= 5")[0]
    with pytest.raises(BadConfiguration, match="cannot be read"):
        load_floor(tmp_path / "none.toml")
    witness = '[witness]\nname = "floor.example/mirror"\nkey = "mirror.key"\n'
    assert len(faults_of(tmp_path, SMALL + witness)) == 2, "mirror and witness are two"


def test_tables_by_their_keys(tmp_path: Path) -> None:
    old, new, other = (Log(tmp_path / name) for name in ("old", "new", "other"))
    (tmp_path / "P1.vkey").write_text(f"{old.vkey}\n{new.vkey}\n", encoding="ascii")
    (tmp_path / "P2.vkey").write_text(f"{other.vkey}\n", encoding="ascii")
    (tmp_path / "README").write_text("of people\n", encoding="ascii")
    found = read_tables(tmp_path).logs
    assert {origin: log.table for origin, log in found.items()} == {
        old.origin: "P1",
        new.origin: "P1",
        other.origin: "P2",
    }
    assert all(log.origin == origin for origin, log in found.items())


def test_faults_of_the_tables(tmp_path: Path) -> None:
    log = Log(tmp_path / "key")
    for name in ("P1", "P2", "a;b"):
        (tmp_path / f"{name}.vkey").write_text(f"{log.vkey}\n", encoding="ascii")
    (tmp_path / "P3.vkey").write_text("", encoding="ascii")
    (tmp_path / "P4.vkey").mkdir()
    (tmp_path / "P5.vkey").write_text(f"{log.vkey[:-1]}\n", encoding="ascii")
    (tmp_path / "P6.vkey").write_text("nonsense\n", encoding="ascii")
    found = read_tables(tmp_path)
    assert [one.table for one in found.logs.values()] == ["P1"], "what is well counts"
    said = "\n".join(one.fault for one in found.bad)
    assert [one.table for one in found.bad] == ["P2", "P3", "P4", "P5", "P6", "a;b"]
    assert said.count("expected the line that 'tablectl journal checkpoint --vkey' prints") == 2
    assert f"P2.vkey: {log.origin} is a key of P1, too" in said
    assert "a;b.vkey: a table's name" in said
    assert "P3.vkey has no key" in said
    assert "P4.vkey: cannot be read: it is a directory, expected a regular file" in said
    with pytest.raises(BadConfiguration, match="cannot be read"):
        read_tables(tmp_path / "none")
    (tmp_path / "P1.vkey").unlink()
    (tmp_path / "P2.vkey").unlink()
    with pytest.raises(BadConfiguration, match=r"P5\.vkey: .*is no verifier key of a table"):
        read_tables(tmp_path)
