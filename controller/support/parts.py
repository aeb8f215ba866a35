"""What goes into a bundle, each part gathered by itself: one that fails leaves the others alone."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from controller import ENGINE_VERSION, __version__
from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.control.client import ControlClient, NoController, RefusedByController
from controller.evidence.examine import HEADS, collect
from controller.evidence.trust import by_configuration
from controller.evidence.verification import Watch, sealed_if_any, verified
from controller.evidence.verify import ReplayCheck
from controller.forms.json_values import checked
from controller.journal.errors import JournalError
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.not_done import NotDone
from controller.regular_files import read_regular, read_whole
from controller.support.secrets import Secrets, redacted
from controller.upkeep import night_report

UNIT: Final = "table-controller"
LOG_LINES: Final = 5000
LOG_BYTES: Final = 4 << 20
LOG_WITHIN_S: Final = 20.0
FACTS: Final = ("/usr/lib/os-release", "/proc/uptime", "/proc/loadavg", "/proc/meminfo")
KEY_FILE: Final = "key"
MOST_OF_A_KEY: Final = 1 << 16
INSTALLED_KEY: Final = Path("/run/credentials/table-controller.service/table-controller.key")
"""Where systemd hands an installed one to the running service; root may read it."""

TROUBLE: Final = (
    OSError,
    LookupError,
    TypeError,
    ValueError,
    sqlite3.DatabaseError,
    JournalError,
    BadConfiguration,
    NotDone,
    NoController,
    RefusedByController,
)


class Parts:
    """The ``files`` of a bundle by name, and why others are ``missing``. ``table`` is the table's
    name, ``last_seq`` the number of its newest entry (0 when there is none to be had).

    They come from the controller at ``socket``, the ``state`` directory (None: the controller or
    the configuration says), the path of the ``configuration``, which may have to be asked for, and
    the newest ``entries`` of the journal; ``watch`` sees how far its verification is."""

    def __init__(
        self,
        socket: Path,
        state: Path | None,
        configuration: Callable[[], Path],
        entries: int,
        watch: Watch,
    ) -> None:
        self.files: dict[str, bytes] = {}
        self.missing: dict[str, str] = {}
        self.table = ""
        self.last_seq = 0
        self._connect = partial(ControlClient, socket)
        self._state, self._path, self._entries, self._watch = state, configuration, entries, watch
        self._configuration: Configuration | None = None
        self._running: dict[str, object] = {}

    def gather(self) -> None:
        """Gather everything that is to be had."""
        self._part("configuration.toml", self._read_configuration)
        self._part("status.json", self._status)
        self._part("links.json", self._links)
        self._part("ready.json", self._ready)
        self._part("versions.json", _versions)
        self._part("system.txt", self._system)
        self._part("log.txt", self._log)
        self._part("night.json", _night)
        for name, read in (
            ("journal/stats.json", lambda reader: as_text(asdict(collect(reader)))),
            ("journal/verify.json", self._verified),
            ("journal/newest.jsonl", self._newest),
        ):
            self._part(name, lambda read=read: self._of_journal(read))  # type: ignore[misc]
        self._part("state-directory.txt", lambda: _listing(self._directory()))

    def _part(self, name: str, make: Callable[[], bytes]) -> None:
        try:
            self.files[name] = make()
        except TROUBLE as error:
            self.missing[name] = _why(error)

    def secrets(self) -> Secrets:
        """The controller's private key, to be looked for in what was gathered."""
        return Secrets(self._key_files())

    def _key_files(self) -> Iterator[bytes]:
        places = {INSTALLED_KEY, *([self._state / KEY_FILE] if self._state else [])}
        if self._configuration:
            places.add(self._configuration.key)
        for place in places:
            with contextlib.suppress(OSError):  # then it cannot have been bundled either
                yield read_whole(place, MOST_OF_A_KEY)

    # ---- the parts ----------------------------------------------------------------------------

    def _verified(self, reader: JournalReader) -> bytes:
        """The whole journal, and against its signed heads where they are found: without them an
        end that is missing does not show."""
        again = ReplayCheck()
        configured = [self._configuration.heads] if self._configuration else []
        at = self._configuration.path if self._configuration else None
        keys = by_configuration(at, reader).keys
        places = (*configured, self._directory() / HEADS)
        sealed = next(filter(None, (sealed_if_any(keys, reader, one) for one in places)), None)
        report = verified(reader, sealed, keys, again.check_entry, watch=self._watch)
        told = {**asdict(report), "well": report.well, "differences": again.other_engine}
        del told["doubts"]  # they are among the findings
        return as_text({**told, "heads": len(sealed.good) if sealed else None})

    def _read_configuration(self) -> bytes:
        path = self._path()
        try:
            text = redacted(read_whole(path))
        except FileNotFoundError as error:
            raise ValueError(
                f"there is no {path}: name the file that the controller was started with, "
                "--config FILE"
            ) from error
        try:
            self._configuration = load_configuration(path)
        except BadConfiguration as bad:
            return text + b"".join(
                b"# FAULT " + line.encode("utf-8", "replace") + b"\n" for line in bad.faults
            )
        self.table = self._configuration.table.id
        return text

    def _status(self) -> bytes:
        with self._connect() as client:
            status = client.status()
        self._running = status
        self.table = str(status.get("table") or self.table)
        self._compare_configuration(status.get("configuration"))
        if self._state is None and isinstance(where := status.get("state_directory"), str):
            self._state = Path(where)
        return as_text(status)

    def _compare_configuration(self, told: object) -> None:
        """Whether the file is still what the running controller has read."""
        here = self._configuration
        if here is not None and isinstance(told, dict) and told.get("digest") != here.digest:
            self.missing["configuration.toml, as it runs"] = (
                f"the controller was started with {told.get('path')}, of SHA-256 "
                f"{told.get('digest')}; bundled is {here.path}, of {here.digest}"
            )

    def _log(self) -> bytes:
        place = self._running.get("log")
        if isinstance(place, str) and place.startswith("/") and Path(place).is_file():
            with read_regular(Path(place)) as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LOG_BYTES))
                return redacted(b"".join(file.readlines()[-LOG_LINES:]))
        return _journald()

    def _links(self) -> bytes:
        with self._connect() as client:
            return as_text({"start": client.request("links"), **client.request("links_lately")})

    def _ready(self) -> bytes:
        with self._connect() as client:
            return as_text(client.request("ready"))

    def _directory(self) -> Path:
        if self._state is None and self._configuration is not None:
            self._state = self._configuration.state_directory
        if self._state is None:
            raise ValueError("nobody says where the journal is: use --state DIRECTORY")
        return self._state

    def _of_journal(self, read: Callable[[JournalReader], bytes]) -> bytes:
        with JournalReader(self._directory()) as reader:
            found = read(reader)
            if reader.stale:
                raise ValueError("a controller was started on it meanwhile: repeat the command")
            return found

    def _newest(self, reader: JournalReader) -> bytes:
        self.last_seq = reader.head.seq
        start = reader.last_of_type("start")
        if start is not None and not self.table:
            self.table = str(checked(dict[str, object], start.body["settings"])["table"])
        newest = lines(reader, after=max(self.last_seq - self._entries, 0))
        return b"".join(line.encode("ascii") + b"\n" for line in newest)

    def _system(self) -> bytes:
        text = [f"{' '.join(platform.uname())}\npython {sys.version}\n"]
        for fact in FACTS:
            try:
                text.append(f"\n{fact}\n{read_whole(Path(fact)).decode('utf-8', 'replace')}")
            except OSError as error:
                text.append(f"\n{fact}: {cause_of(error, Path(fact), wants=READ)}\n")
        try:
            disk = shutil.disk_usage(self._directory())
            text.append(f"\ndisk of the state directory: {disk}\n")
        except TROUBLE as error:
            text.append(f"\ndisk of the state directory: {_why(error)}\n")
        return "".join(text).encode("utf-8", "replace")


