"""Self-tests at the start: what they find is latched before a byte goes to any device."""

from __future__ import annotations

from collections.abc import Iterator

from controller.daemon.health.findings import (
    FAILED,
    FaultFinding,
    Found,
    SelfTest,
    Tested,
    run_self_tests,
)


def finds(*found: Tested, able: tuple[str, ...] = ("disk-low",)) -> SelfTest:
    return SelfTest("the disk", able, lambda: found)


def test_nothing_found_is_nothing_told() -> None:
    assert run_self_tests([finds()], {}) == []


def test_what_is_found_is_told_once_for_all_tests() -> None:
    tests = [finds(("disk-low", "9 days")), finds(("disk-low", "no answer"))]
    assert run_self_tests(tests, {}) == [
        FaultFinding("disk-low", "9 days; no answer", present=True)
    ]


def test_what_stands_is_told_again_only_in_other_words() -> None:
    test = finds(("disk-low", "9 days"))
    assert run_self_tests([test], {"disk-low": "9 days"}) == []
    [told] = run_self_tests([test], {"disk-low": "10 days"})
    assert (told.detail, told.present) == ("9 days", True)


def test_what_is_not_found_again_is_over_and_what_nobody_tested_is_not() -> None:
    standing = {"disk-low": "9 days", "copy-failing": "gone", FAILED: "the disk: no"}
    told = run_self_tests([finds()], standing)
    assert [(one.fault, one.present) for one in told] == [("disk-low", False), (FAILED, False)]


def test_what_could_not_be_looked_for_stays_as_it_was() -> None:
    standing = {"disk-low": "9 days"}
    assert run_self_tests([finds(("disk-low", None))], standing) == []
    [told] = run_self_tests([finds(("disk-low", None)), finds(("disk-low", "8 days"))], standing)
    assert told == FaultFinding("disk-low", "8 days", present=True)


def test_a_test_that_cannot_be_carried_out_is_not_passed() -> None:
    def broken() -> Iterator[Found]:
        yield "disk-low", "9 days"
        raise OSError("no such disk")

    tests = [SelfTest("the disk", ("disk-low", "disk-full-soon"), broken)]
    told = run_self_tests(tests, {"disk-full-soon": "2 MiB"})
    assert told == [
        FaultFinding("disk-low", "9 days", present=True),
        FaultFinding(FAILED, "the disk: no such disk", present=True),
    ]


def test_one_that_fails_without_a_word_is_named_all_the_same() -> None:
    def broken() -> list[Found]:
        raise ZeroDivisionError

    [told] = run_self_tests([SelfTest("the program", (), broken)], {})
    assert told.detail == "the program: ZeroDivisionError"
