"""What a mirror is sent, byte by byte, and where it says that it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.tree.merkle import PACKAGE, packages
from controller.witness.forwarding import INFO_TYPE, LONGEST, head_of, package_of, read_info


def test_a_head_byte_by_byte() -> None:
    assert head_of("ab/c", 300, (1 << 40) + 1, b"\xff\x00") == (
        b"\x00\x04ab/c"
        b"\x00\x00\x00\x00\x00\x00\x01\x2c"
        b"\x00\x00\x01\x00\x00\x00\x00\x01"
        b"\x00\x02\xff\x00"
    )
    assert head_of("o", 0, 0, b"").endswith(bytes(18))


def test_a_package_byte_by_byte() -> None:
    one, two = b"\x01" * 32, b"\x02" * 32
    assert package_of([b"abc", b"", b"x" * 300], [one, two]) == (
        b"\x00\x03abc" + b"\x00\x00" + b"\x01\x2c" + b"x" * 300 + b"\x02" + one + two
    )
    assert package_of([b"a"], []) == b"\x00\x01a\x00"
    with pytest.raises(OverflowError):
        package_of([b"x" * (LONGEST + 1)], [])


def written(start: int, end: int) -> list[tuple[int, int]]:
    """The canonical sequence as the specification has it."""
    if start == end:
        return []
    rounded_start, rounded_end = start // 256 * 256, (end + 255) // 256 * 256
    return [
        (max(start, rounded_start + i * 256), min(end, rounded_start + (i + 1) * 256))
        for i in range((rounded_end - rounded_start) // 256)
    ]


@given(st.integers(0, 1 << 50), st.integers(0, 20 * PACKAGE))
def test_packages_are_those_of_the_specification(start: int, length: int) -> None:
    assert [*packages(start, start + length)] == written(start, start + length)


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(1, 40))
def test_what_goes_on_behind_some_packages_is_the_rest_of_them(
    start: int, length: int, sent: int
) -> None:
    whole = [*packages(start, start + length)]
    rest = [*packages(whole[:sent][-1][1], start + length)] if whole else []
    assert rest == whole[sent:]


@given(st.binary(max_size=60))
def test_whatever_a_mirror_says_is_read_or_is_nothing(body: bytes) -> None:
    info = read_info(INFO_TYPE, body)
    assert info is None or body.startswith(f"{info[0]}\n{info[1]}\n".encode())


@pytest.mark.parametrize(
    ("body", "info"),
    [
        (b"500\n300\n\n", (500, 300, b"")),
        (b"500\n0\nAAH/\n", (500, 0, b"\x00\x01\xff")),
        *((body, None) for body in (b"", b"500\n", b"500\n300\n", b"500\n300\n\n\n", b"05\n3\n\n")),
        *(
            (body, None)
            for body in (b"5\n-3\n\n", b"5\n3\nA\n", b"5\n3\nAAH+/\n", b"5\n3\nAAI/x\n")
        ),
        (b"9" * 17 + b"\n3\n\n", None),
        (b"5\r\n3\r\n\r\n", None),
    ],
)
def test_where_a_mirror_stands(body: bytes, info: tuple[int, int, bytes] | None) -> None:
    assert read_info(INFO_TYPE, body) == info
    assert read_info("text/plain", body) is None
