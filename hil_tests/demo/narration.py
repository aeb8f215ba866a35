"""The demo as a person sees it: what the table asked for, what was done, what every wager came to.

Coloured on a terminal where rich is installed, and slow enough to be read there; plain text
everywhere else, and nothing at all when only the verdict is asked for (``--json``).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hil_tests.bench.interface import Json
from hil_tests.people.playing import CARD

if TYPE_CHECKING:
    from hil_tests.benches.virtual.virtual_bench import VirtualBench

WIDTH = 79
LABEL = 9
PACE_S = 0.12
"""Between two lines on a terminal."""

OUTCOME_STYLES = {"win": "green", "lose": "red"}


class Narration:
    """Tells the demo on standard output. ``quiet``: says nothing."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._tty = sys.stdout.isatty()
        self._console = _console() if self._tty and not quiet else None
        self._dealt = False
        self._asked = ""

    def line(self, text: str = "", style: str = "") -> None:
        """One line."""
        if self._quiet:
            return
        if self._console is not None:
            self._console.print(text, style=style or None, markup=False, highlight=False)
        else:
            print(text, flush=True)
        if self._tty:
            time.sleep(PACE_S)

    def labelled(self, label: str, text: str, style: str = "") -> None:
        """A line with a word in front that says what it is about."""
        self.line(f"  {label:<{LABEL}}{text}", style)

    def title(self, text: str) -> None:
        """A heading."""
        self.line()
        self.line(f"-- {text} ".ljust(WIDTH, "-"), "bold cyan")

    def note(self, text: str) -> None:
        """Something that happens beside the round."""
        self.labelled("", text, "magenta")

    def killed(self, text: str) -> None:
        """The controller dies."""
        self.labelled("!!", text, "bold red")

    def devices(self, devices: Mapping[str, Json], bench: VirtualBench) -> None:
        """What is plugged in where."""
        for name, told in devices.items():
            seen = bench.devices[name].look()
            self.labelled(name, f"{told['serial']} on {seen['port']}, link {told['link']}")

    def round(self, number: int, of: int) -> None:
        """A round begins."""
        self._dealt, self._asked = False, ""
        self.title(f"Round {number} of {of}")

    def wagers(self, state: Json) -> None:
        """What is wagered."""
        for index, (box, shown) in enumerate(state["boxes"].items()):
            told = [
                f"{box}{bettor} "
                + ", ".join(f"{kind} {float(amount):g}" for kind, amount in placed.items())
                for bettor, placed in shown["wagers"].items()
            ]
            self.labelled("" if index else "wagers", " | ".join(told))

    def step(self, before: Json, done: str, came: str) -> None:
        """What the table asked for, and what was done."""
        if before["state"].startswith("deal."):
            return
        if done == "press":
            if self._asked != before["prompt"]:
                self.tell_act(before, "pressed")
            self.labelled("METER", f"{came}x", "bold yellow")
        else:
            self.tell_act(before, f"card {came}" if done == CARD else done)

    def tell_act(self, before: Json, act: str) -> None:
        """What the table asked for in that state, and what somebody did."""
        self.dealt(before)
        self._asked = prompt = str(before["prompt"])
        if len(prompt) + len(act) + LABEL + 6 <= WIDTH:
            self.labelled("table", f"{prompt}  > {act}")
        else:
            self.labelled("table", prompt)
            self.labelled("", f"> {act}")

    def dealt(self, state: Json) -> None:
        """The initial deal, once it lies there."""
        if not self._dealt:
            self._dealt = True
            self.labelled("dealt", f"{_hands(state)} | dealer {state['dealer']['cards']}", "bold")

    def settled(self, state: Json) -> None:
        """What every wager came to, and by which clause."""
        dealer = state["dealer"]
        self.dealt(state)
        self.labelled("hands", f"{_hands(state)} | dealer {dealer['cards']} ({dealer['total']})")
        for index, s in enumerate(state["settlements"]):
            seat = f"{s['box']}{s['bettor']}" + (f".{s['hand']}" if s["hand"] > 1 else "")
            outcome = f"{s['outcome'].replace('_', '-')} {s['odds'] or ''}"
            self.labelled(
                "" if index else "settled",
                f"{seat:<5}{s['kind']:<12}{s['stake']:>8}  {outcome:<13}{s['net']:>9}"
                f"  clause {s['clause']}",
                OUTCOME_STYLES.get(s["outcome"], ""),
            )
        net = [f"{who} {total:+.2f}" for who, total in net_of(state).items()]
        self.labelled("net", ", ".join(net), "bold")


def net_of(state: Json) -> dict[str, Decimal]:
    """What every bettor is up or down."""
    sums: dict[str, Decimal] = {}
    for s in state["settlements"]:
        who = f"{s['box']}{s['bettor']}"
        sums[who] = sums.get(who, Decimal(0)) + Decimal(s["net"])
    return dict(sorted(sums.items()))


def _hands(state: Json) -> str:
    return ", ".join(
        f"box {box} {' / '.join(hand['cards'] for hand in shown['hands'])}"
        for box, shown in state["boxes"].items()
    )


def _console() -> Any:
    try:
        from rich.console import Console  # noqa: PLC0415 - not installed with the daemon alone
    except ImportError:
        return None
    return Console(soft_wrap=True)
