"""Who may ask what is the supervisors', as another user of the machine finds out."""

from __future__ import annotations

import grp
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.places import may_ask, supervisors
from tests.cli.support import CONFIGURATION


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
