"""Writes pictures of what ``tablectl`` shows.

Of ``watch`` they show moments of :mod:`pages.moments`. Of ``setup`` the command itself runs, on a
machine on which nothing ever differs: its ports, devices and tests are those below, and the person
types what stands here. So a picture shows what a technician reads.
"""

from __future__ import annotations

import contextlib
import errno
import io
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from controller.causes.holders import Holder
from controller.cli import commands
from controller.cli.live.feed import Feed
from controller.cli.live.screen import table_lines
from controller.cli.setup import set_up
from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.place import DevicePlace
from controller.commissioning.this_machine import ThisMachine
from controller.journal.keys import KEY_BYTES, PublicKey
from controller.not_done import NotDone
from drivers.adapters import Port
from drivers.api import DriverError, Identity, NoAnswerError
from drivers.probe import LINKS, ProbeReport
from drivers.self_test import SelfTestReport
from pages.moments import NOW, full, held_table

if TYPE_CHECKING:
    from controller.commissioning.machine_tests import TestOutcome
    from controller.configuration.model import Configuration

COLUMNS: Final = 112
FTDI: Final = "0403:6001"
DEVICES: Final = {
    "/dev/ttyUSB0": ("shoe", "SH-2041"),
    "/dev/ttyUSB1": ("keypad", "KP-0318"),
    "/dev/ttyUSB2": ("shuffler", "SF-1107"),
    "/dev/ttyUSB3": ("shoe", "SH-2041"),
    "1209:0001:JP-0077": ("jackpot", "JP-0077"),
}
PLUGGED: Final = (
    DevicePlace(Port("/dev/ttyUSB0", FTDI, "FT6XA1")),
    DevicePlace(Port("/dev/ttyUSB1", FTDI, "FT6XA2")),
    DevicePlace(Port("/dev/ttyUSB2", FTDI, "FT6XA7")),
    DevicePlace(Port("/dev/ttyUSB5", "1a86:7523")),
    DevicePlace(Port("1209:0001:JP-0077", "1209:0001", description="USB unit")),
)
EXCHANGED: Final = (DevicePlace(Port("/dev/ttyUSB3", FTDI, "FT9QB4")), *PLUGGED[1:3], PLUGGED[4])
ANSWERS: Final = (
    *("P12", "2", "8", "7", "10", "5000", "1", "500", ""),
    *("4", "8", "20", "20", "24", "12", "7", "5", "y"),
)
TESTS: Final = {
    "generator": "1000 draws tried; all of it: tablectl draw test",
    "disk": "/var/lib on /dev/mmcblk0p2 (ext4), 24310 MiB free, slowest of 16 durable writes 6 ms",
    "clock": "it shows 2026-11-24 08:00:00 UTC, time zone UTC, kept right by the network",
    "key": "installed, /etc/credstore.encrypted/table-controller.key; a TPM2 is there",
}
WATCHED: Final = (("full", full(), 120, 40), ("held", held_table(), 80, 24))
_FONTS: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_FONT_FACE: Final = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
_MAKER: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)


class Still(ThisMachine):
    """A machine with these places; everything answers and is well, but an idle adapter."""

    def __init__(self, places: Sequence[DevicePlace]) -> None:
        self._places = places

    def places(self) -> list[DevicePlace]:
        """See :class:`ThisMachine`."""
        return list(self._places)

    def readers(self, _: Sequence[str]) -> dict[str, list[Holder]]:
        """See :class:`ThisMachine`."""
        return {}

    def probe_port(self, port: str, baud: int) -> ProbeReport:
        """See :class:`ThisMachine`."""
        if port not in DEVICES:
            if port.startswith(str(LINKS)):
                raise DriverError(f"{port} does not exist", errno.ENOENT)
            raise NoAnswerError(f"{port}: nobody answers HELLO")
        kind, serial = DEVICES[port]
        who = Identity(kind, serial, (1, 4, 2), "0" * 16, 0)
        return ProbeReport(port, who, 1, 0, 0, 0, (), 60_000, 2.0)

    def self_test(self, port: str, baud: int) -> SelfTestReport:
        """See :class:`ThisMachine`."""
        return SelfTestReport(port, *DEVICES[port], failed=(), duration_ms=1400)

    def machine_tests(
        self, config: Configuration, credential: Path, *, dry: bool
    ) -> list[TestOutcome]:
        """See :class:`ThisMachine`."""
        return [{"name": name, "ok": True, "what": what} for name, what in TESTS.items()]

    def installed_key(self, credential: Path) -> PublicKey:
        """See :class:`ThisMachine`."""
        return PublicKey(bytes(KEY_BYTES))

    def apply_names(self, rules: Path, bound: Mapping[str, str], *, changed: bool) -> TestOutcome:
        """See :class:`ThisMachine`: udev has named them."""
        return {"name": "names", "ok": True, "what": ", ".join(f"{LINKS}/{name}" for name in bound)}

    def without_people(self, groups: Sequence[str]) -> list[str]:
        """See :class:`ThisMachine`."""
        return list(groups)


