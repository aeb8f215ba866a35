"""Serial ports and USB units: an error, or what a link has counted, into a cause.

Drivers say what happened, with the system's number and with counts; what that means and what ends
it is said here and nowhere else. The rules:

- What was heard counts more than silence. Another kind of device that answers is a plug in the
  wrong port; damaged messages are another speed or noise; a line that was readable and then had
  nothing has a second reader. Only where nothing of that shows is it plug, supply and port.
- A number of the system that ports share with files (no descriptor, no memory) is told as for a
  file (:mod:`.finding`).
- A port is tried again for ever, so everything ends by itself once its cause is gone, but for what
  stands wrongly in the configuration.
"""

from __future__ import annotations

import errno
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from controller.causes import errnos
from controller.causes.cause import Cause, CauseKind
from controller.causes.finding import cause_by
from controller.causes.holders import Holder
from controller.causes.who_may import READ, WRITE, myself, refused
from drivers.adapters import Port, is_one_adapter
from drivers.api import NoAnswerError, OtherUnitError, number_of
from drivers.link_counters import DEGRADING_FROM, READ_ELSEWHERE, damaged_of, degrades
from drivers.registry import USB_FORM
from drivers.vocabulary import kind_on_the_wire, plain_name

READ_FROM: Final = 2
"""So often within a minute a line had nothing to read although it was readable. On a line that one
process reads it never happens; on one that two read it shows only where the other is quicker by a
hair, so seldom."""


class PortKind(CauseKind):
    """All kinds of cause of a port: whether it heals, and the next step. ``{port}`` is the port,
    quoted for a shell."""

    BUSY = (True, "stop that one: 'sudo fuser -v {port}' names it")
    MISSING = (
        True,
        (
            "look at its plug, its supply and its adapter; 'tablectl devices probe' lists the "
            "ports that are there"
        ),
    )
    GONE = (True, "look at its plug and its adapter; 'sudo dmesg' says what the adapter did")
    NOT_PERMITTED = (False, "'sudo tablectl setup' gives the table's ports to its controller")
    USB_NOT_PERMITTED = (
        False,
        (
            "install the udev rules of the table's units, 60-table-controller.rules, and give "
            "'sudo udevadm trigger --subsystem-match=usb'"
        ),
    )
    NO_LINE = (False, "name the port that the device is on: 'tablectl devices probe' lists them")
    SPEED = (False, "'baud' is a speed that the device and its adapter have, mostly 115200")
    OTHER_UNIT = (True, "'tablectl devices probe' lists the units that are there")
    USB = (True, "take the unit's plug out and put it in again; 'sudo dmesg' says what it did")
    NO_USB = (False, "'tablectl version' says which libraries are there; install the package again")
    READ_ELSEWHERE = (True, "find it with 'sudo fuser -v {port}' and stop it")
    SWAPPED = (True, "swap these two")
    OTHER_KIND = (
        True,
        "put the right plug into {port}; 'sudo tablectl setup' says which device is where",
    )
    DAMAGED = (
        True,
        (
            "the speeds of the two ends differ, or there is noise. Compare 'baud' with what the "
            "device is set to; then exchange the cable, then the adapter"
        ),
    )
    DEGRADES = (True, "exchange the cable, then the adapter")
    SILENT = (True, "look at its plug, supply and port")
    SILENT_LINE = (
        True,
        "look at its plug, supply and port, and whether 'baud' is the speed that it is set to",
    )
    SAME_NUMBER = (False, "bind the name to the socket instead")
    OTHER = (True, "'tablectl devices probe' lists what is there")


_BY_KIND: Final[Mapping[PortKind, str]] = {
    PortKind.BUSY: "EAGAIN EBUSY",
    PortKind.MISSING: "ENOENT ENODEV ENXIO ENOTDIR",
    PortKind.GONE: "EIO EPIPE ESHUTDOWN EPROTO EREMOTEIO ENOTCONN",
    PortKind.NOT_PERMITTED: "EACCES EPERM",
    PortKind.NO_LINE: "ENOTTY EISDIR ELOOP ENAMETOOLONG EOPNOTSUPP",
    PortKind.SPEED: "EINVAL ERANGE",
    PortKind.USB: "ETIMEDOUT ETIME EOVERFLOW EILSEQ",
    PortKind.NO_USB: "ENOSYS EAFNOSUPPORT",
}
"""The numbers that ``open``, ``ioctl``, ``read`` and ``write`` of a terminal give (tty_ioctl(4),
termios(3)), and those of libusb as pyusb translates them."""

OF_ERRNO: Final[Mapping[int, PortKind]] = {
    getattr(errno, name): kind for kind, names in _BY_KIND.items() for name in names.split()
}


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """A device's line as its link knows it: ``port`` is a path or a USB unit. ``down`` says why
    its link is down, "" where it is up; then ``errno`` is the system's number, if it had one, and
    ``answers`` the kind that answers instead. ``minute`` is what was counted within a minute."""

    name: str
    kind: str
    port: str
    baud: int
    down: str = ""
    errno: int | None = None
    answers: str = ""
    minute: Mapping[str, int] = field(default_factory=dict)

    @property
    def plain(self) -> str:
        """The device as people call it."""
        return plain_name(self.kind, self.name)


