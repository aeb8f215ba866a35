"""The dealer keypad by hand: its rows, its lamps, every key, and the key switch."""

from __future__ import annotations

from typing import Final

from controller.commissioning.by_hand.bench import Bench, Failed, WantedTrial
from controller.table.showing.wants import HOLD_LAMP
from controller.table.state.entering import ROW_LENGTH

KEYS: Final = "0123456789.#*ONBMPJSDLIUWYFAXVRE"
"""Every key of a keypad (protocol section 5)."""
ROWS: Final = ("ABCDEFGHIJKLMNOPQRST", "0123456789 .,:-/()?!")
BOXES: Final = 7


def rows(bench: Bench, _: WantedTrial) -> str:
    """Both rows, every place of them."""
    for number, text in enumerate(ROWS):
        bench.command(f"TEXT row={number} text={text}")
    bench.is_so(f"Do the rows read {ROWS[0]!r} and {ROWS[1]!r}?")
    return "both rows, all 20 places"


def lamps(bench: Bench, _: WantedTrial) -> str:
    """Each lamp by itself, and the one that says held."""
    for box in range(1, BOXES + 1):
        bench.command(f"LAMPS lit={1 << (box - 1)}")
        bench.is_so(f"Is the lamp of box {box} lit, and no other?")
    bench.command(f"LAMPS lit={HOLD_LAMP}")
    bench.is_so("Is the hold lamp lit, and no other?")
    bench.command("LAMPS lit=0")
    return f"boxes 1 to {BOXES} and hold, each by itself"


def keys(bench: Bench, _: WantedTrial) -> str:
    """Every key, in any order."""
    left = dict.fromkeys(KEYS)
    strange: list[str] = []
    bench.forget()
    bench.command("TEXT row=0 text=PRESS EVERY KEY")
    bench.person.tell("> Press every key once, in any order; Enter when no more come")
    while left:
        bench.command(
            f"TEXT row=1 text=LEFT {''.join(left)}"[: len("TEXT row=1 text=") + ROW_LENGTH]
        )
        heard = bench.wait("KEY")
        if heard is None:
            break
        key = str(heard.fields["key"])
        if key not in KEYS:
            strange.append(repr(key))
        left.pop(key, None)
        bench.person.pass_by(f"  {len(KEYS) - len(left)} of {len(KEYS)} keys, the last {key}")
    if len(left) == len(KEYS) and not strange:
        bench.is_so("Did you press any key?")
    wrong = [f"not heard: {' '.join(left)}"] if left else []
    wrong += [f"unknown keys: {', '.join(strange)}"] if strange else []
    if wrong:
        raise Failed(f"{'; '.join(wrong)}: clean it, or exchange it")
    return f"all {len(KEYS)} keys"


def switch(bench: Bench, _: WantedTrial) -> str:
    """The key switch, in both positions."""
    for position, word in ((1, "supervisor"), (0, "dealer")):
        bench.forget()
        bench.person.tell(f"> Turn the key switch to {word}, then press any key")
        heard = bench.wait("KEY")
        if heard is None:
            bench.is_so(f"Did you press a key with the switch at {word}?")
            raise Failed(f"no key came with the switch at {word}")
        if heard.whole("supervisor") != position:
            raise Failed(f"turned to {word}, the keypad says otherwise: look at the switch")
    return "both positions of the key switch are told"
