"""What ``setup`` has udev, systemd and the key's installation do; their programs are the test's."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.commissioning import machine_tests, place, this_machine
from controller.draw.battery.verdict import BatteryVerdict
from controller.draw.weights import SourceFailed
from controller.evidence.keys.credential import PAGED, decrypt, read_page
from controller.evidence.trust import read_keys
from controller.journal.lock import LOCK_NAME
from drivers import adapters
from tests.cli.setup.conftest import Box, sets
from tests.control.support import controller

KEPT = r"Timezone=Asia/Singapore\nNTPSynchronized=yes\n"
HOST_KEY = "SYSTEMD_CREDENTIAL_SECRET"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """udevadm, systemctl and timedatectl, which write down what they were told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("udevadm", "systemctl", "timedatectl"):
        script = folder / name
        script.write_text(
            f'#!/bin/sh\necho "{name} $*" >> {folder}/log\n'
            f"[ ! -e {folder}/fails ] || {{ cat {folder}/fails >&2; exit 1; }}\n"
            f"[ {name} != timedatectl ] || printf '{KEPT}'\n"
        )
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder


@pytest.fixture
def udev(box: Box, programs: Path, mocker: MockerFixture) -> Path:
    """A udev that reads its rules in the box's folder; where the names appear."""
    mocker.patch.object(this_machine, "RULES", box.udev)
    mocker.patch.object(this_machine, "UDEV", box.folder)
    links = box.folder / "dev-table"
    links.mkdir()
    mocker.patch.object(this_machine, "LINKS", links)
    return links


def log(programs: Path) -> list[str]:
    path = programs / "log"
    return [line for line in path.read_text().splitlines() if "timedatectl" not in line]


def test_names_are_loaded_applied_and_looked_for(table: Box, udev: Path, programs: Path) -> None:
    (udev / "shoe").symlink_to(table.folder / "shoe")
    told = table.setup("--yes", "--json", *sets())
    assert told.code == 1, "one name does not appear"
    assert log(programs) == [" ".join(command) for command in this_machine.APPLY]
    (test,) = (test for test in told.json["tests"] if test["name"] == "names")
    assert (test["ok"], f"{udev}/jackpot: expected to lead to its port" in test["what"]) == (
        False,
        True,
    )
    (udev / "jackpot").symlink_to(table.folder / "jackpot")
    told = table.setup("--yes", "--json")
    assert told.code == 0
    assert len(log(programs)) == len(this_machine.APPLY), "as all is there, nothing is done again"


def test_a_udev_that_refuses(table: Box, udev: Path, programs: Path) -> None:
    (programs / "fails").write_text("Failed to send reload request\n")
    told = table.setup("--yes", *sets())
    assert told.code == 1
    assert "udevadm control --reload: Failed to send reload request" in told.out


