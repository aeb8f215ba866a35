"""What a missing tool and a failing one are told to a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.chroot import runs
from appliance.runners import missing, what_piuparts_found
from hil_tests.benches.vm.places import CannotBuild

LOG = """\
0m1.0s INFO: Adding sources
0m2.0s ERROR: FAIL: Package purging left files on system:
  /var/lib/left/\t not owned

0m2.1s DEBUG: Starting command: ['umount']
0m2.2s DUMP:
  noise
0m3.0s ERROR: piuparts run ends.
"""


def test_a_missing_tool_is_named_with_what_installs_it() -> None:
    missing(("sh",))
    with pytest.raises(CannotBuild, match=r"'apt install --no-install-recommends no-such-tool'"):
        missing(("sh", "no-such-tool"))


def test_of_piuparts_log_its_errors_are_told() -> None:
    assert what_piuparts_found(LOG).splitlines() == [
        "0m2.0s ERROR: FAIL: Package purging left files on system:",
        "  /var/lib/left/\t not owned",
    ]
    assert what_piuparts_found("usage\nno such option") == "usage\nno such option"


def test_programs_of_this_machine_run(tmp_path: Path) -> None:
    runs("arm64", "arm64", tmp_path)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, r"(?s)apt install qemu-user-static.*mount -t binfmt_misc .*qemu-aarch64\.conf"),
        ({"register": ""}, r"(?s)apt install qemu-user-static\n +grep "),
        ({"qemu-aarch64": "disabled\nflags: F\n"}, "is not enabled: 'echo 1 "),
        ({"qemu-aarch64": "enabled\nflags: OCP\n"}, "has no flag F"),
    ],
)
def test_what_is_to_be_done_for_another_machine_s(
    tmp_path: Path, files: dict[str, str], told: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(CannotBuild, match=told):
        runs("arm64", "amd64", tmp_path)


def test_another_machine_s_programs_run_where_they_are_registered(tmp_path: Path) -> None:
    (tmp_path / "qemu-aarch64").write_text("enabled\ninterpreter /x\nflags: POF\n")
    runs("arm64", "amd64", tmp_path)
