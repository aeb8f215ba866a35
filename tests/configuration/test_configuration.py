"""The table's configuration: what it comes to, and every fault in words that mend it."""

from __future__ import annotations

import codecs
import hashlib
import threading
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.model import Approved, Configuration, WitnessSettings
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.daemon.runtime import settings_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.files.rules import RULES_DIRECTORY
from controller.game.round.wagers import Limits
from controller.table.settings import Settings
from drivers.api import DeviceConfig

EXAMPLE = Path(__file__).resolve().parents[2] / "config" / "table.example.toml"

GOOD: dict[str, dict[str, str]] = {
    "table": {
        "id": '"P12"',
        "rules": '"mbs-pontoon-pandemonium-v5"',
        "decks": "8",
        "boxes": "7",
        "min": "10",
        "max": "5000",
        "side_min": "1",
        "side_max": "500",
        "increment": "1",
    },
    "devices.shoe": {"port": '"ports/shoe"'},
    "devices.jackpot": {"usb": '"1209:0001"'},
    "multiplier": {
        "weights": "{ 100 = 4, 50 = 8, 25 = 20, 20 = 20, 10 = 24, 5 = 12, 3 = 7, 2 = 5 }"
    },
}


def write(folder: Path, **changes: Any) -> Path:
    """GOOD with changes: ``table__min="7"``, ``multiplier=None`` takes a section out."""
    sections = {name: dict(keys) for name, keys in GOOD.items()}
    for where, value in changes.items():
        name, _, key = where.replace("devices_", "devices.").partition("__")
        if not key and value is None:
            del sections[name]
        elif value is None:
            del sections[name][key]
        else:
            sections.setdefault(name, {})[key] = value
    lines = []
    for name, keys in sections.items():
        lines += [f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())]
    path = folder / "table.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def load(folder: Path, **changes: Any) -> Configuration:
    return load_configuration(write(folder, **changes))


def faults(folder: Path, **changes: Any) -> list[str]:
    with pytest.raises(BadConfiguration) as caught:
        load(folder, **changes)
    assert str(folder / "table.toml") in str(caught.value)
    return caught.value.faults


def test_the_example_is_right() -> None:
    found = load_configuration(EXAMPLE)
    assert found.table.id == "P12"
    assert found.table.rules.id == "mbs-pontoon-pandemonium-v5"
    assert found.table.limits == Limits(1000, 500_000, 100, 50_000, 100)
    assert set(found.devices) == {"shoe", "shuffler", "jackpot", "keypad"}
    assert found.devices["shoe"] == DeviceConfig("shoe", port="/dev/table/shoe")
    assert found.state_directory == Path("/var/lib/table-controller")
    assert found.control.socket == Path("/run/table-controller/control.sock")
    assert (found.control.dealers, found.control.supervisors) == (
        "table-dealers",
        "table-supervisors",
    )
    assert found.digest == hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()


def test_defaults(tmp_path: Path) -> None:
    found = load(tmp_path, table__increment=None)
    assert found.spin_ms == 4000
    assert found.table.limits.increment == 100
    assert found.devices["shoe"].driver == "table-link"
    assert found.devices["shoe"].baud == 115200
    assert found.control.socket == Path("/run/table-controller/control.sock")
    assert found.state_directory == Path("/var/lib/table-controller")
    assert found.key == found.state_directory / "key"
    assert found.heads == found.state_directory / "heads.jsonl"
    assert found.people == found.state_directory / "people.json"
    assert found.copy is None


def test_when_the_gaming_day_begins(tmp_path: Path) -> None:
    found = load(tmp_path)
    assert found.table.day_begins == settings_of(found).day_begins == "06:00"
    assert "day_begins" not in settings_of(found).dump()  # as in start records before
    found = load(tmp_path, table__day_begins='"04:30"')
    assert settings_of(found).dump()["day_begins"] == "04:30"
    assert Settings.load(settings_of(found).dump()) == settings_of(found)


@pytest.mark.parametrize(
    "given", ['"6:00"', '"24:00"', '"06:60"', '"06:00:00"', '"six"', "6", "06:00:00"]
)
def test_what_is_no_time_of_day_is_a_fault(tmp_path: Path, given: str) -> None:
    [fault] = faults(tmp_path, table__day_begins=given)
    assert fault.startswith("table.day_begins = ")
    assert "expected when the gaming day begins, local time as 06:00" in fault


