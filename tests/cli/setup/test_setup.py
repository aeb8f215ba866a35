"""``tablectl setup`` from a script: simulated devices on real ports, files in a folder."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.commissioning import written_files
from controller.commissioning.place import bound, read_names
from controller.configuration.reading import load_configuration
from controller.not_done import NotDone
from simulators.lines.wire import Wire
from tests.cli.setup.conftest import WEIGHTS, Box, sets
from tests.cli.setup.ports import listed


def test_a_table_is_found_proposed_tested_and_written(table: Box) -> None:
    told = table.setup("--yes", "--json", *sets())
    assert told.code == 0, told.err
    fields = told.json
    assert [one["kind"] for one in fields["found"]] == ["jackpot", "shoe"]
    assert fields["devices"]["shoe"] == {
        "port": "/dev/table/shoe",
        "at": str(table.folder / "shoe"),
        "kind": "shoe",
        "serial": "SHOE-1",
        "firmware": "1.4.2",
    }
    assert fields["written"] == [str(table.udev), str(table.config)]
    assert read_names(table.udev.read_text()) == {"shoe": "SHOE0001", "jackpot": "JACK0001"}
    config = load_configuration(table.config)
    assert (config.table.id, config.devices["jackpot"].port) == ("P12", "/dev/table/jackpot")
    assert config.control.viewers == "table-viewers"
    assert {test["name"]: test["ok"] for test in fields["tests"]} == {
        "shoe": True,
        "jackpot": True,
        "generator": True,
        "disk": True,
        "clock": True,
        "key": True,
        "names": True,
    }
    assert any("systemctl enable --now table-controller" in item for item in fields["left"])
    assert table.config.stat().st_mode & 0o777 == 0o644


def test_given_again_nothing_is_written_and_nobody_is_asked(table: Box) -> None:
    assert table.setup("--yes", *sets()).code == 0
    before = table.files()
    stamp = table.config.stat().st_mtime_ns
    told = table.setup()
    assert told.code == 0, told.err
    assert "Configuration, as it is" in told.out
    assert "Written" not in told.out
    assert (table.files(), table.config.stat().st_mtime_ns) == (before, stamp)


def test_a_byte_order_mark_is_taken_off_the_file_and_a_key(table: Box) -> None:
    assert table.setup("--yes", *sets()).code == 0
    text = table.config.read_text()
    table.config.write_bytes(codecs.BOM_UTF8 + text.encode())
    told = table.setup("--yes", "--set", "\ufefftable.min=25", "--set", "table.max=\ufeff2500")
    assert told.code == 0, told.err
    assert "min = 25" in table.config.read_text()
    assert "max = 2500" in table.config.read_text()


def test_a_key_is_changed_and_comments_and_the_file_of_before_are_kept(table: Box) -> None:
    assert table.setup("--yes", *sets()).code == 0
    mine = "# by the floor manager\n" + table.config.read_text()
    table.config.write_text(mine)
    table.config.chmod(0o640)
    told = table.setup("--yes", "--json", "--set", "table.min=25", "--unset", "table.side_max")
    assert told.code == 2, "a key that the rules need is missed in the reader's words"
    assert "table.side_max is missing: expected the highest side wager" in told.err
    assert table.config.read_text() == mine
    told = table.setup("--yes", "--json", "--set", "table.min=25")
    assert told.code == 0, told.err
    before = table.config.with_name("table.toml.before")
    assert told.json["written"] == [str(before), str(table.config)]
    assert before.read_text() == mine
    assert table.config.read_text() == mine.replace("min = 10 ", "min = 25 ")
    assert [path.stat().st_mode & 0o777 for path in (before, table.config)] == [0o640, 0o640]


def test_without_yes_and_without_a_terminal_it_is_shown_and_not_written(table: Box) -> None:
    before = table.files()
    told = table.setup(*sets())
    assert told.code == 1
    assert "nothing was written: say yes at a terminal, or give --yes" in told.err
    assert "Configuration, new" in told.out
    assert "/dev/table/shoe     new  ->  SHOE0001" in told.out
    assert "return to the player  8524/9575  89.023 %" in told.out
    assert table.files() == before


def test_a_dry_run_writes_nothing_ever(table: Box) -> None:
    before = table.files()
    told = table.setup("--dry-run", "--yes", "--start", "--page", table.folder / "page", *sets())
    assert told.code == 0, told.err
    assert "not written to, for --dry-run" in told.out
    assert table.files() == before
    assert not table.state.exists()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (sets("multiplier.weights"), "multiplier.weights: no document gives them"),
        (["--set", "table.mni=5"], "table.id is missing: expected the table's name on the floor"),
        (["--set", "table.mni=5"], "table.mni is unknown: did you mean min?"),
        ([*sets(), "--set", "table.min=-5"], "table.min = -5: expected"),
        ([*sets(), "--set", "table.rules=no-such"], "no such rule set or file"),
        (
            [*sets(), "--device", "keypad=FOLDER/shoe"],
            "expected a dealer keypad there, and a card shoe answers (SHOE-1)",
        ),
        (["--set", "table.min"], "table.min"),
        (["--device", "shoe="], "shoe="),
        (["--baud", "9"], "9"),
        (["--baud", "x"], "'x'"),
    ],
)
def test_what_is_missing_or_wrong_is_told_in_the_readers_words(
    table: Box, given: list[str], says: str
) -> None:
    told = table.setup("--yes", *(word.replace("FOLDER", str(table.folder)) for word in given))
    assert (told.code, says in told.err) == (2, True), told.err
    assert not table.config.exists()


def test_without_a_shoe_nothing_is_proposed(box: Box) -> None:
    told = box.setup("--yes", *sets())
    assert told.code == 2
    assert "--set KEY=VALUE" in told.err
    assert "[devices.shoe] is missing" in told.err
    assert "nothing: no serial port, no USB unit" in told.out


def test_two_of_a_kind_are_told_and_chosen_on_the_command_line(table: Box) -> None:
    table.plug("shoe", "SHOE0002", "other")
    told = table.setup("--yes", *sets())
    assert told.code == 2
    assert "2 devices are each a card shoe" in told.err
    assert "--device shoe=PORT" in told.err
    told = table.setup("--yes", "--json", *sets(), "--device", f"shoe={table.folder / 'other'}")
    assert told.code == 0, told.err
    assert told.json["udev"]["names"]["shoe"] == {"old": None, "new": "SHOE0002"}
    assert "another card shoe answers" in told.json["problems"][0]
    again = table.setup("--json")
    assert again.json["devices"]["shoe"]["serial"] == "OTHER-1", "the choice is known"


def test_an_exchanged_adapter_is_shown_with_its_old_number(table: Box) -> None:
    assert table.setup("--yes", *sets()).code == 0
    config = table.config.read_text()
    table.ports = [listed(table.folder / "shoe", "SHOE0002"), table.ports[1]]
    told = table.setup("--yes")
    assert told.code == 0, told.err
    assert "/dev/table/shoe  SHOE0001  ->  SHOE0002" in told.out
    assert read_names(table.udev.read_text())["shoe"] == "SHOE0002"
    assert table.config.read_text() == config


def test_names_by_hand_are_kept_as_they_are(table: Box) -> None:
    mine = '# mine\nSUBSYSTEMS=="usb", ATTRS{serial}=="X1", SYMLINK+="table/spare", MODE="0600"\n'
    table.udev.write_text(mine)
    assert table.setup("--yes", *sets()).code == 0
    assert table.udev.read_text().startswith(mine)
    assert table.udev.read_text() == bound(mine, {"shoe": "SHOE0001", "jackpot": "JACK0001"})


def test_adapters_that_cannot_be_told_apart_are_named_and_not_bound(table: Box) -> None:
    table.plug("keypad", None)
    table.plug("shuffler", "JACK0001")
    told = table.setup("--yes", *sets())
    assert told.code == 2, "the jackpot's adapter is one of the two with the same number"
    assert "has the same serial number JACK0001" in told.err
    assert "its adapter has no serial number" in told.err
    chosen = [
        f"--device={name}={table.folder / name}" for name in ("jackpot", "shuffler", "keypad")
    ]
    told = table.setup("--yes", "--json", *sets(), *chosen)
    assert told.code == 0, told.err
    assert told.json["devices"]["keypad"]["port"] == str(table.folder / "keypad")
    assert told.json["udev"]["names"] == {"shoe": {"old": None, "new": "SHOE0001"}}
    assert sum("must stay in that socket" in said for said in told.json["problems"]) == 3


def test_a_number_that_udev_would_take_as_a_pattern(box: Box) -> None:
    box.plug("shoe", "SHOE*")
    told = box.setup("--yes", *sets())
    assert "udev would take its adapter's number 'SHOE*' as a pattern" in told.err


def test_a_second_meter_is_a_display_by_its_name(table: Box) -> None:
    table.plug("jackpot", "LEFT0001", "left")
    told = table.setup("--yes", "--json", *sets(), "--device", f"left={table.folder / 'left'}")
    assert told.code == 0, told.err
    device = load_configuration(table.config).devices["left"]
    assert (device.kind, device.port) == ("display", "/dev/table/left")
    again = table.setup("--json")
    assert (again.code, again.json["problems"]) == (0, [])


def test_a_port_that_is_not_on_usb_is_asked_only_when_it_is_named(
    table: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.plug("keypad", None, usb=None)
    port = table.folder / "keypad"
    told = table.setup("--json", "--yes", *sets())
    (found,) = (one for one in told.json["found"] if one["port"] == str(port))
    assert (found["kind"], "not on USB, so not asked" in found["trouble"]) == ("", True)
    monkeypatch.chdir(table.folder)
    told = table.setup("--json", "--yes", "--baud", 57600, "--device", "keypad=keypad")
    assert told.code == 0, told.err
    device = load_configuration(table.config).devices["keypad"]
    assert (device.port, device.baud) == (str(port), 57600)
    assert told.json["problems"] == []
    assert table.setup().code == 0


def test_by_port_alone_a_device_is_seen_and_not_bound(table: Box) -> None:
    table.plug("keypad", None, usb=None)
    told = table.setup("--yes", *sets(), "--port", table.folder / "keypad")
    assert told.code == 0, told.err
    assert "keypad answers at" in told.out
    assert "it is not on USB" in told.out
    assert "keypad" not in load_configuration(table.config).devices


def test_ports_of_the_configuration_are_asked_though_nobody_lists_them(table: Box) -> None:
    table.ports.clear()
    ports = [f"--set=devices.{name}.port={table.folder / name}" for name in ("shoe", "jackpot")]
    told = table.setup("--yes", "--json", *sets(), *ports)
    assert told.code == 0, told.err
    assert told.json["udev"] == {"path": str(table.udev), "changed": False, "names": {}}
    assert not table.udev.exists()
    assert load_configuration(table.config).devices["shoe"].port == str(table.folder / "shoe")


def test_a_device_that_does_not_answer_is_not_well_and_is_left_where_it_was(table: Box) -> None:
    assert table.setup("--yes", *sets(), "--set", "devices.keypad.port=/dev/table/keypad").code == 1
    table.ports.pop()
    told = table.setup("--json", "--yes")
    assert told.code == 1
    tests = {test["name"]: test for test in told.json["tests"]}
    assert "it was not found" in tests["jackpot"]["what"]
    assert "does not exist" in tests["keypad"]["what"]
    assert any(item.startswith("jackpot is not well") for item in told.json["left"])


def test_a_silent_port_says_what_to_do(table: Box) -> None:
    wire = Wire(table.folder / "silent")
    wire.plug()
    table.ports.append(listed(wire.link, "SILENT"))
    try:
        told = table.setup("--yes", *sets())
    finally:
        wire.unplug()
    assert told.code == 0
    assert "nobody answers HELLO: look at its plug, supply and port, and whether 'baud'" in told.out


def test_a_self_test_that_fails_is_not_well_and_keeps_nothing_from_being_written(box: Box) -> None:
    box.plug("shoe", "SHOE0001")
    box.plug("jackpot", "JACK0001").do("cover", open=True)
    told = box.setup("--yes", *sets())
    assert told.code == 1
    assert "self-test FAILED in 0.1 s, test 6 (cover open)" in told.out
    assert box.config.exists()


def test_another_makers_driver_is_not_asked(table: Box) -> None:
    table.plug("keypad", "KEYP0001")
    assert table.setup("--yes", *sets()).code == 0
    table.config.write_text(
        table.config.read_text().replace("[devices.keypad]", '[devices.keypad]\ndriver = "vendor"')
    )
    told = table.setup("--dry-run")
    assert told.code == 2
    assert "no such driver is installed" in told.err


def test_a_file_that_may_not_be_written(table: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = table.setup("--yes", *sets())
    assert told.code == 3
    assert "may not be written by this user: root does that" in told.err
    assert not table.config.exists()


def test_a_file_that_cannot_be_read_or_written_after_another_was(table: Box) -> None:
    table.udev.write_bytes(b"\xff")
    told = table.setup("--yes", *sets())
    assert (told.code, f"{table.udev} cannot be read" in told.err) == (1, True)
    table.udev.unlink()
    table.config.with_name("table.toml.new").mkdir()
    told = table.setup("--yes", *sets())
    assert told.code == 1
    assert f"{table.config} cannot be written" in told.err
    assert f"written before that: {table.udev}" in told.err


def test_a_file_that_changes_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("theirs")
    with pytest.raises(NotDone, match="changed by somebody meanwhile"):
        written_files.write([written_files.NewText(path, "old", "new")])
    assert path.read_text() == "theirs"


def test_a_link_is_no_file_that_setup_changes(tmp_path: Path) -> None:
    """The daemon would not read it either (docs/security.md)."""
    real, link = tmp_path / "real.toml", tmp_path / "table.toml"
    real.write_text("old")
    link.symlink_to(real)
    with pytest.raises(NotDone, match=r"a symbolic link.* name the one that it leads to"):
        written_files.write([written_files.NewText(link, "old", "new", keeps=True)])
    assert (link.is_symlink(), real.read_text()) == (True, "old")


def test_rules_without_a_draw_want_no_weights(box: Box) -> None:
    box.plug("shoe", "SHOE0001")
    keys = sets("multiplier.weights", "table.rules")
    told = box.setup("--yes", *keys, "--set", "table.rules=division-15-pontoon")
    assert told.code == 0, told.err
    assert "these rules draw no multiplier" in told.out
    told = box.setup("--yes", "--set", f"multiplier.weights={WEIGHTS}")
    assert (told.code, "leave it out" in told.err) == (2, True)


@pytest.mark.needs("root")
def test_a_port_that_the_daemons_user_may_not_open_is_told(box: Box, mocker: MockerFixture) -> None:
    """Root, who commissions, may open all of them."""
    mocker.patch("controller.causes.who_may.DAEMON", "nobody")
    box.folder.parent.chmod(0o755)
    for kind in ("shoe", "jackpot"):
        box.plug(kind, None)
    ports = [Path(port.device) for port in box.ports]
    for port, group in zip(ports, (46, 65534), strict=True):
        os.chown(port, 0, group)
        port.chmod(0o660)
    given = [f"--device={port.name}={port}" for port in ports]
    ran = box.setup("--yes", *sets(), *given)
    assert ran.code == 1
    assert f"user nobody may not read and write {ports[0]}, which belongs to root" in ran.out
    assert ":plugdev 0660: 'sudo usermod -aG plugdev nobody', then start" in ran.out
    assert f"write {ports[1]}" not in ran.out
