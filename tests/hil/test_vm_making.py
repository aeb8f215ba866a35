"""What the virtual machine is made of: made once and whole, named after what it is made of."""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from hil_tests.benches.vm.base import USED
from hil_tests.benches.vm.image import unwrapped
from hil_tests.benches.vm.places import ROOT, CannotBuild, digest, ensure_folder, run


def _bzimage(packed: bytes) -> bytes:
    """Four setup sectors, then 16 bytes of code, the payload and its length."""
    image = bytearray(5 * 512 + 16)
    image[0x1F1] = 4
    image[0x202:0x206] = b"HdrS"
    struct.pack_into("<II", image, 0x248, 16, len(packed) + 4)
    return bytes(image) + packed + b"\0\0\0\1" + b"behind it"


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress])
def test_a_kernel_is_unwrapped(pack: Callable[[bytes], bytes]) -> None:
    assert unwrapped(_bzimage(pack(b"\x7fELF and so on"))) == b"\x7fELF and so on"


def test_what_is_no_kernel_is_refused() -> None:
    for image, why in (
        (bytes(2048), "'HdrS' at 0x202"),
        (_bzimage(lzma.compress(b"MZ")), "no ELF file"),
        (_bzimage(b"\x02\x21L\x18"), "begins 02214c18"),
    ):
        with pytest.raises(ValueError, match=why):
            unwrapped(image)


def test_the_name_tells_parts_apart() -> None:
    assert digest([b"ab", b"c"]) != digest([b"a", b"bc"])


def test_what_is_there_is_not_made_again_and_old_ones_go(tmp_path: Path) -> None:
    times: list[Path] = []

    def make(folder: Path) -> None:
        times.append(folder)
        (folder / "whole").touch()

    for name in ("thing-1", "thing-1", "thing-2", "thing-3"):
        folder = ensure_folder(tmp_path / name, make, instead="thing-*")
        assert (folder / "whole").exists()
    assert len(times) == 3
    assert sorted(path.name for path in tmp_path.glob("thing-*")) == ["thing-3"]


def test_what_fails_in_the_making_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - ours
        ensure_folder(tmp_path / "thing-1", fail, instead="thing-*")
    assert [path.name for path in tmp_path.iterdir()] == [".lock-thing"]


def test_a_tool_that_fails_is_told_with_its_last_words() -> None:
    assert run("echo", "well", what="a word") == "well\n"
    with pytest.raises(CannotBuild, match=r"a disk: sh ended with 4:\nno room"):
        run("sh", "-c", "echo no room >&2; exit 4", what="a disk")
    with pytest.raises(CannotBuild, match=r"a disk: no-such-tool is not installed; see docs"):
        run("no-such-tool", what="a disk")


def test_all_that_the_source_disk_takes_is_in_the_project() -> None:
    assert [name for name in USED if not (ROOT / name).exists()] == []