@pytest.mark.parametrize(
    ("rules", "box_max"),
    [
        ("mbs-pontoon-pandemonium-v5", 0),
        ("rws-pontoon-pandemonium-v4", 0),
        ("rws-pontoon-plus-v5", 500_000),
        ("division-15-pontoon", 0),
        ("pontoon-five-card-trick", 0),
    ],
)
def test_the_most_on_a_box_where_the_house_says_nothing(
    tmp_path: Path, rules: str, box_max: int
) -> None:
    changes: dict[str, Any] = {"table__rules": f'"{rules}"'}
    if "pandemonium" not in rules:
        changes |= {"devices_jackpot": None, "multiplier": None}
    limits = load(tmp_path, **changes).table.limits
    assert (limits.box_max, limits.player_max) == (box_max, 0)
    limits = load(tmp_path, **changes, table__box_max="300", table__player_max="200").table.limits
    assert (limits.box_max, limits.player_max) == (30_000, 20_000)


def test_the_most_on_a_box_is_no_less_than_the_least_wager(tmp_path: Path) -> None:
    found = faults(tmp_path, table__box_max="9", table__player_max="9.50")
    assert found == [
        "table.box_max = 9: expected no less than min, 10.00",
        "table.player_max = 9.50: expected no less than min, 10.00",
    ]


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text(
        (RULES_DIRECTORY / "mbs-pontoon-pandemonium-v5.toml").read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    write(
        tmp_path,
        table__rules='"house.toml"',
        state__directory='"state"',
        state__heads='"stick/heads.jsonl"',
        state__copy='"stick/copy"',
        people__file='"people/of-the-table.json"',
        control__socket='"run/control.sock"',
    )
    monkeypatch.chdir(tmp_path.parent)
    found = load_configuration(Path(tmp_path.name) / "table.toml")
    assert found.devices["shoe"].port == str(tmp_path / "ports" / "shoe")
    assert found.state_directory == tmp_path / "state"
    assert found.key == tmp_path / "state" / "key"
    assert found.heads == tmp_path / "stick" / "heads.jsonl"
    assert found.copy == tmp_path / "stick" / "copy"
    assert found.people == tmp_path / "people" / "of-the-table.json"
    assert found.control.socket == tmp_path / "run" / "control.sock"
    assert found.path == tmp_path / "table.toml"


def test_cents(tmp_path: Path) -> None:
    limits = load(
        tmp_path, table__min="2.50", table__increment="0.50", table__side_min="0.5"
    ).table.limits
    assert (limits.min, limits.side_min, limits.increment) == (250, 50, 50)


PLAIN = ("division-15-pontoon", "pontoon-five-card-trick")


@pytest.mark.parametrize("rules", PLAIN)
def test_rules_without_side_wagers_need_no_side_limits(rules: str, tmp_path: Path) -> None:
    changes = {"table__rules": f'"{rules}"', "devices_jackpot": None}
    sides = {"table__side_min": None, "table__side_max": None}
    found = load(tmp_path, **changes, **sides, multiplier=None)
    assert found.weights is None
    assert (found.table.limits.side_min, found.table.limits.side_max) == (100, 500_000)
    given = faults(tmp_path, **changes)
    assert given == [f"[multiplier]: {rules} has no Pandemonium wager; leave it out"]


def test_a_bonus_wager_needs_limits_and_no_jackpot_unit(tmp_path: Path) -> None:
    changes = {"table__rules": '"rws-pontoon-plus-v5"', "devices_jackpot": None, "multiplier": None}
    assert load(tmp_path, **changes).table.limits.side_max == 50_000
    assert faults(tmp_path, **changes, table__side_max=None) == [
        "table.side_max is missing: expected the highest side wager, in dollars"
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"table__colour": '"red"'}, "table.colour is unknown: known are id, rules"),
        ({"table__mni": "5"}, "table.mni is unknown: did you mean min?"),
        ({"tabel__id": "5"}, "the table tabel is unknown: did you mean table?"),
        ({"table__id": '""'}, 'table.id = "": expected the table\'s name'),
        ({"table__id": None}, "table.id is missing"),
        ({"table__rules": '"whist"'}, 'table.rules = "whist": no such rule set or file'),
        ({"table__decks": "9"}, "table.decks = 9: expected 4 to 8"),
        ({"table__decks": "3"}, "table.decks = 3: expected 4 to 8"),
        ({"table__decks": "true"}, "table.decks = true: expected 4 to 8"),
        ({"table__decks": "8.0"}, "table.decks = 8.0: expected 4 to 8"),
        ({"table__decks": '"8"'}, "2.1): a whole number, without quotes"),
        ({"table__boxes": "0"}, "table.boxes = 0: expected 1 to 7"),
        ({"table__boxes": "8"}, "table.boxes = 8: expected 1 to 7"),
        ({"table__min": '"10"'}, 'table.min = "10": expected the lowest main wager, in dollars'),
        ({"table__min": "0"}, "table.min = 0: expected the lowest main wager, more than 0"),
        ({"table__min": "-1"}, "table.min = -1: expected the lowest main wager, more than 0"),
        ({"table__min": "1.005"}, "whole cents"),
        ({"table__min": "inf"}, "whole cents"),
        ({"table__min": "1e999999999"}, "whole cents"),
        ({"table__min": "0.25", "table__increment": "0.25"}, "an even number of cents"),
        ({"table__min": "6000"}, "table.min = 6000: expected no more than max, 5000.00"),
        ({"table__side_min": "501"}, "table.side_min = 501: expected no more than side_max"),
        (
            {"table__increment": "3", "table__side_min": "3"},
            "table.min = 10: wagers go in steps of 3.00",
        ),
        ({"table__side_min": "1.50"}, "table.side_min = 1.50: wagers go in steps of 1.00"),
        ({"table__side_max": None}, "table.side_max is missing"),
        ({"devices_shoe": None}, "[devices.shoe] is missing"),
        ({"devices_jackpot": None}, "[devices.jackpot] is missing"),
        ({"multiplier": None}, "[multiplier] is missing"),
        ({"devices_camera__port": '"x"'}, "devices.camera is unknown"),
        ({"devices_shoo__kind": '"sho"', "devices_shoo__port": '"x"'}, "devices.shoo.kind = "),
        ({"devices_shoe__kind": '"keypad"'}, 'devices.shoe.kind = "keypad": expected "shoe"'),
        ({"devices_all__kind": '"display"'}, 'which is not "all"'),
        (
            {"devices_left__kind": '"shoe"', "devices_left__port": '"x"'},
            "devices.shoe and devices.left are each a card shoe: expected one at a table",
        ),
        (
            {"devices_display__port": '"x"'},
            "a device of another name needs a kind: shoe, shuffler, jackpot, keypad, display",
        ),
        ({"devices_shoe__port": None}, "devices.shoe: give either port (serial) or usb"),
        ({"devices_shoe__usb": '"1209:0002"'}, "devices.shoe: give either port (serial) or usb"),
        ({"devices_shoe__port": "5"}, "devices.shoe.port = 5: expected a serial device's path"),
        ({"devices_shoe__baud": "0"}, "devices.shoe.baud = 0: expected 50 to"),
        ({"devices_shoe__speed": "0"}, "devices.shoe.speed is unknown"),
        ({"devices_shoe__driver": '"acme"'}, 'devices.shoe.driver = "acme": no such driver'),
        ({"devices_jackpot__usb": '"1209"'}, 'devices.jackpot: usb is "1209"'),
        ({"devices_keypad__port": '"ports/../ports/shoe"'}, "name the same unit"),
        ({"devices_keypad__usb": '"1209:0001:A7"'}, "give the units' serial numbers"),
        ({"multiplier__spin_ms": "60001"}, "multiplier.spin_ms = 60001: expected 0 to 60000"),
        ({"multiplier__weights": "[1]"}, "multiplier.weights = [1]: expected multiplier = weight"),
        ({"multiplier__weights": None}, "multiplier.weights is missing"),
        ({"multiplier__weights": "{ 100 = 4 }"}, "[multiplier] weights: no weight for 50"),
        ({"state__directory": "7"}, "state.directory = 7: expected the directory"),
        ({"state__key": '"k"', "state__heads": '"k"'}, "expected another file than state.key"),
        ({"state__key": '"k"', "people__file": '"k"'}, "expected another file than state.key and"),
        ({"people__file": "7"}, "people.file = 7: expected the file of people known by PIN"),
        (
            {"state__directory": '"s"', "state__copy": '"a/../s"'},
            'state.copy = "a/../s": expected another directory than state.directory',
        ),
        ({"state__copy": "7"}, "state.copy = 7: expected a directory on another medium, in quotes"),
        ({"control__dealers": '" "'}, "control.dealers"),
        ({"control__port": "80"}, "control.port is unknown"),
        ({"control__viewers": "1"}, "control.viewers"),
        ({"approved__rules": '"0xAB"'}, "approved.rules"),
        ({"approved__program": "5"}, "approved.program"),
        ({"approved__readings_by": "5"}, "approved.readings_by"),
        ({"approved__readings_on": '"28.11.2026"'}, "approved.readings_on"),
        ({"approved__firmware": '"ab"'}, "approved.firmware"),
        (
            {"table__box_max": '"much"'},
            'table.box_max = "much": expected the most of all main wagers',
        ),
    ],
)
def test_a_fault_is_told_with_key_value_and_what_is_expected(
    tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    found = faults(tmp_path, **changes)
    assert any(expected in fault for fault in found), found
    assert len(found) == 1


@pytest.mark.parametrize(
    ("rules", "decks"),
    [
        ("rws-pontoon-pandemonium-v4", "4 to 8"),
        ("rws-pontoon-plus-v5", "4 to 8"),
        ("mbs-pontoon-pandemonium-v5", "4 to 8"),
        ("division-15-pontoon", "4 to 8"),
        ("pontoon-five-card-trick", "1 to 8"),
    ],
)
def test_the_decks_are_those_of_the_document(tmp_path: Path, rules: str, decks: str) -> None:
    found = faults(tmp_path, table__rules=f'"{rules}"', table__decks="9")
    assert any(f"table.decks = 9: expected {decks} (" in fault for fault in found), found


def test_a_copy_whose_medium_hangs_keeps_nobody_from_reading_the_configuration(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    go, resolve = threading.Event(), Path.resolve

    def hang(path: Path, strict: bool = False) -> Path:
        if path.name == "stick":
            go.wait()
        return resolve(path, strict)

    mocker.patch.object(Path, "resolve", hang)
    try:
        assert load(tmp_path, state__copy='"stick"').copy == tmp_path / "stick"
    finally:
        go.set()


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    found = faults(
        tmp_path, table__decks="9", table__min="0", devices_shoe__baud="0", control__x="1"
    )
    assert len(found) == 4


def test_weights_that_favour_the_player_are_refused_with_the_figures(tmp_path: Path) -> None:
    weights = "{ 100 = 90, 50 = 8, 25 = 20, 20 = 20, 10 = 24, 5 = 12, 3 = 7, 2 = 5 }"
    (found,) = faults(tmp_path, multiplier__weights=weights)
    assert "favours the player" in found
    assert "mean of" in found


def test_devices_have_names_and_kinds(tmp_path: Path) -> None:
    found = load(
        tmp_path,
        **{"devices_left-meter__kind": '"display"', "devices_left-meter__port": '"left"'},
        devices_right__kind='"display"',
        devices_right__usb='"1209:0002"',
        devices_display__kind='"display"',
        devices_display__port='"third"',
        devices_pad__kind='"keypad"',
        devices_pad__port='"pad"',
    )
    assert {name: device.kind for name, device in found.devices.items()} == {
        "shoe": "shoe",
        "jackpot": "jackpot",
        "left-meter": "display",
        "right": "display",
        "display": "display",
        "pad": "keypad",
    }
    settings = settings_of(found)
    assert settings.kinds == (("left-meter", "display"), ("pad", "keypad"), ("right", "display"))


def test_a_display_needs_a_jackpot_unit(tmp_path: Path) -> None:
    (found,) = faults(
        tmp_path,
        table__rules='"rws-pontoon-plus-v5"',
        multiplier=None,
        devices_jackpot=None,
        devices_left__kind='"display"',
        devices_left__port='"left"',
    )
    assert "[devices.jackpot] is missing: devices.left is a display" in found


def test_two_names_of_one_port(tmp_path: Path) -> None:
    (tmp_path / "ports").mkdir()
    (tmp_path / "ports" / "shoe").touch()
    (tmp_path / "ports" / "other").symlink_to("shoe")
    (found,) = faults(tmp_path, devices_keypad__port='"ports/other"')
    assert "devices.shoe and devices.keypad name the same unit" in found


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"[table", "is not TOML"),
        (b"\xff", "is not TOML in UTF-8"),
        (b'x = "C:\\Users"', "; a '\\' in quotes begins a code there: folders are divided by '/'"),
        (b'x = "C:\\state"', "; a '\\' in quotes begins a code there: folders are divided by '/'"),
        ("[table]\n".encode("utf-16"), "is written in UTF-16 ('Unicode'): save it as UTF-8"),
        (b"x = " + b"9" * 5000, "is not TOML"),
        (b"x = " + b"[" * 100_000, "is not TOML"),
        (b"#" * (1 << 21), "more than"),
        (b"", "[table] is missing"),
        (b"table = 5\ndevices = 6\nmultiplier = 7", "table = 5: expected a table, [table]"),
        (b"[devices]\nshoe = 6", "devices.shoe = 6: expected a table"),
    ],
)
def test_files_that_are_no_configuration(tmp_path: Path, raw: bytes, expected: str) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(raw)
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(path)
    assert expected in str(caught.value)


