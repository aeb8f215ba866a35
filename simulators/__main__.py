"""``python -m simulators KIND --link PATH``: one simulated device as a process of its own.

The device is plugged in as soon as ``--hands`` (a Unix socket) or ``--stdin`` greets; it ends with
SIGTERM, or with the end of its standard input when it was given ``--stdin``. What it is plugged in
by is one of

- ``--link PATH``: a serial port of this machine, behind a link;
- ``--tty PATH``: a terminal whose cable leads to the controller's machine, such as a gadget's;
- ``--serial-socket PATH``: a serial adapter elsewhere, whose socket listens there;
- ``--usb-port PATH``: a USB unit, whose hosts connect to that socket;
- ``--usb-socket PATH``: a USB unit, whose host listens there.

``--capture FILE`` keeps what goes over it (docs/captures.md).
"""

from __future__ import annotations

import argparse
import contextlib
import selectors
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from drivers.capture import format as capturing
from simulators.cards import parse_cards, shuffled
from simulators.jackpot import Display, Jackpot
from simulators.keypad import Keypad
from simulators.lines.line import Line
from simulators.lines.serial_line import SerialLine
from simulators.lines.wire import SocketWire, TtyWire, Wire
from simulators.memory import MemoryFile
from simulators.recording import recorded
from simulators.server import HandsServer
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler
from simulators.twin import MakeModel, Twin
from simulators.usb.cables import UsbPort, UsbSocket
from simulators.usb.line import UsbLine

SERIAL_CHARACTERS = 12


def main(arguments: list[str] | None = None) -> int:
    """Run one device until it is told to end."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        make_model = _make_model(options)
    except (OSError, ValueError) as error:
        parser.error(f"--cards: {error}")
    memory = MemoryFile(Path(options.memory) if options.memory else None)
    serial = options.serial or f"{options.kind.upper()}-{options.seed:04d}"[:12]
    wire, path = _line(options, serial)
    with contextlib.ExitStack() as undo:
        for number in (signal.SIGTERM, signal.SIGINT):
            undo.callback(signal.signal, number, signal.signal(number, _exit_at_signal))
        line: Line = wire
        if options.capture:
            try:
                carrier = capturing.SERIAL if isinstance(wire, SerialLine) else capturing.USB
                line = undo.enter_context(
                    recorded(wire, Path(options.capture), options.kind, carrier)
                )
            except OSError as error:
                parser.error(f"--capture {options.capture}: {error.strerror}")
        twin = Twin(make_model, line, serial, memory)
        selector = undo.enter_context(selectors.DefaultSelector())
        server = HandsServer(
            selector, twin.do, lambda: {"ready": True, "link": str(path), "port": wire.port}
        )
        try:
            try:
                twin.do_plug()
            except ValueError as error:
                parser.error(str(error))
            if options.hands:
                server.listen(Path(options.hands))
            if options.stdin:
                server.attach(sys.stdin.fileno(), sys.stdout.fileno(), final=True)
            _serve_until_ended(twin, wire, server, selector)
        finally:
            wire.unplug()
            server.close()
    return 0


def _line(options: argparse.Namespace, serial: str) -> tuple[SerialLine | UsbLine, Path]:
    for text, serial_kind in (
        (options.link, Wire),
        (options.tty, TtyWire),
        (options.serial_socket, SocketWire),
    ):
        if text:
            path = Path(text).absolute()
            return serial_kind(path, options.seed), path
    kind = UsbPort if options.usb_port else UsbSocket
    path = Path(options.usb_port or options.usb_socket).absolute()
    return kind(path, options.kind, serial), path


def _serve_until_ended(
    twin: Twin, wire: SerialLine | UsbLine, server: HandsServer, selector: selectors.BaseSelector
) -> None:
    plugged = (-1, 0)
    while True:
        twin.turn()
        if server.watched:
            server.tell_watchers(twin.state())
        if server.ended:
            return
        if plugged != (wire.fd, wire.plugs):
            if plugged[0] >= 0:
                selector.unregister(plugged[0])
            plugged = (wire.fd, wire.plugs)
            if wire.fd >= 0:
                selector.register(wire.fd, selectors.EVENT_READ)
        deadline = twin.deadline()
        timeout = None if deadline is None else max(deadline - time.monotonic(), 0)
        hands = [key.data for key, _ in selector.select(timeout) if key.data is not None]
        if hands:
            twin.turn()  # what has come over the line came before what somebody does now
        for act in hands:
            act()


def _exit_at_signal(number: int, _: FrameType | None) -> None:
    raise SystemExit(0)


def _make_model(options: argparse.Namespace) -> MakeModel:
    pace_ms = options.pace_ms
    if options.kind == "shoe":
        if options.cards:
            cards = parse_cards(Path(options.cards).read_text(encoding="utf-8").split())
        else:
            cards = shuffled(options.decks, options.seed, tens=options.tens)
        auto_ms = pace_ms if options.deal == "auto" else 0
        return lambda twin: Shoe(twin, list(cards), options.cut, auto_ms, options.seed)
    if options.kind == "jackpot":
        auto_ms = pace_ms if options.press == "auto" else 0
        return lambda twin: Jackpot(twin, auto_ms, options.seed)
    if options.kind == "shuffler":
        return lambda twin: Shuffler(twin, options.count, options.shuffle_ms)
    return Display if options.kind == "display" else Keypad


def _serial(text: str) -> str:
    if len(text) > SERIAL_CHARACTERS or not text.isascii():
        raise argparse.ArgumentTypeError(f"at most {SERIAL_CHARACTERS} ASCII characters")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="simulators", description="Simulated devices")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for name in ("shoe", "shuffler", "jackpot", "keypad", "display"):
        kind = kinds.add_parser(name)
        line = kind.add_mutually_exclusive_group(required=True)
        line.add_argument("--link", help="where its serial port appears")
        line.add_argument("--tty", help="terminal whose cable leads to the controller's machine")
        line.add_argument("--serial-socket", help="where its serial adapter listens")
        line.add_argument("--usb-port", help="where the USB unit listens for its hosts")
        line.add_argument("--usb-socket", help="where the USB unit's host listens")
        kind.add_argument("--capture", help="file to keep its traffic in; it may not be there yet")
        kind.add_argument("--hands", help="Unix socket to be handled by")
        kind.add_argument("--stdin", action="store_true", help="be handled by standard input too")
        kind.add_argument("--seed", type=int, default=1, help="of cards, damage and pace")
        kind.add_argument("--serial", type=_serial, help="serial number, at most 12 characters")
        kind.add_argument("--memory", help="file that survives the process")
        kind.add_argument("--pace-ms", type=int, default=400, help="of a hand acting by itself")
        if name == "shoe":
            kind.add_argument("--decks", type=int, default=8, help="of 48 cards, without tens")
            kind.add_argument("--tens", action="store_true", help="packs of 52 cards")
            kind.add_argument("--cards", help="file with the cards in order, such as AH 10D KS")
            kind.add_argument("--cut", type=int, default=0, help="cards behind the cutting card")
            kind.add_argument("--deal", choices=("hand", "auto"), default="hand")
        elif name == "jackpot":
            kind.add_argument("--press", choices=("hand", "auto"), default="hand")
        elif name == "shuffler":
            kind.add_argument("--count", type=int, default=384, help="cards of a whole set")
            kind.add_argument("--shuffle-ms", type=int, default=20_000)
    return parser


if __name__ == "__main__":
    sys.exit(main())
