"""A device's line with a recorder beside it, at the device's end: the file is a capture
(docs/captures.md) like the controller's, and the directions are those of the controller.

What arrived too damaged to be a payload is not seen here: the line drops it. The file ends where
the process does; a reader says that an end is missing where it was killed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from drivers.api import PortChange, Seen, Stray
from drivers.capture import format as capturing
from drivers.table_link.messages import read_traffic
from simulators.lines.line import Line, Noise

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@contextmanager
def recorded(line: Line, path: Path, name: str, carrier: str) -> Iterator[Recording]:
    """The line with a recorder that writes a new file at ``path``; ``OSError`` when there is one
    already, or it cannot be written."""
    with path.open("x", encoding="ascii") as file:
        recording = Recording(line, file, name, carrier)
        try:
            yield recording
        finally:
            recording.write_end()


class Recording:
    """A :class:`simulators.lines.line.Line` that notes in ``file`` what goes through ``line``.

    ``name`` is the device's, ``carrier`` one of those of :mod:`drivers.capture.format`.
    """

    def __init__(
        self,
        line: Line,
        file: TextIO,
        name: str,
        carrier: str = capturing.SERIAL,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        boot_id: str = "",
    ) -> None:
        self._line = line
        self._file = file
        self._name = name
        self._clock_ns = clock_ns
        self._noted = 0
        self._plugged = False
        self._write(
            capturing.head(
                end=capturing.DEVICE,
                boot_id=boot_id or BOOT_ID.read_text("ascii").strip(),
                began=datetime.now(UTC).isoformat(),
                began_ns=clock_ns(),
                table=None,
                program={"name": "simulators"},
                devices={name: capturing.device(carrier)},
            )
        )
        self._look_at_the_plug()

    @property
    def noise(self) -> Noise:
        """The line's own."""
        return self._line.noise

    @noise.setter
    def noise(self, noise: Noise) -> None:
        self._line.noise = noise

    @property
    def fd(self) -> int:
        """-1 while unplugged."""
        return self._line.fd

    @property
    def port(self) -> str | None:
        """The name under which it is to be found now."""
        return self._line.port

    def plug(self) -> None:
        """Plug it in."""
        self._line.plug()
        self._look_at_the_plug()

    def unplug(self) -> None:
        """Pull it."""
        self._line.unplug()
        self._look_at_the_plug()

    def cut_after(self, count: int) -> None:
        """Pull it after that number of further bytes."""
        self._line.cut_after(count)

    def receive(self) -> list[bytes]:
        """The payloads that have arrived."""
        payloads = self._line.receive()
        self._look_at_the_plug()
        for payload in payloads:
            self._note(read_traffic(payload, outward=True))
        return payloads

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads."""
        if self._line.fd >= 0:
            for payload in payloads:
                self._note(read_traffic(payload, outward=False))
        self._line.send(payloads)
        self._look_at_the_plug()

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        if self._line.fd >= 0:
            self._note(Stray(data))
        self._line.write(data)
        self._look_at_the_plug()

    def counters(self) -> dict[str, int]:
        """What has gone through."""
        return self._line.counters()

    def __getattr__(self, name: str) -> Any:
        """What the hands can do to this kind of line only."""
        if name.startswith("do_"):
            return getattr(self._line, name)
        raise AttributeError(name)

    def write_end(self) -> None:
        """Nothing more comes; the file is the caller's to close."""
        self._write(capturing.end_line(self._noted, 0))

    def _look_at_the_plug(self) -> None:
        plugged = self._line.fd >= 0
        if plugged != self._plugged:
            self._plugged = plugged
            self._note(PortChange(plugged, "" if plugged else "the cable was pulled"))

    def _note(self, seen: Seen) -> None:
        self._noted += 1
        self._write(capturing.line(self._name, self._clock_ns(), seen))

    def _write(self, told: dict[str, Any]) -> None:
        self._file.write(json.dumps(told) + "\n")
        self._file.flush()
