"""What people press, by hand: the jackpot unit's button, with its meter, and the dealer keypad's
rows, lamps, keys and key switch. A display: its figures."""

from __future__ import annotations

import contextlib
from typing import Final

from controller.commissioning.by_hand.bench import Bench, Failed, NobodyHere, WantedTrial
from controller.control.client import RefusedByController
from controller.table.showing.prompt_text import HOLD_LAMP
from controller.table.state.entering import ROW_LENGTH
from drivers.vocabulary import INPUT_STUCK, METER_TEST

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
    lamps = {f"lamp of box {box}": 1 << (box - 1) for box in range(1, BOXES + 1)}
    for name, bit in {**lamps, "hold lamp": HOLD_LAMP}.items():
        bench.check_by_eye((f"LAMPS lit={bit}", f"Is the {name} lit, and no other?"))
    bench.command("LAMPS lit=0")
    return f"boxes 1 to {BOXES} and hold, each by itself"


def keys(bench: Bench, _: WantedTrial) -> str:
    """Every key, in any order."""
    left = dict.fromkeys(KEYS)
    strange: list[str] = []
    bench.forget()
    bench.command("TEXT row=0 text=PRESS EVERY KEY")
    bench.person.write_line("> Press every key once, in any order; Enter when no more come")
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
        bench.person.write_line(f"> Turn the key switch to {word}, then press any key")
        heard = bench.wait("KEY")
        if heard is None:
            bench.is_so(f"Did you press a key with the switch at {word}?")
            raise Failed(f"no key came with the switch at {word}")
        if heard.whole_number("supervisor") != position:
            raise Failed(f"turned to {word}, the keypad says otherwise: look at the switch")
    return "both positions of the key switch are told"


PRESSES: Final = 3
QUIET_S: Final = 3.0
HELD_S: Final = 15.0
SHOWN_S: Final = 3.0
"""A figure without spinning is reported within a second (protocol section 5)."""


def dark(bench: Bench) -> None:
    """Disarmed, and nothing is shown: so every test begins."""
    for command in ("DISARM", "TEST_PATTERN pattern=0", "BLANK"):
        with contextlib.suppress(Failed, RefusedByController):  # nothing was armed, or shown
            bench.command(command)


def light(bench: Bench, _: WantedTrial) -> str:
    """The button lights when it is armed, and is dark when it is not."""
    bench.check_by_eye(("ARM box=1", "Does the button light?"), ("DISARM", "Is it dark again?"))
    return "it lights when armed, and is dark when not"


def button(bench: Bench, _: WantedTrial) -> str:
    """Presses, each armed anew: that they come, and how long after arming."""
    took_ms: list[str] = []
    for number in range(1, PRESSES + 1):
        bench.forget()
        bench.command("ARM box=1")
        armed = bench.wait("ARM answer", within_s=SHOWN_S)
        bench.person.write_line(f"> Press the button once ({number} of {PRESSES})")
        press = bench.wait("PRESS")
        if press is None or armed is None:
            pressed = bench.command("METER").whole_number("pressed")
            if not pressed:
                bench.is_so("Did you press it?")
            state = "the unit itself says pressed" if pressed else "the unit saw none"
            raise Failed(f"press {number} of {PRESSES} did not come, {state}: look at the button")
        if not bench.command("METER").whole_number("pressed"):
            raise Failed(f"press {number} came, and the unit says that it was not pressed")
        took_ms.append(f"{(press.at_s - armed.at_s) * 1000:.0f}")
    return f"{PRESSES} presses, {', '.join(took_ms)} ms after it was armed"


def not_armed(bench: Bench, _: WantedTrial) -> str:
    """A press of a button that is not armed is none."""
    bench.forget()
    bench.somebody("The button is not armed: press it")
    if bench.wait("PRESS", within_s=QUIET_S, typing_ends=False) is not None:
        raise Failed("it reported a press without being armed: call support")
    bench.command("METER")
    bench.is_so("Did you press it?")
    return "a press without being armed is not reported"


def hold(bench: Bench, _: WantedTrial) -> str:
    """Held down for long it is told, and free again when it is let go."""
    bench.forget()
    bench.person.write_line("> Press the button and keep it down until you are told to let go")
    stuck = bench.wait("STUCK", within_s=max(HELD_S, bench.wait_s))
    if stuck is None:
        bench.is_so("Did you keep it down?")
        raise Failed("nothing was reported of a button that is held down: call support")
    bench.person.write_line("> Let go")
    while True:
        told = bench.wait("FAULT", within_s=HELD_S, typing_ends=False)
        if told is None:
            raise Failed("the button is still down for the unit: free it, or exchange it")
        if not told.whole_number("faults") & INPUT_STUCK:
            return (
                f"told after {stuck.whole_number('held_ms') / 1000:.1f} s, free again when let go"
            )


def pattern(bench: Bench, _: WantedTrial) -> str:
    """All segments, and counting."""
    for number, question in (
        (1, "Are all segments of the meter lit?"),
        (2, "Does it count through its figures?"),
    ):
        bench.command(f"TEST_PATTERN pattern={number}")
        if bench.command("METER").whole_number("state") != METER_TEST:
            raise Failed(f"it took test pattern {number} and is not in its test: call support")
        bench.is_so(question)
    bench.command("TEST_PATTERN pattern=0")
    return "all segments, and counting"


def figures(bench: Bench, wanted: WantedTrial, *, has_meter: bool = True) -> str:
    """Every figure shown and read back, by its report and by the meter; a display has none."""
    if not wanted.figures:
        raise NobodyHere("this table draws no multiplier: there are no figures to show")
    wrong: list[str] = []
    for figure in wanted.figures:
        bench.forget()
        bench.command(f"SHOW multiplier={figure} spin_ms=0")
        bench.person.pass_by(f"  {figure}")
        shown = bench.wait("SHOWN", within_s=SHOWN_S)
        read = None if shown is None else shown.whole_number("multiplier")
        looked = bench.command("METER").whole_number("multiplier") if has_meter else read
        if read is None:
            wrong.append(f"{figure} is not reported as shown")
        elif read != figure:
            wrong.append(f"{figure} reads {read}" if read else f"{figure} cannot be read")
        elif looked != figure:
            wrong.append(f"{figure} is reported, and read back as {looked}")
    bench.command("BLANK")
    if wrong:
        raise Failed(f"{'; '.join(wrong)}: exchange the display")
    named = ", ".join(map(str, wanted.figures))
    bench.is_so(f"Did it show {named}, one after the other?")
    return f"{named}: each shown and read back"
