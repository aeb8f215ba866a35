"""``tablectl demo --stay``: a table of one's own, with simulated devices, until it is told to end.

Every simulated device listens in the folder ``twins`` beside the controller's socket, under its
name: ``tablectl twin`` finds it there (:mod:`simulators.server` has what it understands).
"""

from __future__ import annotations

import json

from controller.rules.schema import RuleSet
from hil_tests.bench import processes
from hil_tests.benches.virtual.bench import VirtualBench
from hil_tests.demo.show import Show
from hil_tests.people.dealer import Dealer

TWINS = "twins"

HOW = """\
It is worked from another terminal, of the same user:

    export TABLE_CONTROLLER_SOCKET={socket}
    tablectl watch                                  # what the table says, live
    tablectl dealer open burn; tablectl twin draw   # a new shoe: its first card is burned
    tablectl dealer "wager 1 main 100" {side}close
    tablectl twin draw 3                            # cards, each as the gate lets it go
    tablectl dealer "stand 1"                       # or: tablectl twin draw, which is a hit
    tablectl twin press                             # the jackpot button, where it is offered
    tablectl twin key 5                             # a key of the dealer's keypad
    tablectl twin unplug shoe                       # a cable; twin plug shoe puts it back
    tablectl supervisor resume --by NAME --why TEXT # what only a supervisor may

Ctrl-C here ends it; nothing is left."""


def put_up(bench: VirtualBench, options: tuple[str, ...]) -> None:
    """Plug in all devices, with hands to be had, and start the controller; the shoe is started with
    ``options``."""
    processes.begin()
    twins = bench.folder / TWINS
    twins.mkdir(mode=0o700)
    for name in bench.setup.devices:
        hands = ("--hands", str(twins / name))
        bench.add_device(name, *hands, *(options if name == "shoe" else ()))
    bench.start_controller()
    Dealer(bench).wait_for_devices()
    bench.hang_up()


def tell(bench: VirtualBench, rules: RuleSet, show: Show, *, as_json: bool) -> None:
    """Say where it is and how it is worked."""
    if as_json:
        places = {"config": bench.folder / "table.toml", "directory": bench.folder}
        told = {"socket": bench.socket, **places}
        print(json.dumps({name: str(path) for name, path in told.items()}), flush=True)
        return
    side = '"wager 1 pandemonium 5" ' if rules.pandemonium else ""
    show.line(f"Table {bench.setup.table} stands and plays {rules.id}, without hardware.", "bold")
    show.line(HOW.format(socket=bench.socket, side=side))


def stay(bench: VirtualBench) -> str:
    """Wait until the controller ends by itself, which it should not: what it said last."""
    status = bench.controller.wait(None)
    return f"the controller ended with {status}:\n{bench.controller.last_words()}"
