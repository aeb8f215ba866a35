"""The page for the house's safe: read back, typed in again, and every slip told with its line."""

from __future__ import annotations

import pytest

from controller.evidence.keys.credential import BadPage, page, read_page
from controller.journal.keys import SecretKey

KEY = SecretKey(bytes(range(32)))
PAGE = page(KEY, "P12")


def test_a_page_holds_the_key_and_says_whose_it_is() -> None:
    assert read_page(PAGE) == KEY
    assert "table P12" in PAGE
    assert "key 1: 0001 0203 0405 0607  a850\n" in PAGE
    assert max(map(len, PAGE.splitlines())) <= 100


def test_it_may_be_typed_in_from_paper() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith(("key ", "fingerprint"))]
    typed = [line.upper().replace(" ", "") for line in lines[:-1]]
    short = KEY.public.fingerprint[:16]
    assert read_page("\n".join(reversed([*typed, f" Fingerprint {short} "]))) == KEY


def with_line(number: int, changed: str) -> str:
    return "\n".join(
        changed if line.startswith(f"key {number}:") else line for line in PAGE.splitlines()
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_line(2, "key 2: 0809 0a0b 0c0d 0e0e  1d8c"), "key 2: its check does not fit"),
        (with_line(2, "key 2: 0809 0a0b 0c0d 0e"), "key 2: 14 digits; expected 20"),
        (with_line(3, "key 3: 1o11 1213 1415 1617  0000"), "key 3: 'o' is no digit"),
        (with_line(4, ""), "no line begins with 'key 4'"),
        (PAGE + "key 1: 0001 0203 0405 0607  a850", "'key 1' is there twice or unknown"),
        (PAGE + "key 5: 0001 0203 0405 0607  a850", "'key 5' is there twice or unknown"),
        (PAGE.split("fingerprint:")[0], "the fingerprint is missing or short"),
        (PAGE.replace("fingerprint: ", "fingerprint: 0"), "not that of the key"),
        ("", "no line begins with 'key 1'"),
    ],
)
def test_a_slip_is_told_with_its_line_and_nothing_of_the_key(text: str, words: str) -> None:
    with pytest.raises(BadPage, match=words) as told:
        read_page(text)
    assert KEY.text[:16] not in str(told.value).replace(" ", "")


def test_lines_of_two_pages_are_no_page() -> None:
    other = page(SecretKey(bytes(32)), "P12").splitlines()
    theirs = next(line for line in other if line.startswith("key 3"))
    with pytest.raises(BadPage, match="all lines are from one page"):
        read_page(with_line(3, theirs))


def test_lines_that_changed_places_are_told() -> None:
    first = next(line for line in PAGE.splitlines() if line.startswith("key 1"))
    with pytest.raises(BadPage, match="key 2: its check does not fit"):
        read_page(with_line(2, first.replace("key 1", "key 2")))


def test_a_secret_key_is_not_shown() -> None:
    assert KEY.text not in f"{KEY!r} {KEY}"