def test_a_byte_order_mark_is_taken_off(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert load_configuration(path).table.id == "P12"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be read: there is no "):
        load_configuration(tmp_path / "none.toml")
    with pytest.raises(BadConfiguration, match="cannot be read: it is a directory"):
        load_configuration(tmp_path)


@pytest.mark.parametrize(
    "weights",
    ["{ 100 = 0x%s,", "{ 100 = [-1, 0x%s],", "{ 7 = [0x%s],", "{ 100 = [0x%s],"],
)
def test_weights_too_long_to_print_are_a_fault_like_any_other(tmp_path: Path, weights: str) -> None:
    rest = GOOD["multiplier"]["weights"].partition(",")[2]
    given = weights % ("f" * 5000) + rest
    with pytest.raises(BadConfiguration, match="weights"):
        load_configuration(write(tmp_path, multiplier__weights=given))


def test_viewers_are_named_or_there_are_none(tmp_path: Path) -> None:
    assert load(tmp_path).control.viewers is None
    assert load(tmp_path, control__viewers='"guests"').control.viewers == "guests"


# ---- [approved] -------------------------------------------------------------------------------


def test_what_is_approved_is_read_and_may_be_left_out(tmp_path: Path) -> None:
    assert load(tmp_path).approved == Approved()
    digest = "0123456789abcdef" * 4
    assert load(tmp_path, approved__program=f'"{digest}"').approved == Approved(program=digest)
    signed = {"readings": digest, "readings_by": "A. Tan", "readings_on": "2026-11-28"}
    given = {f"approved__{key}": f'"{value}"' for key, value in signed.items()}
    assert load(tmp_path, **given).approved == Approved(**signed)


def vkey(fill: int, kind: int = 4, length: int = 32) -> str:
    return WitnessKey("witness.example/w1", kind, bytes([fill] * length)).text


def witnesses(folder: Path, *tables: str) -> Path:
    path = write(folder)
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(f"\n[[witness]]\n{table}" for table in tables))
    return path


