"""Configurations proposed: a new one in order, and one that is there changed and nothing else."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.commissioning.proposal import Proposal, proposal, value_of
from controller.configuration.tables import BadConfiguration
from controller.not_done import NotDone
from tests.cli.support import CONFIGURATION

SHOE = "devices.shoe.port"


@pytest.fixture
def there(tmp_path: Path) -> Proposal:
    path = tmp_path / "table.toml"
    path.write_text(CONFIGURATION.read_text("utf-8"), "utf-8")
    return proposal(path)


@pytest.fixture
def new(tmp_path: Path) -> Proposal:
    return proposal(tmp_path / "new.toml")


def changes(proposed: Proposal) -> list[str]:
    assert proposed.before is not None
    lines = difflib.ndiff(proposed.before.splitlines(), proposed.text.splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("25", 25),
        ("12.50", 12.5),
        ("P12", "P12"),
        ('"12"', "12"),
        ("{ 2 = 5 }", {"2": 5}),
        ("1\nmax = 2", "1\nmax = 2"),
        ("true", True),
        ("06:00", "06:00"),
    ],
)
def test_a_value_is_toml_or_text(text: str, value: object) -> None:
    given_value = value_of(text)
    assert getattr(given_value, "unwrap", lambda: given_value)() == value


def test_what_is_the_same_changes_nothing(there: Proposal) -> None:
    there.set("table.min", 10)
    there.set("control.dealers", "table-dealers")
    there.unset("table.box_max")
    assert there.text == there.before
    assert not there.is_new


def test_a_value_keeps_its_comment(there: Proposal) -> None:
    there.set("table.min", 25)
    before, after = changes(there)
    assert before.removeprefix("- ") == after.removeprefix("+ ").replace("25", "10")
    assert "# main wagers" in after


def test_a_new_key_stands_behind_the_last_of_its_table(there: Proposal) -> None:
    there.set("table.box_max", 5000)
    assert changes(there) == ["+ box_max = 5000"]
    lines = there.text.splitlines()
    assert lines[lines.index("box_max = 5000") - 1].startswith("increment = 1")


def test_a_new_device_stands_behind_the_others_and_before_what_is_said_of_the_next_table(
    there: Proposal,
) -> None:
    there.set("devices.left.kind", "display")
    there.set("devices.left.port", "/dev/table/left")
    assert [line for line in changes(there) if line.strip("+ ")] == [
        "+ [devices.left]",
        '+ kind = "display"',
        '+ port = "/dev/table/left"',
    ]
    lines = there.text.splitlines()
    assert lines[lines.index("[multiplier]") - 1].startswith("# are an example")
    assert there.devices()["left"].kind == "display"


def test_a_new_table_stands_at_the_end(there: Proposal) -> None:
    there.set("approved.rules", "ab")
    assert there.text.endswith('\n\n[approved]\nrules = "ab"\n\n')


def test_a_device_is_taken_out_and_the_comments_behind_it_stay(there: Proposal) -> None:
    there.unset("devices.keypad")
    assert [line.split(" #")[0].strip() for line in changes(there) if line.strip("- ")] == [
        "- [devices.keypad]",
        '- port = "/dev/table/keypad"',
    ]
    there.unset("table.min")
    assert "table.min is missing: expected the lowest main wager, in dollars" in there.faults()


def test_an_inline_table_takes_more(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("devices = { shoe = { port = '/dev/a' } }\n[multiplier]\nweights = { 2 = 5 }\n")
    proposed = proposal(path)
    proposed.set("devices.keypad.port", "/dev/b")
    proposed.set("multiplier.weights.3", 7)
    told = tomllib.loads(proposed.text)
    assert told["devices"] == {"shoe": {"port": "/dev/a"}, "keypad": {"port": "/dev/b"}}
    assert told["multiplier"]["weights"] == {"2": 5, "3": 7}


def test_the_first_device_and_the_only_one(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[table]\n")
    proposed = proposal(path)
    proposed.set(SHOE, "/dev/a")
    assert tomllib.loads(proposed.text)["devices"] == {"shoe": {"port": "/dev/a"}}
    proposed.unset("devices.shoe")
    assert tomllib.loads(proposed.text).get("devices", {}) == {}


@pytest.mark.parametrize("key", ["min", "", ".min", "table.", "table..min"])
def test_what_is_no_key(there: Proposal, key: str) -> None:
    with pytest.raises(NotDone, match=r"is no key: expected one such as table\.min"):
        there.set(key, 1)
    with pytest.raises(NotDone, match="is no key"):
        there.unset(key)


def test_a_key_through_a_value(there: Proposal, new: Proposal) -> None:
    new.set("table.id", "P12")
    for proposed in (there, new):
        with pytest.raises(NotDone, match=r"table\.id\.x: what stands before"):
            proposed.set("table.id.x", 1)


@pytest.mark.parametrize("content", [b"[table", b"\xff", b"a = " + b"[" * 100_000])
def test_what_is_no_toml(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "table.toml").write_bytes(content)
    with pytest.raises(BadConfiguration, match="is not TOML in UTF-8"):
        proposal(tmp_path / "table.toml")


def test_devices_are_read_as_far_as_they_can_be(new: Proposal) -> None:
    new.set("devices.shoe.port", "shoe")
    new.set("devices.shoe.baud", 9)
    new.set("devices.meter.usb", "1209:0001")
    new.set("devices.keypad.port", 7)
    new.set("devices.nothing", "there")
    found = new.devices()
    assert (found["shoe"].port, found["shoe"].baud) == (str(new.path.parent / "shoe"), 115200)
    assert (found["meter"].usb, found["meter"].port) == ("1209:0001", None)
    assert found["keypad"].port is None
    assert "nothing" not in found
    assert 'devices.nothing = "there": expected a table, [devices.nothing]' in new.faults()
    assert "devices.shoe.baud = 9: expected 50 to 4000000 (bits per second)" in new.faults()
    new.unset("devices.nothing")
    assert "nothing" not in new.text


def test_a_new_file_stands_in_order_with_what_its_keys_mean(new: Proposal) -> None:
    new.set("approved.rules", "a" * 64)
    new.set("multiplier.weights.2", 5)
    new.set("devices.keypad.port", "/dev/table/keypad")
    new.set("devices.left-meter.port", "/dev/table/left-meter")
    new.set(SHOE, "/dev/table/shoe")
    new.set("table.max", 5000)
    new.set("table.id", "P12")
    headers = [line for line in new.text.splitlines() if line.startswith("[")]
    assert headers == [
        *("[table]", "[devices.shoe]", "[devices.keypad]", "[devices.left-meter]"),
        *("[multiplier]", "[state]", "[archive]", "[control]", "[approved]"),
    ]
    assert new.text.index("id = ") < new.text.index("max = ")
    assert 'id = "P12"                              # the table\'s name on the floor' in new.text
    assert 'viewers = "table-viewers"' in new.text
    assert new.get("control.viewers") == "table-viewers"


@given(
    st.dictionaries(
        st.sampled_from(["table.min", "table.id", "state.copy", SHOE]),
        st.integers(1, 9) | st.text("ab'\"\\é\n", max_size=5),
    )
)
def test_what_is_set_is_read(
    tmp_path_factory: pytest.TempPathFactory, keys: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("set")
    (folder / "old.toml").write_text(CONFIGURATION.read_text("utf-8"), "utf-8")
    for name in ("old.toml", "new.toml"):
        proposed = proposal(folder / name)
        for key, value in keys.items():
            proposed.set(key, value)
        told = tomllib.loads(proposed.text)
        for key, value in keys.items():
            found: object = told
            for part in key.split("."):
                assert isinstance(found, dict)
                found = found[part]
            assert found == value