def _why(error: Exception) -> str:
    """What went wrong in words, with the file and the next step where it was a file."""
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return f"{error.filename}: {cause_of(error, Path(error.filename), wants=READ)}"
    return str(error) or type(error).__name__


def _night() -> bytes:
    try:
        return read_whole(night_report.USUAL, night_report.MOST_BYTES)
    except FileNotFoundError as error:
        raise ValueError(
            f"no night has verified a journal yet: there is no {night_report.USUAL}"
        ) from error


def _versions() -> bytes:
    packages = {found.name: found.version for found in distributions()}
    return as_text(
        {
            "controller": __version__,
            "engine": ENGINE_VERSION,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "packages": packages,
        }
    )


def _journald() -> bytes:
    """The newest lines of the service's log."""
    command = shutil.which("journalctl")
    if command is None:
        raise ValueError("there is no journalctl on this machine")
    asked = ["--unit", UNIT, "--lines", str(LOG_LINES), "--no-pager", "--output", "short-iso"]
    try:
        ran = subprocess.run(
            [command, *asked], capture_output=True, timeout=LOG_WITHIN_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"journalctl does not answer within {LOG_WITHIN_S:.0f} s") from None
    if ran.returncode:
        raise ValueError(ran.stderr.decode("utf-8", "replace").strip()[:500] or "journalctl failed")
    return redacted(ran.stdout)


def _listing(directory: Path) -> bytes:
    """Names, sizes, modes and owners of what is in the state directory, no contents."""
    text = []
    for path in sorted(directory.rglob("*")):
        found = os.lstat(path)
        owner = f"{found.st_uid}:{found.st_gid}"
        name = path.relative_to(directory)
        text.append(f"{found.st_mode:o} {owner:>11} {found.st_size:>12} {name}\n")
    return "".join(text).encode("utf-8", "backslashreplace")


def as_text(value: object) -> bytes:
    """A value as JSON that people may read."""
    return (json.dumps(value, indent=1, sort_keys=True, default=str) + "\n").encode("ascii")
