"""A bench's file is what it says, or is refused with what is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hil_tests.bench.description import BENCHES, BadBench, bench_file


@pytest.mark.parametrize(
    ("name", "was", "is_now", "said"),
    [
        ("virtual", "[machine]\n", "[machine]\nspeed = 3\n", "machine.speed is unknown: known are"),
        (
            "vm",
            "[machine]\n",
            "[machine]\nwarm = true\n",
            "machine.warm is unknown: known are",
        ),
        ("virtual", 'driver = "process"', 'driver = "prozess"', "machine.driver: expected one of "),
        (
            "virtual",
            "serial = ",
            "serail = ",
            "devices.shoe.serail is unknown: did you",
        ),
        ("virtual", 'serial = "SHOE-0001"', 'serial = ""', "expected its serial number"),
        ("virtual", 'line = "pty"', "line = 3", "devices.shoe.line = 3: expected one of pty, usb"),
        ("virtual", "[cannot]\n", '[cannot]\nfly = "no"\n', "cannot.fly is unknown: known are "),
    ],
)
def test_what_is_not_known_is_named(
    name: str, was: str, is_now: str, said: str, tmp_path: Path
) -> None:
    text = (BENCHES / f"{name}.toml").read_text("utf-8")
    assert was in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(was, is_now, 1), encoding="utf-8")
    with pytest.raises(BadBench, match=rf"^{path}: ") as refused:
        bench_file(str(path))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [("lab-7", "no bench 'lab-7': there are table, virtual, vm"), ("lab-7.toml", "no such")],
)
def test_a_bench_that_is_not_there_is_named(wanted: str, said: str) -> None:
    with pytest.raises(BadBench, match=said):
        bench_file(wanted)
