"""Every mistake that is planted into a twin is found by the check that is about it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from inspect import signature
from pathlib import Path
from typing import Any, Final

import pytest

from hil_tests.benches.virtual.pyusb_backend import installed
from hil_tests.conformance import test_commands as commands
from hil_tests.conformance import test_devices as devices
from hil_tests.conformance import test_events as events
from hil_tests.conformance import test_payloads as payloads
from hil_tests.conformance.broken import DEFECTS
from hil_tests.conformance.conftest import OPTIONS, UNIT
from hil_tests.conformance.hands import TwinsHands
from hil_tests.conformance.subject import Place, Subject
from simulators.hands import Hands

Check = Callable[..., None]

FOUND_BY: Final[dict[str, tuple[str, Check, dict[str, Any]]]] = {
    "crc-not-checked": ("shoe", payloads.test_a_wrong_crc_is_never_answered, {"place": -1}),
    "length-not-checked": (
        "keypad",
        payloads.test_a_command_of_the_wrong_length_gets_nak_2,
        {"more": -1},
    ),
    "lost-in-noise": ("shoe", payloads.test_noise_costs_no_frame_behind_its_end, {}),
    "padding-taken": ("jackpot-usb", payloads.test_over_long_packets_are_dropped, {}),
    "done-again": ("jackpot", commands.test_a_repeated_command_is_not_done_again, {}),
    "few-answers-remembered": ("keypad", commands.test_eight_answers_are_remembered, {}),
    "answers-outlive-hello": ("shoe", commands.test_hello_empties_the_memory_of_answers, {}),
    "unknown-ignored": ("shuffler", commands.test_an_unknown_type_gets_nak_1, {}),
    "answers-late": ("keypad", commands.test_answers_come_in_time, {}),
    "noise-is-life": ("shoe", commands.test_only_valid_payloads_count_as_life, {}),
    "impatient": ("shoe", commands.test_a_controller_that_is_slow_is_not_gone, {}),
    "stays-unlocked": ("shoe", devices.test_a_shoe_without_its_controller_locks_itself, {}),
    "stays-armed": (
        "jackpot",
        devices.test_a_unit_without_its_controller_disarms_and_keeps_showing,
        {},
    ),
    "not-repeated": ("keypad", events.test_an_event_is_repeated_until_it_is_acknowledged, {}),
    "repeated-with-another-time": (
        "shoe",
        events.test_an_event_is_repeated_until_it_is_acknowledged,
        {},
    ),
    "numbers-go-back": ("keypad", events.test_numbers_follow_each_other, {}),
    "numbers-left-out": ("keypad", events.test_numbers_follow_each_other, {}),
    "window-too-large": ("shoe", events.test_at_most_eight_are_in_flight, {}),
    "any-session-acknowledges": (
        "shoe",
        events.test_an_acknowledgement_of_something_else_changes_nothing,
        {},
    ),
    "any-session-covers": ("keypad", events.test_hello_of_another_session_covers_nothing, {}),
    "hello-covers-nothing": ("keypad", events.test_hello_covers_what_is_stored, {}),
    "talks-to-nobody": ("keypad", events.test_events_wait_for_hello, {}),
    "lost-with-the-cable": ("shoe", events.test_nothing_is_lost_with_the_cable, {}),
    "session-kept-without-memory": ("shoe", events.test_nothing_is_lost_with_the_power, {}),
    "lost-with-a-restart": (
        "jackpot",
        commands.test_a_reset_device_wants_hello_and_keeps_its_session,
        {},
    ),
    "another-session-counts-on": (
        "shoe",
        commands.test_a_reset_device_wants_hello_and_keeps_its_session,
        {},
    ),
    "allowance-never-used-up": ("shoe", devices.test_an_allowance_is_used_up_card_by_card, {}),
    "every-press-counts": ("jackpot", devices.test_the_first_press_counts_and_only_that, {}),
    "arm-after-shown": ("jackpot", devices.test_the_meter_shows_what_it_is_told, {}),
    "arm-keeps-display": ("jackpot", devices.test_arming_a_new_offer_blanks_the_display, {}),
    "never-says-shown": ("jackpot", devices.test_the_meter_shows_what_it_is_told, {}),
    "keys-for-nobody": (
        "keypad",
        devices.test_a_keypad_without_its_controller_takes_no_keys,
        {},
    ),
    "begins-again": ("shuffler", devices.test_a_shuffle_is_begun_once_and_told, {}),
}


@contextmanager
def _broken(defect: str, name: str) -> Iterator[Subject]:
    kind, _, carrier = name.partition("-")
    usb = carrier == "usb"
    with ExitStack() as undo:
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="broken-")))
        hands = undo.enter_context(
            Hands.start(
                kind,
                folder / kind,
                *OPTIONS.get(kind, ()),
                line="--usb-port" if usb else "--link",
                program=(sys.executable, "-m", "hil_tests.conformance.broken", defect),
            )
        )
        if usb:
            undo.enter_context(installed(folder))
        yield Subject(Place(kind, UNIT if usb else str(folder / kind)), TwinsHands(hands))


def test_every_defect_has_its_check() -> None:
    assert FOUND_BY.keys() == DEFECTS.keys()


@pytest.mark.parametrize("defect", sorted(FOUND_BY))
def test_a_planted_defect_is_found(defect: str) -> None:
    name, check, more = FOUND_BY[defect]
    with _broken(defect, name) as subject:
        controller = subject.greeted()
        try:
            given = {"subject": subject, "controller": controller, **more}
            wanted = {key: given[key] for key in signature(check).parameters}
            with pytest.raises(AssertionError):
                check(**wanted)
        finally:
            controller.line.close()
