"""A box left alone on a plain machine: its night by its timer, a closed journal, the exporter."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

Step = Callable[[str], AbstractContextManager[None]]

UNIT: Final = "table-controller.service"
NIGHT: Final = "table-controller-nightly"
EXPORTER: Final = "table-controller-exporter"
ARCHIVE: Final = "/var/lib/table-controller/archive"
STICK: Final = "/media/archive"
KEYS: Final = {
    "archive.after_days": "1",
    "archive.keep_days": "0",
    "archive.to": f"{STICK}/table-controller",
}
"""What such a box is set up with."""

AT_ONCE: Final = """\
[Timer]
OnCalendar=
OnCalendar=*-*-* *:*:00
RandomizedDelaySec=0
"""


class Box(Protocol):
    """The machine."""

    def sh(self, script: str, *, status: int | None = 0) -> str:
        """Run a shell's script as root; what it printed, errors too."""


def night(box: Box, step: Step) -> None:
    """The timer comes with the package; what it starts verifies the journal beside play."""
    box.sh(f"systemctl is-enabled {NIGHT}.timer; systemctl is-active {NIGHT}.timer")
    with step("a night by its timer, beside the running table"):
        folder = f"/run/systemd/system/{NIGHT}.timer.d"
        box.sh(f"mkdir -p {folder}; printf '{AT_ONCE}' > {folder}/now.conf")
        box.sh(f"systemctl daemon-reload; systemctl restart {NIGHT}.timer")
        box.sh("until test -e /var/lib/table-controller-nightly/report.json; do sleep 1; done")
        box.sh(f"rm -r {folder}; systemctl daemon-reload; systemctl restart {NIGHT}.timer")
        box.sh(f"while systemctl is-active -q {NIGHT}.service; do sleep 1; done")
    told = report(box)
    assert told["well"], told
    assert told["journal"]["to"] > 1, told
    cpu = box.sh(f"systemctl show --value -p CPUUsageNSec -p MemoryPeak {NIGHT}.service")
    print(f"          its processor's time and memory: {' '.join(cpu.split())}")
    print("          " + box.sh(f"systemd-analyze security {NIGHT}.service | tail -n 1"))


def closed(box: Box, step: Step) -> None:
    """Two days later: the journal is closed at a start, taken to a stick, removed here."""
    box.sh(
        f"mkdir -p {STICK}; mount -t tmpfs tmpfs {STICK}; mkdir {STICK}/table-controller; "
        f"chown table-controller: {STICK}/table-controller"
    )
    # The timer's own night would begin as the clock is set, before there is an archive to write in.
    box.sh(f"systemctl stop {NIGHT}.timer")
    with step("two days later the journal is closed at a start between rounds"):
        box.sh(f"date --set '+2 days'; systemctl restart {UNIT}")
        box.sh(f"ls {ARCHIVE}/journal-*.sqlite3")
    with step("taken to a stick by night, compared, removed here"):
        night_now(box)
    told = report(box)
    assert (told["well"], len(told["removed"]), told["problems"]) == (True, 1, []), told
    box.sh(f"ls {STICK}/table-controller/journal-*.sqlite3 && ! ls {ARCHIVE}/journal-*")
    box.sh(f"tablectl journal verify --archive {STICK}/table-controller")
    with step("a night without its medium says so, and removes nothing"):
        box.sh(f"umount {STICK}; date --set '+2 days'; systemctl restart {UNIT}")
        night_now(box, status=1)
    told = report(box)
    assert told["well"], told
    assert "put the medium in" in told["problems"][0], told
    box.sh(f"ls {ARCHIVE}/journal-*.sqlite3; tablectl journal verify --no-replay")
    box.sh(f"systemctl start {NIGHT}.timer")


def exporter(box: Box, step: Step) -> None:
    """Off until enabled; the daemon does not grow by it."""
    box.sh(f"systemctl is-enabled {EXPORTER}", status=1)
    before = pss_kb(box)
    with step("the exporter enabled, its first figures"):
        box.sh(f"systemctl enable --now {EXPORTER}")
        file = box.sh(f"systemctl cat {EXPORTER} | grep -o '/[^ \"]*[.]prom' | head -n 1")
        box.sh(f"until grep -q '^table_controller_up 1' {file}; do sleep 1; done")
    box.sh(f"grep '^table_controller_nightly_well 1' {file}")
    print(f"          PSS of the daemon: {before} kB before, {pss_kb(box)} kB after")
    print("          " + box.sh(f"systemd-analyze security {EXPORTER}.service | tail -n 1"))


def night_now(box: Box, *, status: int = 0) -> None:
    """A night that is asked for; where it ends otherwise, what it said is told."""
    box.sh(
        f"systemctl start {NIGHT}.service; status=$?; test $status = {status} || "
        f"journalctl --no-pager -n 40 -o cat -u {NIGHT} -u {UNIT}; exit $status",
        status=status,
    )


def report(box: Box) -> dict[str, Any]:
    """Of the last night."""
    told: dict[str, Any] = json.loads(box.sh("cat /var/lib/table-controller-nightly/report.json"))
    return told


def pss_kb(box: Box) -> int:
    """What the daemon has in main memory, shared pages by their share."""
    pid = f"$(systemctl show --value -p MainPID {UNIT})"
    return int(box.sh(f"awk '/^Pss:/ {{print $2}}' /proc/{pid}/smaps_rollup"))