def test_witnesses_are_read_in_order(tmp_path: Path) -> None:
    first = f'name = "site"\nurl = "https://w.example/a/"\nvkey = "{vkey(1)}"\nrequired = true'
    later = f'name = "later"\nurl = "http://10.0.0.5:7380"\nvkey = "{vkey(1, 6, 1312)}"'
    found = load_configuration(witnesses(tmp_path, first, later)).witnesses
    assert found == (
        WitnessSettings("site", "https://w.example/a", WitnessKey.of_vkey(vkey(1)), required=True),
        WitnessSettings("later", "http://10.0.0.5:7380", WitnessKey.of_vkey(vkey(1, 6, 1312))),
    )
    assert load(tmp_path).witnesses == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": None}, "witness[1].name is missing"),
        ({"name": '"a b"'}, "at most 32 letters"),
        ({"url": None}, "witness[1].url is missing"),
        ({"url": '"ftp://w.example"'}, "expected http:// or https://"),
        ({"url": '"https://"'}, "expected http:// or https://"),
        ({"url": '"https://me:secret@w.example"'}, "expected http:// or https://"),
        ({"url": '"https://w.example/?a=1"'}, "expected http:// or https://"),
        ({"url": '"https://w.example:99999"'}, "expected http:// or https://"),
        ({"url": '"https://w.example/a b"'}, "expected http:// or https://"),
        ({"vkey": None}, "witness[1].vkey is missing"),
        ({"vkey": '"w1+00000000+AAAA"'}, "none of a witness"),
        ({"vkey": '"w1"'}, "expected NAME+ID+BASE64"),
        ({"required": '"yes"'}, "expected true or false"),
        ({"key": '"x"'}, "witness[1].key is unknown"),
    ],
)
def test_a_fault_of_a_witness_names_the_table(
    tmp_path: Path, given: dict[str, str | None], said: str
) -> None:
    keys: dict[str, str | None] = {"name": '"w1"', "url": '"https://w.example"'}
    keys |= {"vkey": f'"{vkey(1)}"', **given}
    table = "\n".join(f"{key} = {value}" for key, value in keys.items() if value is not None)
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(witnesses(tmp_path, table))
    (fault,) = caught.value.faults
    assert said in fault
    assert "witness[1]" in fault


