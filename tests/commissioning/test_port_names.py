"""The rules for udev: names read, changed and added, everything else left as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.commissioning.place import bound, can_be_bound, can_be_guarded, guarded, read_names

BY_HAND = """\
# made by hand
ACTION=="remove", GOTO="table_end"
#SUBSYSTEMS=="usb", ATTRS{serial}=="JACK0001", SYMLINK+="table/jackpot", ENV{TABLE_PORT}="1"
SUBSYSTEMS=="usb", ATTRS{serial}=="SHOE0001", SYMLINK+="table/shoe", ENV{TABLE_PORT}="1"
SUBSYSTEMS=="usb", ATTRS{serial}=="KEYP0001", SYMLINK+="table/keypad", ENV{TABLE_PORT}="1"

# ours
ENV{TABLE_PORT}=="1", MODE="0660"
LABEL="table_end"
"""
"""As an installation from a checkout had it."""

NUMBERS = st.from_regex(r"[A-Z0-9]{1,12}", fullmatch=True)
NAMES = st.dictionaries(st.sampled_from(["shoe", "shuffler", "keypad", "meter-2"]), NUMBERS)


def test_a_file_by_hand_is_read_and_its_comments_are_not() -> None:
    assert read_names(BY_HAND) == {"shoe": "SHOE0001", "keypad": "KEYP0001"}


def test_an_exchanged_adapter_changes_one_number_and_nothing_else() -> None:
    assert bound(BY_HAND, {"shoe": "SHOE0002"}) == BY_HAND.replace("SHOE0001", "SHOE0002")


def test_a_new_name_stands_behind_the_others() -> None:
    old, new = BY_HAND.splitlines(), bound(BY_HAND, {"shuffler": "SHUF0001"}).splitlines()
    assert [*new[:5], *new[6:]] == old
    assert '"SHUF0001", SYMLINK+="table/shuffler"' in new[5]


def test_a_number_names_one_port() -> None:
    """The keypad's adapter is the shoe's now."""
    assert read_names(bound(BY_HAND, {"shoe": "KEYP0001"})) == {"shoe": "KEYP0001"}


@given(NAMES, NAMES)
def test_what_is_bound_is_read_again_and_twice_is_once(
    first: dict[str, str], then: dict[str, str]
) -> None:
    text = bound(bound("", first), then)
    names = read_names(text)
    assert then.items() <= names.items()
    assert names.keys() <= first.keys() | then.keys()
    assert bound(text, then) == text


@pytest.mark.parametrize("number", ["", "A*", "A?", "[A]", "A|B", 'A"', "A\\", "Ä"])
def test_what_udev_takes_as_a_pattern_is_not_bound(number: str) -> None:
    assert not can_be_bound(number)


def test_numbers_of_adapters_are_bound() -> None:
    assert all(map(can_be_bound, ("SHOE0001", "FT4X-1_2.3:4", "0000:00:14.0")))


def test_a_port_by_its_path_is_guarded_as_a_bound_one() -> None:
    """Else other programs talk to it, and the controller's user may not open it."""
    by_path = "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0"
    text = guarded(bound("", {"shoe": "SHOE0001"}), [by_path, "/dev/ttyS0"])
    assert f'SYMLINK=="{by_path.removeprefix("/dev/")}", ENV{{TABLE_PORT}}="1"\n' in text
    assert 'SUBSYSTEM=="tty", KERNEL=="ttyS0", ENV{TABLE_PORT}="1"\n' in text
    assert guarded(text, ["/dev/ttyS0", by_path]) == text
    assert read_names(text) == {"shoe": "SHOE0001"}
    assert bound(text, {"shoe": "SHOE0001"}) == text


@pytest.mark.parametrize("port", ["/tmp/shoe", "/dev/tty*", "/dev/a|b", ""])
def test_a_path_that_udev_cannot_tell_is_not_guarded(port: str) -> None:
    assert not can_be_guarded(port)
