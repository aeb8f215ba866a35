"""Whatever stands in the file, it is a configuration or a list of faults a person can print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from tests.configuration.test_configuration import GOOD, write

VALUES = st.sampled_from(
    [
        *("0", "1", "-1", "2", "3.5", "1e400", "-0.0", "nan", "inf", "true", "9" * 4000),
        *('""', '"x"', '"\\u0000"', '"\\u001b[2J"', '"../.."', '"/"', f'"{"y" * 5000}"'),
        *("[]", "[1, [2]]", "{}", "{ 2 = 0 }", "{ 2 = 1, 02 = 1 }", "2026-11-20", "07:32:00"),
        '"1209:0001"',
        '"mbs-pontoon-pandemonium-v5"',
    ]
)
PLACES = st.sampled_from(
    [f"{name.replace('.', '_')}__{key}" for name, keys in GOOD.items() for key in keys]
    + ["table__x", "devices_keypad__port", "devices_shoe__usb", "state__directory"]
    + ["control__socket", "control__dealers", "multiplier__spin_ms", "devices_shoe__baud"]
)


def judge(path: Path) -> None:
    try:
        load_configuration(path)
        return
    except BadConfiguration as bad:
        faults = bad.faults
    assert faults
    assert all(fault.isprintable() for fault in faults)


@given(st.dictionaries(PLACES, VALUES, max_size=4))
def test_values(tmp_path: Path, changes: dict[str, Any]) -> None:
    judge(write(tmp_path, **changes))


@given(st.binary(max_size=200))
def test_bytes(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(raw)
    judge(path)