def test_witnesses_differ_in_name_and_key(tmp_path: Path) -> None:
    same = f'name = "w1"\nurl = "https://w.example"\nvkey = "{vkey(1)}"'
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(witnesses(tmp_path, same, same))
    assert [fault.partition(" = ")[0] for fault in caught.value.faults] == [
        "witness[2].name",
        "witness[2].vkey",
    ]


def floor(folder: Path, *keys: str, witness: str = "") -> Path:
    path = witnesses(folder, *([witness] if witness else []))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n".join(["", "[floor]", *keys, ""]))
    return path


def test_the_mirror_of_a_floor_is_one_of_those_that_cosign(tmp_path: Path) -> None:
    url, key = 'url = "https://floor.example/tables/"', f'vkey = "{vkey(2)}"'
    witness = f'name = "site"\nurl = "https://w.example"\nvkey = "{vkey(1)}"'
    found = load_configuration(floor(tmp_path, url, key, witness=witness))
    mirror = WitnessSettings(
        "floor", "https://floor.example/tables", WitnessKey.of_vkey(vkey(2)), required=False
    )
    assert found.floor == mirror
    assert found.cosigners == (*found.witnesses, mirror)
    assert found.values["floor.url"] == '"https://floor.example/tables/"'
    assert (load(tmp_path).floor, load(tmp_path).cosigners) == (None, ())


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([], ["floor.url is missing", "floor.vkey is missing"]),
        (['url = "floor.example"', f'vkey = "{vkey(2)}"'], ["floor.url = "]),
        (['url = "https://f.example"', 'vkey = "x"'], ["floor.vkey = "]),
        (
            ['url = "https://f.example"', f'vkey = "{vkey(2)}"', "required = true"],
            ["floor.required is unknown"],
        ),
    ],
)
def test_a_fault_of_the_floor_names_its_key(
    tmp_path: Path, keys: list[str], said: list[str]
) -> None:
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(floor(tmp_path, *keys))
    for fault, expected in zip(caught.value.faults, said, strict=True):
        assert fault.startswith(expected)


def test_a_witness_has_neither_the_floors_name_nor_its_key(tmp_path: Path) -> None:
    witness = f'name = "floor"\nurl = "https://w.example"\nvkey = "{vkey(1)}"'
    url, key = 'url = "https://f.example"', f'vkey = "{vkey(1)}"'
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(floor(tmp_path, url, key, witness=witness))
    assert [fault.split(": is ")[1] for fault in caught.value.faults] == [
        "the floor's name, too",
        "the floor's key, too",
    ]
    assert load_configuration(witnesses(tmp_path, witness)).witnesses[0].name == "floor"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("approved = 5", "approved = 5: expected a table, [approved]"),
        ('floor = "f"', 'floor = "f": expected a table, [floor]'),
        ('witness = {name = "w1"}', 'witness = {name = "w1"}: expected tables, [[witness]]'),
    ],
)
def test_a_section_that_is_none_is_told(tmp_path: Path, line: str, said: str) -> None:
    path = write(tmp_path)
    path.write_text(f"{line}\n{path.read_text('utf-8')}", "utf-8")
    with pytest.raises(BadConfiguration) as caught:
        load_configuration(path)
    assert caught.value.faults == [said]
