"""Every error number is decided, and made to happen: by the kernel, or by a library in front of
libc."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from controller.causes.cause import Kind
from controller.causes.errnos import DECIDED, NEVER, kind_of, name_of
from controller.causes.finding import cause_of
from tests.causes import by_kernel
from tests.causes.provoked import WAYS

assert by_kernel  # it notes its ways

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = Path(__file__).with_name("failing.c")
NAMES: Final = {name_of(number): kind for number, kind in DECIDED.items()}
OF_ERRNOS: Final = [name for name in WAYS if not name.startswith("SQLITE_")]

ALL_OF_THEM: Final = """
import json, os, sys
from pathlib import Path
from controller.journal.errors import DiskFailed, JournalError
from controller.journal.opening import make_directory
state = Path(sys.argv[1]) / "state"
told = {}
os.environ.update(FAIL_CALL="mkdir", FAIL_PATH=str(state))
for number in json.loads(sys.argv[2]):
    os.environ["FAIL_ERRNO"] = str(number)
    try:
        make_directory(state)
    except JournalError as error:
        told[number] = [error.__cause__.errno, isinstance(error, DiskFailed), str(error)]
print(json.dumps(told))
"""


def test_every_number_of_the_system_is_decided_once() -> None:
    assert not DECIDED.keys() & NEVER.keys()
    assert errno.errorcode.keys() <= DECIDED.keys() | NEVER.keys()
    assert kind_of(errno.EL2HLT) is Kind.OURS


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.needs("root", "mount")) if WAYS[name].root else name
        for name in OF_ERRNOS
    ],
)
def test_the_kernel_says_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    with pytest.raises(OSError, match=r"\w") as raised:
        WAYS[name].does(folder)
    assert name_of(raised.value.errno) == name
    assert cause_of(raised.value, folder).kind in _may_be(name)


def _may_be(name: str) -> set[Kind]:
    """What a disk that is gone by now cannot be asked any more is told by the number alone."""
    return {NAMES[name], Kind.NOT_PERMITTED} if NAMES[name] is Kind.FAILS else {NAMES[name]}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[int, bool, str]]:
    """What a start says where the kernel answers it with each of the numbers."""
    folder = tmp_path_factory.mktemp("library")
    library = folder / "failing.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    ended = subprocess.run(
        [sys.executable, "-c", ALL_OF_THEM, folder, json.dumps(list(DECIDED))],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(library)},
    )
    return {name_of(int(number)): tuple(one) for number, one in json.loads(ended.stdout).items()}


@pytest.mark.needs("cc")
@pytest.mark.parametrize("name", NAMES)
def test_a_start_says_it_and_whether_it_heals(
    name: str, told: Mapping[str, tuple[int, bool, str]]
) -> None:
    number, heals, words = told[name]
    kind = NAMES[name]
    assert name_of(number) == name
    assert heals == kind.heals
    ends = "goes on by itself" if heals else "it does not end by itself"
    assert ends in words
    if kind is not Kind.NOT_PERMITTED:
        assert kind.what.partition("{")[0] in words
    assert "{" not in words


def test_what_holds_a_folder_without_a_name_is_told_too() -> None:
    assert cause_of(BlockingIOError(errno.EAGAIN, ""), Path("/")).kind is Kind.HELD
