"""Which checks each planted defect has to be found by: the first is the one that is about it."""

from __future__ import annotations

from typing import Final, NamedTuple


class ExpectedFailures(NamedTuple):
    """``twin`` is the kind of the twin that has the defect, ``fails`` the checks that must not hold
    in a whole run, no other may. ``keeps_from_being_made``: others cannot be made because of it."""

    twin: str
    fails: tuple[str, ...]
    keeps_from_being_made: bool = False


FOUND: Final = {
    "allowance-never-used-up": ExpectedFailures("shoe", ("an_allowance_is_used_up_card_by_card",)),
    "another-session-counts-on": ExpectedFailures(
        "shoe",
        (
            "a_reset_device_wants_hello_and_keeps_its_session",
            "nothing_is_lost_with_the_power",
        ),
    ),
    "answers-late": ExpectedFailures("keypad", ("answers_come_in_time",)),
    "answers-outlive-hello": ExpectedFailures("shoe", ("hello_empties_the_memory_of_answers",)),
    "any-session-acknowledges": ExpectedFailures(
        "shoe", ("an_acknowledgement_of_something_else_changes_nothing",)
    ),
    "any-session-covers": ExpectedFailures("keypad", ("hello_of_another_session_covers_nothing",)),
    "arm-after-shown": ExpectedFailures(
        "jackpot",
        (
            "the_meter_shows_what_it_is_told",
            "a_blank_meter_shows_the_same_again",
        ),
    ),
    "arm-keeps-display": ExpectedFailures("jackpot", ("arming_a_new_offer_blanks_the_display",)),
    "begins-again": ExpectedFailures("shuffler", ("a_shuffle_is_begun_once_and_told",)),
    "crc-not-checked": ExpectedFailures(
        "shoe",
        (
            "a_wrong_crc_is_never_answered",
            "another_version_is_never_answered",
            "only_valid_payloads_count_as_life",
        ),
    ),
    "done-again": ExpectedFailures(
        "jackpot",
        (
            "a_repeated_command_is_not_done_again",
            "a_repeated_command_gets_the_same_answer",
            "eight_answers_are_remembered",
        ),
    ),
    "every-press-counts": ExpectedFailures(
        "jackpot",
        (
            "the_first_press_counts_and_only_that",
            "disarming_another_offer_changes_nothing",
            "a_unit_without_its_controller_disarms_and_keeps_showing",
        ),
    ),
    "few-answers-remembered": ExpectedFailures("keypad", ("eight_answers_are_remembered",)),
    "hello-covers-nothing": ExpectedFailures("keypad", ("hello_covers_what_is_stored",)),
    "impatient": ExpectedFailures("shoe", ("a_controller_that_is_slow_is_not_gone",)),
    "keys-for-nobody": ExpectedFailures(
        "keypad", ("a_keypad_without_its_controller_takes_no_keys",)
    ),
    "length-not-checked": ExpectedFailures(
        "keypad",
        (
            "a_command_of_the_wrong_length_gets_nak_2",
            "hello_is_first",
        ),
    ),
    "lost-in-noise": ExpectedFailures(
        "shoe",
        (
            "noise_costs_no_frame_behind_its_end",
            "a_payload_too_short_or_too_long_is_never_answered",
        ),
    ),
    "lost-with-a-restart": ExpectedFailures(
        "jackpot",
        (
            "a_reset_device_wants_hello_and_keeps_its_session",
            "nothing_is_lost_with_the_power",
        ),
    ),
    "lost-with-the-cable": ExpectedFailures("shoe", ("nothing_is_lost_with_the_cable",)),
    "never-says-shown": ExpectedFailures(
        "jackpot",
        (
            "the_meter_shows_what_it_is_told",
            "a_blank_meter_shows_the_same_again",
        ),
        keeps_from_being_made=True,
    ),
    "noise-is-life": ExpectedFailures("shoe", ("only_valid_payloads_count_as_life",)),
    "not-repeated": ExpectedFailures("keypad", ("an_event_is_repeated_until_it_is_acknowledged",)),
    "numbers-go-back": ExpectedFailures(
        "keypad",
        (
            "numbers_follow_each_other",
            "every_event_heard_had_the_next_number",
        ),
        keeps_from_being_made=True,
    ),
    "numbers-left-out": ExpectedFailures(
        "keypad",
        (
            "numbers_follow_each_other",
            "every_event_heard_had_the_next_number",
        ),
        keeps_from_being_made=True,
    ),
    "padding-taken": ExpectedFailures("jackpot-usb", ("over_long_packets_are_dropped",)),
    "repeated-with-another-time": ExpectedFailures(
        "shoe",
        (
            "an_event_is_repeated_until_it_is_acknowledged",
            "every_event_heard_again_was_the_same",
        ),
    ),
    "session-kept-without-memory": ExpectedFailures(
        "shoe",
        (
            "nothing_is_lost_with_the_power",
            "a_reset_device_wants_hello_and_keeps_its_session",
        ),
    ),
    "stays-armed": ExpectedFailures(
        "jackpot", ("a_unit_without_its_controller_disarms_and_keeps_showing",)
    ),
    "stays-unlocked": ExpectedFailures("shoe", ("a_shoe_without_its_controller_locks_itself",)),
    "talks-to-nobody": ExpectedFailures(
        "keypad",
        (
            "events_wait_for_hello",
            "only_valid_payloads_count_as_life",
            "hello_is_first",
        ),
    ),
    "unknown-ignored": ExpectedFailures("shuffler", ("an_unknown_type_gets_nak_1",)),
    "window-too-large": ExpectedFailures("shoe", ("at_most_eight_are_in_flight",)),
}
