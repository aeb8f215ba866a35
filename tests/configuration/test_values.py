"""A configuration's values as a start record keeps them."""

from __future__ import annotations

import grp
import os
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from controller.configuration.places import may_ask, supervisors
from controller.configuration.reading import load_configuration
from controller.configuration.tables import LONGEST, BadConfiguration, values_of
from tests.cli.support import CONFIGURATION
from tests.configuration.test_configuration import GOOD, write


def test_every_value_stands_under_its_whole_key_as_the_file_has_it() -> None:
    assert values_of(
        {
            "table": {"id": "P12", "max": 5000, "min": Decimal("12.50")},
            "multiplier": {"weights": {"100": 4}},
            "witness": [{"url": "https://w.example"}, {"required": True}],
        }
    ) == {
        "multiplier.weights.100": "4",
        "table.id": '"P12"',
        "table.max": "5000",
        "table.min": "12.50",
        "witness[1].url": '"https://w.example"',
        "witness[2].required": "true",
    }


def test_long_values_that_differ_behind_the_cut_are_told_apart() -> None:
    one, two = (values_of({"state": {"copy": "/x" * 90 + end}})["state.copy"] for end in "ab")
    assert one != two
    assert max(len(one), len(two)) <= LONGEST + 10


def test_a_drivers_secret_is_not_kept() -> None:
    options = {"port": "/dev/x", "password": "0000", "api_key": "1", "pin": 7, "keys": 16}
    assert values_of({"devices": {"shoe": {**options, "tls": {"secret": "s"}}}}) == {
        "devices.shoe.keys": "16",
        "devices.shoe.port": '"/dev/x"',
    }


# Whatever stands in the file, it is a configuration or a list of faults a person can print -------


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


# Who may ask what is the supervisors', as another user of the machine finds out ------------------


class TestRights:
    @pytest.fixture
    def socket(self, tmp_path: Path) -> Path:
        path = tmp_path / "control.sock"
        path.touch()
        return path

    def test_root_and_the_controllers_own_user_may(self, socket: Path) -> None:
        assert may_ask(socket, {})

    def test_a_socket_that_is_gone(self, tmp_path: Path, mocker: MockerFixture) -> None:
        mocker.patch("os.geteuid", return_value=4711)
        assert not may_ask(tmp_path / "none", {})

    @pytest.mark.parametrize(
        ("mine", "members", "may"),
        [(600, [], True), (601, [], False), (601, ["ida"], True), (601, ["tom"], False)],
    )
    def test_a_supervisor_may_by_his_process_or_by_the_database(
        self, socket: Path, mocker: MockerFixture, mine: int, members: list[str], may: bool
    ) -> None:
        mocker.patch("os.geteuid", return_value=4711)
        mocker.patch("os.getegid", return_value=4711)
        mocker.patch("os.getgroups", return_value=[mine])
        mocker.patch("pwd.getpwuid", return_value=SimpleNamespace(pw_name="ida"))
        group = grp.struct_group(("supervisors", "x", 600, members))
        mocker.patch("grp.getgrnam", return_value=group)
        assert may_ask(socket, {}) == may

    def test_a_user_without_a_name(self, socket: Path, mocker: MockerFixture) -> None:
        mocker.patch("os.geteuid", return_value=4_000_000)
        mocker.patch("os.getgroups", return_value=[])
        group = grp.struct_group(("supervisors", "x", os.getegid() + 1, []))
        mocker.patch("grp.getgrnam", return_value=group)
        assert not may_ask(socket, {})

    @pytest.mark.parametrize(
        "status",
        [{}, {"configuration": 7}, {"configuration": {"path": "/none"}}],
    )
    def test_the_usual_group_where_the_configuration_cannot_be_read(
        self, status: dict[str, Any]
    ) -> None:
        assert supervisors(status) == "table-supervisors"

    def test_the_group_that_the_configuration_names(self, tmp_path: Path) -> None:
        path = tmp_path / "table.toml"
        text = CONFIGURATION.read_text("utf-8")
        path.write_text(text.replace('"table-supervisors"', '"floor"'), encoding="utf-8")
        assert supervisors({"configuration": {"path": str(path)}}) == "floor"
