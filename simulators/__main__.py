"""``python -m simulators KIND --link PATH``: one simulated device as a process of its own.

The device is plugged in as soon as ``--hands`` (a Unix socket) or ``--stdin`` greets; it ends with
SIGTERM, or with the end of its standard input when it was given ``--stdin``.
"""

from __future__ import annotations

import argparse
import selectors
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from simulators.cards import parse_cards, shuffled
from simulators.jackpot import Jackpot
from simulators.keypad import Keypad
from simulators.memory import MemoryFile
from simulators.server import HandsServer
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler
from simulators.twin import MakeModel, Twin
from simulators.wire import Wire

SLOW_WATCHER_S = 0.01
SERIAL_CHARACTERS = 12


def main(arguments: list[str] | None = None) -> int:
    """Run one device until it is told to end."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        make_model = _make_model(options)
    except (OSError, ValueError) as error:
        parser.error(f"--cards: {error}")
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    wire = Wire(Path(options.link).absolute(), options.seed)
    memory = MemoryFile(Path(options.memory) if options.memory else None)
    serial = options.serial or f"{options.kind.upper()}-{options.seed:04d}"[:12]
    twin = Twin(make_model, wire, serial, memory)
    with selectors.DefaultSelector() as selector:
        server = HandsServer(
            selector, twin.do, lambda: {"ready": True, "link": str(wire.link), "port": wire.port}
        )
        try:
            twin.do_plug()
            if options.hands:
                server.listen(Path(options.hands))
            if options.stdin:
                server.attach(sys.stdin.fileno(), sys.stdout.fileno(), final=True)
            _run(twin, wire, server, selector)
        finally:
            wire.unplug()
            server.close()
    return 0


def _run(twin: Twin, wire: Wire, server: HandsServer, selector: selectors.BaseSelector) -> None:
    plugged = (-1, 0)
    while True:
        twin.turn()
        if server.watched:
            server.tell(twin.state())
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
        if server.behind:
            timeout = SLOW_WATCHER_S if timeout is None else min(timeout, SLOW_WATCHER_S)
        for key, _ in selector.select(timeout):
            if key.data is not None:
                key.data()


def _end(number: int, _: FrameType | None) -> None:
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
    return Keypad


def _serial(text: str) -> str:
    if len(text) > SERIAL_CHARACTERS or not text.isascii():
        raise argparse.ArgumentTypeError(f"at most {SERIAL_CHARACTERS} ASCII characters")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="simulators", description="Simulated devices")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for name in ("shoe", "shuffler", "jackpot", "keypad"):
        kind = kinds.add_parser(name)
        kind.add_argument("--link", required=True, help="where the serial port appears")
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
