"""Captures all lines of a bench while a round is played there, with the journal beside it.

``python -m hil_tests.replay.capturing FOLDER`` takes those of ``tests/captures`` anew, NAME.jsonl
and NAME.journal.jsonl for each of :data:`STORIES`: on the virtual bench, or on another with
``--bench``, whose name then stands in front.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from controller.journal.export import lines
from controller.journal.reader import JournalReader
from drivers.capture import format as capturing
from hil_tests.bench.description import bench_file
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import armed_offer, deal_to_the_button, finish_round
from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.rig.opening import open_bench

ALL = "all"
DEFAULT = "virtual"
QUIET_S = 1.0
"""Portions come twice a second at least."""


@contextmanager
def captured(bench: Bench, path: Path) -> Iterator[None]:
    """What goes over the lines from here to the end of the context, in a new file."""
    begun, over = threading.Event(), threading.Event()
    with path.open("x", encoding="ascii") as file:
        thread = threading.Thread(target=_follow, args=(bench, file, begun, over))
        thread.start()
        try:
            if not begun.wait(WAIT_S):
                raise AssertionError("no capture begins: is a controller running?")
            yield
        finally:
            over.set()
            thread.join()


def _follow(bench: Bench, file: TextIO, begun: threading.Event, over: threading.Event) -> None:
    """Write portions until it is over, and what had come by then."""
    messages = missing = 0

    def write(line: Mapping[str, object]) -> None:
        file.write(f"{json.dumps(line)}\n")

    with bench.connect() as client:
        for portion in client.capture(ALL):
            last = over.is_set() and not portion["more"]
            if "head" in portion:
                write(portion["head"])
            for line in portion["lines"]:
                write(line)
            messages += len(portion["lines"])
            if portion["dropped"]:
                missing += portion["dropped"]
                write(capturing.dropped(portion["dropped"]))
            begun.set()
            if last:
                break
    write(capturing.end_line(messages, missing))


def write_journal(state: Path, path: Path) -> None:
    """The journal of a stopped table, as ``tablectl journal export`` writes it."""
    with JournalReader(state) as reader, path.open("x", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines(reader))


# ---- the stories --------------------------------------------------------------------------------


def a_press(dealer: Dealer) -> None:
    """A Pontoon, its button pressed, a double, a bet behind; then the next round is opened."""
    dealer.deal_round(
        "AS 9D 8H KC 6H 9H 9C 5D",
        {1: {"main": 100, "pair": 10, "pandemonium": 5}, "1b": {"main": 50}, 3: {"main": 25}},
    )
    dealer.press()
    dealer.paid()
    dealer.stand(3)
    dealer.dealers_hand()
    dealer.next()
    dealer.open_bets()


def pressed_while_unplugged(dealer: Dealer) -> None:
    """The unit's cable is pulled with the button armed, and the button pressed meanwhile."""
    deal_to_the_button(dealer)
    armed_offer(dealer)
    dealer.jackpot.do("unplug")
    dealer.jackpot.do("press")
    dealer.wait_until_lost("jackpot")
    dealer.plug("jackpot")
    dealer.read_meter()
    finish_round(dealer)


def a_bad_line(dealer: Dealer) -> None:
    """The shoe's line flips bits and drops bytes while two boxes are dealt; a bet is taken back.

    It is bad enough that the link may go down for longer than a dealer waits: then take it again.
    """
    dealer.stack("9S 8H 9D 9C 8C JC QD 7S")
    dealer.open_bets()
    dealer.wager(2, main=50)
    dealer.wager(5, main=75, pair=5)
    dealer.enter("undo")
    dealer.no_more_bets()
    dealer.shoe.do("noise", flip=0.02, drop=0.01)
    dealer.deal()
    dealer.shoe.do("noise")
    for box in (2, 5):
        dealer.stand(box)
    dealer.dealers_hand()
    dealer.next()


STORIES: Mapping[str, Callable[[Dealer], None]] = {
    "a-press": a_press,
    "pressed-while-unplugged": pressed_while_unplugged,
    "a-bad-line": a_bad_line,
}


def main(arguments: list[str] | None = None) -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files are put; none may be there yet")
    parser.add_argument("--bench", default=DEFAULT, help="of hil_tests/benches")
    parser.add_argument("--story", action="append", choices=STORIES, help="this one only")
    given = parser.parse_args(arguments)
    file = bench_file(given.bench)
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.story or STORIES:
        stem = name if given.bench == DEFAULT else f"{given.bench}-{name}"
        with open_bench(file, Setup(seed=len(name))) as bench:
            dealer = Dealer(bench)
            dealer.wait_for_devices()
            with captured(bench, given.folder / f"{stem}.jsonl"):
                STORIES[name](dealer)
            bench.stop_controller()
            write_journal(bench.state_directory, given.folder / f"{stem}.journal.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
