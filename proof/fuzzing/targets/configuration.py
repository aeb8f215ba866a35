"""Configuration files: a configuration, or every fault of it in printable words."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from proof.fuzzing.choices import HOSTILE, RAW, text_of
from proof.fuzzing.target import ROOT, Target

BASE = (ROOT / "config" / "table.example.toml").read_text(encoding="utf-8")
PARTS = (
    *HOSTILE,
    *('"1209:0001"', '"1209:0001:A"', '"division-15-pontoon"', "{ 2 = 0 }", "{ 100 = 1, 2 = 900 }"),
    *("[table]", "[devices.shoe]", "[devices.x]", "[[table]]", "[table.x]", "x = 1", '"/dev/null"'),
)
_PLAIN = "\n".join(line for line in BASE.splitlines() if line.strip() and not line.startswith("#"))


def run_bytes(data: bytes) -> int:
    """One file."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "table.toml"
        path.write_bytes(text_of(data, (_PLAIN,), PARTS, "\n"))
        try:
            load_configuration(path)
        except BadConfiguration as error:
            faults = error.faults
        else:
            return 1
    assert faults
    assert all(fault.isprintable() for fault in faults), faults
    return 1


def seeds() -> list[bytes]:
    """The example, as it is and edited."""
    return [bytes([RAW]) + _PLAIN.encode(), *(bytes([0, 0, n, 5 * n, 7, n]) for n in range(12))]


TARGET = Target("configuration", "files", run_bytes, seeds, most_bytes=6000)