class _Echo(PersonAtTerminal):
    """Whose answers stand on the screen as they were typed."""

    def _line(self, within_s: float | None) -> str | None:
        line = super()._line(within_s)
        self._screen.write(f"  {line}\n")
        return line


def session(folder: Path, places: Sequence[DevicePlace], answers: Sequence[str]) -> str:
    """What stands on the screen in the end."""
    screen, typed, rules = io.StringIO(), folder / "typed", "99-table-controller.rules"
    typed.write_text("".join(f"{answer}\n" for answer in answers))
    given = [
        *("--config", str(folder / "table.toml"), "--udev", str(folder / rules)),
        *("--socket", str(folder / "nobody.sock"), "--credential", str(folder)),
    ]
    with typed.open() as reading, contextlib.redirect_stdout(screen):
        options = commands.parse(["setup", *given])
        with contextlib.suppress(NotDone):
            set_up(options, Still(places), _Echo(reading.fileno(), screen))
    text = screen.getvalue().replace(f"{folder}/{rules}", f"/etc/udev/rules.d/{rules}")
    return re.sub(rf"{folder}/(table\.toml|journal\.vkey)", r"/etc/table-controller/\1", text)


def setup_picture(text: str) -> str:
    """The text on a terminal."""
    return drawn((Text(line, _style(line)) for line in text.splitlines()), COLUMNS, "setup")


def _style(line: str) -> str:
    if line.startswith("?"):
        return "bold cyan"
    return "red" if line.startswith("  !!") else "bold" if line and line[0] != " " else ""


def drawn(lines: Iterable[Text], width: int, command: str) -> str:
    """The lines on a terminal, as SVG with nothing in it from elsewhere."""
    console = Console(
        record=True, width=width, file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    for line in lines:
        console.print(line, soft_wrap=False)
    svg = console.export_svg(title=f"tablectl {command}", unique_id=command)
    svg = _MAKER.sub("", _FONT_FACE.sub("", svg))
    svg = svg.replace("Fira Code, monospace", _FONTS).replace("Fira Code", _FONTS)
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


def pictures() -> dict[str, str]:
    """The pictures by their paths below ``docs``: a full table, and a held one; what was found and
    asked, what is proposed, what is left; and how an adapter is exchanged."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked, _, rest = session(folder, PLUGGED, ANSWERS).partition("Names of ports")
        proposed, _, done = rest.partition("Tests\n")
        found, _, rest = session(folder, EXCHANGED, ("y",)).partition("Configuration, as it is")
        _, _, exchanged = rest.partition("Tests\n")
    return {
        **{
            f"pictures/watch-{name}-{width}x{height}.svg": drawn(
                table_lines(Feed(Path(), state, may_ask=False), width, height, NOW), width, "watch"
            )
            for name, state, width, height in WATCHED
        },
        "pictures/setup-asked.svg": setup_picture(asked),
        "pictures/setup-proposed.svg": setup_picture(f"Names of ports{proposed}"),
        "pictures/setup-done.svg": setup_picture(f"Tests\n{done}"),
        "pictures/setup-again.svg": setup_picture(f"{found}…\n\nTests\n{exchanged}"),
    }