def test_where_no_udev_runs_that_is_said(table: Box, udev: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(this_machine, "UDEV", table.folder / "no-udev")
    told = table.setup("--yes", *sets())
    assert (told.code, "no udev runs here: nothing was applied" in told.out) == (0, True)


def test_the_service_is_started_and_asked(
    table: Box, programs: Path, mocker: MockerFixture
) -> None:
    mocker.patch("controller.commissioning.this_machine.ThisMachine.booted", return_value=True)
    status = {"state": "idle", "devices": {"shoe": {"link": "up"}, "jackpot": {"link": "down"}}}
    with controller(table.folder / "control.sock", status):
        told = table.setup("--yes", "--start", *sets())
    assert told.code == 0, told.err
    assert "table P12, idle, 1 of 2 links up" in told.out
    restart = ["systemctl enable table-controller", "systemctl restart table-controller"]
    assert log(programs) == restart
    assert "systemctl enable --now" not in told.out


def test_a_service_that_does_not_start(table: Box, programs: Path, mocker: MockerFixture) -> None:
    mocker.patch("controller.commissioning.this_machine.ThisMachine.booted", return_value=True)
    (programs / "fails").write_text("")
    told = table.setup("--yes", "--start", *sets())
    assert told.code == 1
    assert "systemctl enable table-controller: it ended with 1" in told.err
    assert "journalctl -u table-controller" in told.err
    assert f"written before that: {table.udev}, {table.config}\n" in told.err
    (programs / "fails").unlink()
    told = table.setup("--yes", "--start")
    assert told.code == 4, "it is started, and nobody answers"
    assert "systemctl start table-controller" in log(programs)


def test_without_systemd_nothing_is_started(table: Box, mocker: MockerFixture) -> None:
    mocker.patch("controller.commissioning.this_machine.ThisMachine.booted", return_value=False)
    told = table.setup("--yes", "--start", *sets())
    assert (told.code, "systemd does not run this machine" in told.err) == (1, True)
    assert not table.config.exists()


def test_programs_that_are_not_there_or_do_not_end() -> None:
    assert this_machine.run_command(("no-such-program",), 1) == "there is no such program here"
    assert this_machine.run_command(("sleep", "9"), 0.01) == "it did not end within 0 s"


def test_a_name_that_leads_elsewhere(box: Box, tmp_path: Path, udev: Path, programs: Path) -> None:
    (udev / "shoe").symlink_to(tmp_path / "another")
    bound = {"shoe": str(tmp_path / "shoe")}
    test = this_machine.ThisMachine().apply_names(box.udev, bound, changed=False)
    assert (test["ok"], len(log(programs))) == (False, 3)


@pytest.mark.needs("systemd-creds")
def test_the_page_is_written_once_and_the_packages_key_makes_room_for_one_with_a_page(
    table: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOST_KEY, str(table.folder / "host-key"))
    first, second = table.folder / "page-1.txt", table.folder / "page-2.txt"
    told = table.setup("--yes", "--json", "--page", first, *sets())
    assert told.code == 0, told.err
    credential = table.folder / "credstore" / "table-controller.key"
    drop_in = table.folder / "unit.d" / "key.conf"
    key = decrypt(credential)
    assert read_page(first.read_text()) == key
    assert told.json["written"][-1] == str(first)
    assert any("to the safe" in item for item in told.json["left"])
    assert "is the page of the installed key" in table.setup("--yes", "--page", first).out
    told = table.setup("--yes", "--page", second)
    assert (told.code, "its page was written before" in told.out) == (0, True)
    assert not second.exists()
    drop_in.write_text(drop_in.read_text().replace(PAGED, ""))  # as a package has it
    assert table.setup("--yes", "--page", second).code == 0
    another = decrypt(credential)
    assert read_page(second.read_text()) == another != key
    keys = table.config.with_name("journal.vkey")
    assert read_keys(keys) == [key.public, another.public]
    keys.unlink()  # as an earlier version leaves it
    assert str(keys) in table.setup("--yes", "--json").json["written"]
    assert read_keys(keys) == [another.public]
    keys.write_text("none of keys")
    told = table.setup("--yes")
    assert (told.code, f"{keys} is not written" in told.out) == (0, True)
    assert keys.read_text() == "none of keys"
    keys.unlink()
    drop_in.write_text(drop_in.read_text().replace(PAGED, ""))
    table.state.mkdir()
    (table.state / LOCK_NAME).touch()
    told = table.setup("--yes", "--page", table.folder / "page-3.txt")
    assert (told.code, "installed and in use" in told.out) == (0, True)
    first.write_text("no page")
    assert "installed and in use" in table.setup("--yes", "--page", first).out


def test_a_key_that_cannot_be_installed_is_told_behind_what_was_written(
    table: Box, mocker: MockerFixture
) -> None:
    mocker.patch(
        "controller.evidence.keys.credential.subprocess.run", side_effect=FileNotFoundError
    )
    told = table.setup("--yes", "--page", table.folder / "page.txt", *sets())
    assert told.code == 1
    assert "systemd-creds is not there" in told.err
    assert f"Written\n  - {table.udev}\n  - {table.config}" in told.out


@pytest.mark.parametrize(
    ("mount", "said"),
    [
        ("1 1 0:1 / / rw - tmpfs none rw", "keeps nothing over a power cut"),
        ("1 1 0:1 / / rw - nfs4 host:/x rw", "keeps nothing over a power cut"),
        ("1 1 0:1 / / rw - ext4 /dev/sda1 rw", "on /dev/sda1 (ext4)"),
        ("1 1 0:1 / /elsewhere rw - ext4 /dev/sda1 rw", "on unknown (unknown)"),
        ("1 1 0:1 / / rw - overlay overlay rw,upperdir=/nowhere", "on overlay (overlay)"),
        (
            "1 1 0:1 / / rw - overlay o rw,upperdir=/usr\n2 1 0:2 / /usr rw - tmpfs t rw",
            "on t (tmpfs) keeps nothing",
        ),
    ],
)
def test_the_medium_of_the_journal(
    tmp_path: Path, mount: str, said: str, mocker: MockerFixture
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"{mount}\n")
    mocker.patch.object(machine_tests, "MOUNTS", mounts)
    test = machine_tests.disk(tmp_path / "not" / "there")
    assert said in test["what"]
    assert test["ok"] == ("keeps nothing" not in said)


def test_a_medium_that_is_full_slow_or_refuses(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(machine_tests, "file_system", return_value=("ext4", "/dev/sda1"))
    slow = mocker.patch.object(machine_tests, "slowest_write_s", return_value=0.7)
    test = machine_tests.disk(tmp_path)
    assert (test["ok"], "700.0 ms: expected 500, exchange it" in test["what"]) == (False, True)
    slow.side_effect = PermissionError(13, "Permission denied")
    assert machine_tests.disk(tmp_path)["what"].partition("not written to: ")[2].startswith("user ")
    mocker.patch.object(machine_tests, "ROOM_BYTES", 1 << 60)
    assert "make room" in machine_tests.disk(tmp_path)["what"]


def test_the_clock_and_what_keeps_it(programs: Path, mocker: MockerFixture) -> None:
    now = datetime(2026, 11, 24, 10, tzinfo=UTC)
    assert "time zone Asia/Singapore, kept right by the network" in machine_tests.clock(now)["what"]
    mocker.patch.object(subprocess, "run", side_effect=FileNotFoundError)
    assert "whether it is kept right is unknown" in machine_tests.clock(now)["what"]
    test = machine_tests.clock(datetime(1970, 1, 1, tzinfo=UTC))
    assert (test["ok"], "before this program was made" in test["what"]) == (False, True)


def test_where_the_key_is(tmp_path: Path) -> None:
    credential, plain = tmp_path / "credential", tmp_path / "key"
    assert "none yet" in machine_tests.key(credential, plain)["what"]
    plain.touch()
    assert "a plain file signs" in machine_tests.key(credential, plain)["what"]
    credential.touch()
    assert machine_tests.key(credential, plain, tmp_path)["what"].endswith("a TPM2 is there")


def test_a_key_that_this_user_may_not_look_for_is_not_called_missing(
    table: Box, mocker: MockerFixture
) -> None:
    mocker.patch("controller.commissioning.machine_tests.is_there", return_value=None)
    mocker.patch("controller.commissioning.account.is_there", return_value=None)
    told = table.setup("--dry-run", *sets())
    assert "whether it is installed root alone may see" in told.out
    assert "install the key" not in told.out


def test_a_folder_that_may_not_be_looked_into(tmp_path: Path, mocker: MockerFixture) -> None:
    assert machine_tests.is_there(tmp_path / "nothing") is False
    mocker.patch.object(Path, "exists", side_effect=PermissionError)
    assert machine_tests.is_there(tmp_path) is None


def test_a_generator_that_fails(box: Box, mocker: MockerFixture) -> None:
    box.plug("shoe", "SHOE0001")
    box.plug("jackpot", "JACK0001")
    run = mocker.patch("controller.draw.battery.verdict.run_battery")
    run.side_effect = SourceFailed("the same number again")
    assert "FAILED, the same number again: call support" in box.setup("--dry-run", *sets()).out
    run.side_effect, run.return_value = None, BatteryVerdict(1000, False, ())
    told = box.setup("--dry-run", *sets())
    assert (told.code, "NOT WELL, 1000 draws tried" in told.out) == (1, True)


def test_links_of_the_system_are_found_by_their_port(
    tmp_path: Path, mocker: MockerFixture, table: Box
) -> None:
    mocker.patch.object(adapters, "SYSTEM", tmp_path)
    assert adapters.links(adapters.BY_ID) == {}
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    for folder in (by_id, by_path):
        folder.mkdir()
        (folder / "usb-FTDI").symlink_to(table.folder / "shoe")
    found = {one["port"]: one for one in table.setup("--json", "--yes", *sets()).json["found"]}
    shoe = found[str(table.folder / "shoe")]
    assert (shoe["by_id"], shoe["by_path"]) == (str(by_id / "usb-FTDI"), str(by_path / "usb-FTDI"))
    assert found[str(table.folder / "jackpot")]["by_path"] == ""


def test_the_usual_place_is_udevs_own() -> None:
    assert Path("/etc/udev/rules.d/99-table-controller.rules") == place.RULES
