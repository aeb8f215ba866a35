"""``tablectl demo --stay``: a table of one's own, with simulated devices, until it is told to end.

Every simulated device listens in the folder ``twins`` beside the controller's socket, under its
name: ``tablectl twin`` finds it there (:mod:`simulators.server` has what it understands).
"""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from hil_tests.bench import processes
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.narration import Narration
from hil_tests.people.dealer import Dealer

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Signals:
    waits = False
    came = False


def listen() -> None:
    """From here on the first signal from outside raises KeyboardInterrupt, and further ones change
    nothing: not even one that comes before whoever catches the first has done anything about it.
    Also to Ctrl-C: a shell starts what it puts into the background deaf to it."""
    for number in SIGNALS:
        signal.signal(number, _end_demo)


def be_deaf() -> None:
    """It is ending by itself: signals change nothing."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def status_of(
    name: str,
    stand: Callable[[], int],
    interrupted: int = 0,
    wrong_use: tuple[type[Exception], ...] = (RulesError, ValueError),
) -> int:
    """The exit status of a program that stands until it is ended: ``interrupted`` where it was, 2
    for ``wrong_use``."""
    processes.end_with_parent(signal.SIGTERM)
    try:
        listen()
        with undisturbed():
            processes.start_server()
        return stand()
    except KeyboardInterrupt:
        return interrupted
    except wrong_use as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        print(f"{name}: NOT WELL: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


@contextmanager
def undisturbed() -> Iterator[None]:
    """While a process is started, or some are: a signal raises at the end, when what was started is
    known and can be ended."""
    _Signals.waits = True
    try:
        yield
    finally:
        _Signals.waits = False
    if _Signals.came:
        raise KeyboardInterrupt


def _end_demo(number: int, _: FrameType | None) -> None:
    be_deaf()
    if _Signals.waits:
        _Signals.came = True
    else:
        raise KeyboardInterrupt


TWINS = "twins"

LONG: Final = 32
"""Of lines so long what they do stands in front: they do not set the column of the others."""
Hint = tuple[str, str]
"""A line for a shell, and what it does."""


def put_up(bench: VirtualBench, options: tuple[str, ...]) -> None:
    """Plug in all devices, with hands to be had, and start the controller; the shoe is started with
    ``options``."""
    twins = bench.folder / TWINS
    twins.mkdir(mode=0o700)
    for name in bench.setup.devices:
        hands = ("--hands", str(twins / name))
        bench.add_device(name, *hands, *(options if name == "shoe" else ()))
    bench.start_controller()
    Dealer(bench).wait_for_devices()
    bench.hang_up()


def print_places(
    bench: VirtualBench, rules: RuleSet, narration: Narration, *, as_json: bool
) -> None:
    """Say where it is and how it is worked."""
    if as_json:
        places = {"config": bench.folder / "table.toml", "directory": bench.folder}
        told = {"socket": bench.socket, **places}
        print(json.dumps({name: str(path) for name, path in told.items()}), flush=True)
        return
    narration.line(
        f"Table {bench.setup.table} stands and plays {rules.id}, without hardware.", "bold"
    )
    narration.line("It is worked from another terminal, of the same user:\n")
    for line in laid_out(hints(bench.socket, rules), shutil.get_terminal_size().columns):
        narration.line(line)
    narration.line("\nCtrl-C here ends it; nothing is left.")


def hints(socket: Path, rules: RuleSet) -> list[Hint]:
    """Lines that can be pasted into a shell, one after the other: a round with chosen cards, and
    what else a person can do."""
    side = ' "wager 1 pandemonium 5"' if rules.pandemonium else ""
    burned = rules.shoe.burn.value != "never"
    return [
        (f"export TABLE_CONTROLLER_SOCKET={shlex.quote(str(socket))}", ""),
        *_path(),
        ("tablectl watch", "what the table says, live; q ends it"),
        ("tablectl dealer open", ""),
        *(
            [("tablectl dealer burn", ""), ("tablectl twin draw", "a new shoe's first card")]
            * burned
        ),
        (f'tablectl dealer "wager 1 main 100"{side} close', ""),
        ("tablectl twin next 9S 6H 7D", "choose the cards that come next"),
        ("tablectl twin draw 3", "cards, each as the gate lets it go"),
        ('tablectl dealer "stand 1"', "or a card, which is a hit: twin draw"),
        ("tablectl twin press", "the jackpot button, where it is offered"),
        ("tablectl twin key 5", "a key of the dealer's keypad"),
        ("tablectl twin unplug shoe", "a cable"),
        ("tablectl twin plug shoe", "and back"),
        ('tablectl supervisor resume --by "Tan A." --why "tried"', "where the table is held"),
    ]


def _path() -> Iterator[Hint]:
    """Where the shell would find another ``tablectl``, or none: this one's folder before all."""
    ours = Path(sys.executable).parent
    found = shutil.which("tablectl")
    if found is None or Path(found).resolve() != (ours / "tablectl").resolve():
        yield f"export PATH={shlex.quote(str(ours))}:$PATH", ""


def laid_out(told: Iterable[Hint], width: int) -> Iterator[str]:
    """What each line does stands behind it, in one column, where the terminal has room for it, else
    in front, on a line of its own: nothing that is to be pasted is broken by the edge."""
    told = [*told]
    short = max((len(line) for line, about in told if about and len(line) < LONG), default=0)
    for line, about in told:
        wide = f"    {line:<{short}}  # {about}"
        if not about:
            yield f"    {line}"
        elif len(wide) < width:
            yield wide
        else:
            yield f"    # {about}"
            yield f"    {line}"


def stay(bench: VirtualBench) -> str:
    """Wait until the controller ends by itself, which it should not: what it said last."""
    status = bench.controller.wait(None)
    return f"the controller ended with {status}:\n{bench.controller.last_words()}"
