"""What came of a test, of a device or of the machine, with a person or without; and the tests of a
machine: the generator, the disk of the journal, clock and key.

Each is ``name``, ``ok`` and ``what`` in plain words, which say what to do where it is not well.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from controller.causes.finding import cause_of
from controller.configuration.model import Configuration
from controller.configuration.places import nearest_folder
from controller.control.answers import SelfTestOutcome
from controller.regular_files import read_whole
from drivers.self_test import SelfTestReport, test_name

SUPPORT: Final = "exchange it or call support"


class TestOutcome(TypedDict):
    """One test of a device, as ``devices test --json`` lists it."""

    name: str
    ok: bool
    what: str


def outcome(name: str, what: str, *, ok: bool = True) -> TestOutcome:
    """What came of the test of that name."""
    return {"name": name, "ok": ok, "what": what}


def as_told(device: str, report: SelfTestReport) -> SelfTestOutcome:
    """A self-test that was ordered here, as the controller tells of one."""
    return {
        "device": device,
        "well": not report.failed,
        "failed": list(report.failed),
        "duration_ms": report.duration_ms,
        "trouble": "",
    }


def own_test(result: SelfTestOutcome) -> TestOutcome:
    """The device's own self-test."""
    took = f"in {(result['duration_ms'] or 0) / 1000:.1f} s"
    if result["trouble"]:
        what = f"not tested, {result['trouble']}"
    elif result["well"]:
        what = f"passed {took}"
    else:
        what = f"FAILED {took}, test {', '.join(map(test_name, result['failed']))}; {SUPPORT}"
    return {"name": "self-test", "ok": result["well"], "what": what}


MIB: Final = 1 << 20
ROOM_BYTES: Final = 512 * MIB
"""What a table wants free at its beginning: a busy one writes 100 to 200 MB a month."""
SLOW_S: Final = 0.5
"""A card waits for its commit; a medium that takes longer for one is none for a table."""
WRITES: Final = 16
BLOCK_BYTES: Final = 4096
VOLATILE: Final = frozenset({"tmpfs", "ramfs", "squashfs"})
OVERLAY: Final = "overlay"
REMOTE: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs"})
MOUNTS: Final = Path("/proc/self/mountinfo")
_UPPER: Final = re.compile(r"[ ,]upperdir=([^ ,]+)")
FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""This program was not there before."""
WITHIN_S: Final = 10.0


def machine_tests(config: Configuration, credential: Path, *, dry: bool) -> list[TestOutcome]:
    """Generator, disk, clock and key; ``dry``: nothing is written to try the disk."""
    return [
        _generator(config),
        disk(config.state_directory, dry=dry),
        clock(datetime.now(UTC)),
        key(credential, config.key),
    ]


def _generator(config: Configuration) -> TestOutcome:
    from controller.draw.battery.verdict import FEWEST_DRAWS, run_battery
    from controller.draw.weights import SourceFailed

    if config.weights is None:
        return outcome("generator", "these rules draw no multiplier")
    try:
        verdict = run_battery(config.weights, FEWEST_DRAWS)
    except SourceFailed as error:
        return outcome("generator", f"FAILED, {error}: call support", ok=False)
    said = f"{verdict.draws} draws tried; all of it: tablectl draw test"
    return outcome("generator", said if verdict.well else f"NOT WELL, {said}", ok=verdict.well)


def disk(directory: Path, *, dry: bool = False) -> TestOutcome:
    """Whether the state directory, or what it will be made in, can keep a journal."""
    there = nearest_folder(directory)
    found, source = file_system(there)
    on = f"{there} on {source} ({found})"
    if found in VOLATILE or found in REMOTE:
        what = f"{on} keeps nothing over a power cut: name another with --set state.directory=DIR"
        return outcome("disk", what, ok=False)
    free = shutil.disk_usage(there).free
    said = f"{on}, {free // MIB} MiB free"
    if free < ROOM_BYTES:
        return outcome("disk", f"{said}: expected {ROOM_BYTES // MIB}, make room", ok=False)
    if dry:
        return outcome("disk", f"{said}; not written to, for --dry-run")
    try:
        slowest_s = slowest_write_s(there)
    except OSError as error:
        return outcome("disk", f"{said}, not written to: {cause_of(error, there)}", ok=False)
    said += f", slowest of {WRITES} durable writes {slowest_s * 1000:.1f} ms"
    if slowest_s > SLOW_S:
        return outcome("disk", f"{said}: expected {SLOW_S * 1000:.0f}, exchange it", ok=False)
    return outcome("disk", said)


def slowest_write_s(directory: Path) -> float:
    """The longest that a small durable write takes there, in seconds; nothing of it is left."""
    worst = 0.0
    with tempfile.TemporaryFile(dir=directory) as file:
        for _ in range(WRITES):
            began = time.perf_counter()
            os.write(file.fileno(), bytes(BLOCK_BYTES))
            os.fsync(file.fileno())
            worst = max(worst, time.perf_counter() - began)
    return worst


def file_system(directory: Path) -> tuple[str, str]:
    """Type and source of the file system that has the directory; of an overlay (a root that is
    read only), what its upper layer is on, where that can be seen."""
    where = directory.resolve()
    best, found, upper = -1, ("unknown", "unknown"), None
    for line in read_whole(MOUNTS).decode("utf-8", "replace").splitlines():
        before, _, behind = line.partition(" - ")
        point = Path(before.split()[4].encode().decode("unicode_escape"))
        if where.is_relative_to(point) and len(point.parts) >= best:
            best, found = len(point.parts), (behind.split()[0], behind.split()[1])
            upper = _UPPER.search(behind)
    if (
        found[0] == OVERLAY
        and upper
        and Path(upper[1]).is_dir()
        and not where.is_relative_to(upper[1])  # to ask on would go round in a circle
    ):
        return file_system(Path(upper[1]))
    return found


def clock(now: datetime) -> TestOutcome:
    """Whether the clock shows a time that may be; whether anything keeps it right."""
    shows = now.isoformat(" ", "seconds").replace("+00:00", " UTC")
    if now < FIRST:
        what = f"it shows {shows}, before this program was made: timedatectl set-time"
        return outcome("clock", what, ok=False)
    try:
        shown = subprocess.run(
            ("timedatectl", "show"), capture_output=True, text=True, check=False, timeout=WITHIN_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        shown = ""
    told = dict(line.partition("=")[::2] for line in shown.splitlines())
    zone = told.get("Timezone") or "unknown"
    kept = {"yes": "kept right by the network", "no": "kept right by nothing"}.get(
        told.get("NTPSynchronized", ""), "whether it is kept right is unknown"
    )
    return outcome("clock", f"it shows {shows}, time zone {zone}, {kept}")


def key(credential: Path, plain: Path, tpm: Path = Path("/dev/tpmrm0")) -> TestOutcome:
    """Where the key is that signs the journal; that it is not installed yet keeps nothing from
    working, and is told as left to do."""
    machine = "a TPM2 is there" if tpm.exists() else "no TPM2 is there"
    installed = is_there(credential)
    if installed is None:
        return outcome("key", f"whether it is installed root alone may see; {machine}")
    if installed:
        return outcome("key", f"installed, {credential}; {machine}")
    where = f"a plain file signs, {plain}" if is_there(plain) else "none yet"
    return outcome("key", f"{where}; to install it: --page FILE ({machine})")


def is_there(path: Path) -> bool | None:
    """Whether there is such a file; None where this user may not look."""
    try:
        return path.exists()
    except PermissionError:
        return None