def cause_of_error(error: BaseException, port: str) -> Cause:
    """Why a port, or a USB unit, could not be used: by an error of a driver, a library or the
    system."""
    said = str(error)
    if isinstance(error, NoAnswerError):
        heard = {"line_bad_frames": error.damaged, READ_ELSEWHERE: error.in_vain}
        return _unheard(said, port, heard)
    if isinstance(error, OtherUnitError):
        return _cause(PortKind.OTHER_UNIT, said, port)
    number = number_of(error)
    return _cause(PortKind.OTHER, said, port) if number is None else _numbered(number, said, port)


def cause_of_link(line: DeviceLine, all_lines: Collection[DeviceLine]) -> Cause | None:
    """Why a link is down, or what is wrong with one that is up; None where nothing is."""
    if not line.down:
        return _of_open(line)
    if line.answers:
        return _wrong_plug(line, all_lines)
    if (at := _answers_at(line, all_lines)) is not None:
        what = f"{line.down}, and a {line.plain} answers at {at.port}"
        return _cause(PortKind.OTHER_KIND, what, line.port)
    if line.errno is not None:
        return _numbered(line.errno, line.down, line.port)
    return _unheard(line.down, line.port, line.minute, line.baud)


def read_by(port: str, holders: Sequence[Holder]) -> Cause:
    """Other processes have the port open that the controller has."""
    who = " and ".join(map(str, holders))
    ends = f"stop it: 'sudo kill {' '.join(str(one.pid) for one in holders)}'"
    what = f"{who} has {port} open, which is the controller's alone"
    return Cause(PortKind.READ_ELSEWHERE, what, ends)


def same_number(name: str, port: str, ports: Sequence[Port], by_path: str) -> Cause:
    """A name is bound to a serial number that all these adapters have; ``by_path`` is the system's
    link to the socket that it leads to now."""
    several = "the ports of one adapter," if is_one_adapter(ports) else "the adapters at"
    socket = by_path or "/dev/serial/by-path/..."
    return Cause(
        PortKind.SAME_NUMBER,
        f"{several} {' and '.join(one.path for one in ports)} have the same serial number "
        f"{ports[0].number}, so which of them {port} leads to is chance",
        f"'sudo tablectl setup --device {name}={socket}' binds it to the socket",
    )


def _numbered(number: int, said: str, port: str) -> Cause:
    kind = OF_ERRNO.get(number)
    if kind is None:
        return replace(cause_by(errnos.kind_of(number), Path(port)), what=said)
    if kind is PortKind.NOT_PERMITTED:
        if USB_FORM.fullmatch(port):
            return _cause(PortKind.USB_NOT_PERMITTED, said, port)
        no = refused(Path(port), READ | WRITE, myself())
        return replace(no, kind=kind) if no else _cause(kind, said, port)
    return _cause(kind, said, port)


def _wrong_plug(line: DeviceLine, all_lines: Iterable[DeviceLine]) -> Cause:
    """Another kind of device answers: the plug of that one, if its own port has this device."""
    for other in all_lines:
        here = line.answers == kind_on_the_wire(other.kind)
        if other.name != line.name and here and other.answers == kind_on_the_wire(line.kind):
            what = f"the plugs of the {line.plain} and the {other.plain} are crossed, each answers "
            step = f"swap these two: what is plugged into {line.port} and {other.port}"
            return Cause(PortKind.SWAPPED, what + "at the other's port", step)
    return _cause(PortKind.OTHER_KIND, line.down, line.port)


def _answers_at(line: DeviceLine, all_lines: Iterable[DeviceLine]) -> DeviceLine | None:
    """Another device's line at which this one's kind answers, where nothing but a plug keeps this
    one from it."""
    if OF_ERRNO.get(line.errno or 0, PortKind.MISSING) not in (PortKind.MISSING, PortKind.GONE):
        return None
    here = kind_on_the_wire(line.kind)
    return next((one for one in all_lines if one.name != line.name and one.answers == here), None)


def _unheard(said: str, port: str, heard: Mapping[str, int], baud: int = 0) -> Cause:
    damaged, in_vain = damaged_of(heard), heard.get(READ_ELSEWHERE, 0)
    if in_vain >= READ_FROM:
        return _cause(PortKind.READ_ELSEWHERE, f"{said}, and {_reader_words(in_vain)}", port)
    if damaged >= DEGRADING_FROM:
        at = f" at {baud} baud" if baud and not USB_FORM.fullmatch(port) else ""
        return _cause(PortKind.DAMAGED, f"{said}, and {damaged} damaged messages came{at}", port)
    unit = USB_FORM.fullmatch(port)
    return _cause(PortKind.SILENT if unit else PortKind.SILENT_LINE, said, port)


def _of_open(line: DeviceLine) -> Cause | None:
    in_vain, again = line.minute.get(READ_ELSEWHERE, 0), line.minute.get("retries", 0)
    if in_vain >= READ_FROM:
        return _cause(PortKind.READ_ELSEWHERE, _reader_words(in_vain), line.port)
    if degrades(line.minute):
        lost = f"{again} sent again, {damaged_of(line.minute)} damaged in a minute"
        return _cause(PortKind.DEGRADES, f"its line degrades: {lost}", line.port)
    return None


def _reader_words(in_vain: int) -> str:
    return (
        f"another program reads its port, which took {in_vain} times within a minute what the "
        "device had sent"
    )


def _cause(kind: PortKind, what: str, port: str) -> Cause:
    return Cause(kind, what, kind.next_step.format(port=shlex.quote(port)))
