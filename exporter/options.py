"""The exporter's options."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from exporter.nightly import USUAL as USUAL_REPORT
from exporter.serving import Tcp

ENVIRONMENT: Final = "TABLE_CONTROLLER_SOCKET"
USUAL_SOCKET: Final = "/run/table-controller/control.sock"
EVERY_S: Final = 15.0
MOST_EVERY_S: Final = 240.0
"""The controller hangs up on who has been silent for 300 s."""

_PLACE: Final = "/run/table-controller-exporter"
TEXTFILE: Final = f"{_PLACE}/table-controller.prom"
EXAMPLES: Final = (
    (
        f"table-controller-exporter --textfile {TEXTFILE}",
        "for node_exporter, as its unit starts it",
    ),
    (f"table-controller-exporter --unix {_PLACE}/metrics.sock", "for a proxy on the same machine"),
    ("table-controller-exporter --listen 10.0.0.5:9877", "for Prometheus itself, in plain HTTP"),
)
FILES: Final = (
    (
        "/etc/systemd/system/table-controller-exporter.service.d/",
        "the unit with other options: systemctl edit table-controller-exporter",
    ),
    (TEXTFILE, "what node_exporter reads, as installed"),
    (str(USUAL_REPORT), "the report of the night"),
    ("/usr/share/doc/table-controller/monitoring.md", "every metric and every alert"),
)
"""For its manual."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where to ask and where to tell; at least one of ``textfile``, ``unix`` and ``listen``."""

    socket: Path
    nightly: Path
    textfile: Path | None
    every_s: float
    unix: Path | None
    listen: Tcp | None


def build() -> argparse.ArgumentParser:
    """The parser."""
    parser = argparse.ArgumentParser(
        prog="table-controller-exporter",
        description="The table controller's health, for Prometheus",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--textfile", metavar="FILE", type=_textfile, help="write a file for node_exporter"
    )
    parser.add_argument(
        "--every",
        metavar="SECONDS",
        type=_interval_s,
        default=EVERY_S,
        help=f"how often to write that file ({EVERY_S:g})",
    )
    parser.add_argument("--unix", metavar="PATH", type=Path, help="answer HTTP on a Unix socket")
    parser.add_argument(
        "--listen", metavar="ADDRESS:PORT", type=_tcp, help="answer HTTP on a TCP port"
    )
    parser.add_argument(
        "--socket", metavar="PATH", type=Path, help=f"the controller's socket ({USUAL_SOCKET})"
    )
    parser.add_argument(
        "--nightly",
        metavar="FILE",
        type=Path,
        default=USUAL_REPORT,
        help=f"the report of the night ({USUAL_REPORT})",
    )
    return parser


def read_options(arguments: list[str] | None = None) -> Options:
    """The options; ends the program with status 2 and a sentence where they are wrong."""
    parser = build()
    given = parser.parse_args(arguments)
    if given.textfile is None and given.unix is None and given.listen is None:
        parser.error(
            "nowhere to tell it: give --textfile FILE, --unix PATH or --listen ADDRESS:PORT"
        )
    asked = given.socket or Path(os.environ.get(ENVIRONMENT) or USUAL_SOCKET)
    return Options(
        socket=asked,
        nightly=given.nightly,
        textfile=given.textfile,
        every_s=given.every,
        unix=given.unix,
        listen=given.listen,
    )


def _textfile(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".prom":
        raise argparse.ArgumentTypeError(f"{text!r}: node_exporter reads files that end in .prom")
    return path


def _interval_s(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1.0 <= seconds <= MOST_EVERY_S:
        raise argparse.ArgumentTypeError(f"{text!r}: expected 1 to {MOST_EVERY_S:g} seconds")
    return seconds


def _tcp(text: str) -> Tcp:
    host, _, port = text.rpartition(":")
    try:
        address = ip_address(host.removeprefix("[").removesuffix("]"))
        if not (port.isascii() and port.isdecimal() and int(port[:6]) < 65536):
            raise ValueError
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected an address of this machine and a port, such as 10.0.0.5:9877"
        ) from None
    return address, int(port)
