"""The jackpot unit: a button that one player may press and a meter that shows (protocol section 5).

- One offer is armed; its first down-edge is the press, and the unit disarms itself. A button that
  is already down when it is armed makes no press: there is no edge.
- What was pressed or shown since the start is remembered, so that no offer is pressed twice and
  none is shown with two multipliers. A restarted unit remembers nothing and shows nothing.
- SHOWN is what is read back from the display, not what was commanded.
- A unit without its controller disarms and keeps showing what it shows.

A display is a meter without a button, which answers HELLO as a jackpot unit.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from simulators.model import (
    BAD_BODY,
    BUSY,
    HARDWARE,
    NOT_NOW,
    UNKNOWN_TYPE,
    Body,
    Event,
    Fields,
    Model,
    NakError,
    number,
)

IDLE, ARMED, SPINNING, SHOWING, TEST, FAULT = range(6)
STATES = ("idle", "armed", "spinning", "showing", "test", "fault")
STUCK_AFTER_S = 5.0
DISPLAY_BIT, STUCK_BIT, COVER_BIT = 1 << 4, 1 << 5, 1 << 6


class Jackpot(Model):
    """A button and a meter, and the player at them. ``pace_ms`` above 0 presses by itself."""

    kind: ClassVar[int] = 3
    name: ClassVar[str] = "jackpot"

    def __init__(self, body: Body, pace_ms: int = 0, seed: int = 0) -> None:
        super().__init__(body)
        self.state = IDLE
        self.offer = 0
        self.box = 0
        self.multiplier = 0
        self.pattern = 0
        self.pressed: set[int] = set()
        self.shown: dict[int, int] = {}
        self.cover_open = False
        self.display = "good"
        self.presses = 0
        self.down_since: float | None = None
        self._told_stuck = False
        self._spin_ends: float | None = None
        self._hand_at: float | None = None
        self.auto = pace_ms > 0
        self.pace_ms = pace_ms
        self._random = random.Random(seed)  # noqa: S311 - a human's unevenness

    def on_arm(self, fields: Fields) -> Fields:
        """ARM: a new offer blanks the display."""
        offer, box = number(fields, "offer_id"), number(fields, "box")
        if offer == 0:
            raise NakError(BAD_BODY)
        if self.state == ARMED and offer == self.offer:
            return {}
        if offer in self.pressed or offer in self.shown:
            raise NakError(NOT_NOW)
        if self.state == SPINNING:
            raise NakError(BUSY)
        if self.faults & DISPLAY_BIT:
            raise NakError(HARDWARE)
        self.state, self.offer, self.box = ARMED, offer, box
        self.multiplier = self.pattern = 0
        self._reach()
        return {}

    def on_disarm(self, fields: Fields) -> Fields:
        """DISARM: a press numbered up to ``last_event`` counts."""
        offer = number(fields, "offer_id")
        if offer == 0:
            raise NakError(BAD_BODY)
        if self.state == ARMED and offer == self.offer:
            self._disarm()
        return {"last_event": self.body.last_event}

    def on_show(self, fields: Fields) -> Fields:
        """SHOW: spin for ``spin_ms``, then show, then tell what can be read."""
        offer, multiplier = number(fields, "offer_id"), number(fields, "multiplier")
        spin_ms = number(fields, "spin_ms")
        if offer == 0 or multiplier == 0:
            raise NakError(BAD_BODY)
        if self.shown.get(offer, multiplier) != multiplier:
            raise NakError(NOT_NOW)
        if self.state in (SPINNING, SHOWING) and offer == self.offer:
            return {}
        if self.state == SPINNING:
            raise NakError(BUSY)
        self._disarm()
        if offer != self.offer:
            self.box = 0
        self.state, self.offer, self.multiplier, self.pattern = SPINNING, offer, multiplier, 0
        self.shown[offer] = multiplier
        self._spin_ends = self.body.now + spin_ms / 1000
        return {}

    def on_blank(self, _: Fields) -> Fields:
        """BLANK: nothing is shown; an armed button stays armed."""
        if self.state == SPINNING:
            raise NakError(BUSY)
        if self.state in (SHOWING, TEST):
            self.state = IDLE
        self.multiplier = self.pattern = 0
        return {}

    def on_test_pattern(self, fields: Fields) -> Fields:
        """TEST_PATTERN: never while the meter means something."""
        pattern = number(fields, "pattern")
        if pattern > 2:
            raise NakError(BAD_BODY)
        if self.state in (ARMED, SPINNING, SHOWING):
            raise NakError(NOT_NOW)
        self.pattern = pattern
        self.state = TEST if pattern else IDLE
        return {}

    def on_meter(self, _: Fields) -> Fields:
        """METER: what the unit is doing, and what can be read from the display."""
        return {
            "state": self.ping_state(),
            "offer_id": self.offer,
            "box": self.box,
            "multiplier": self._read_back() if self.state == SHOWING else 0,
            "pressed": int(self.offer in self.pressed),
        }

    def ping_state(self) -> int:
        """0 idle, 1 armed, 2 spinning, 3 showing, 4 test, 5 fault (nothing of these going on)."""
        if self.state == IDLE and self.faults & ~COVER_BIT:
            return FAULT
        return self.state

    def present(self) -> Iterable[Event]:
        """COVER begins every session."""
        return [("COVER", {"open": int(self.cover_open)})]

    def abandoned(self) -> None:
        """Disarm; what is shown stays."""
        self._disarm()

    def deadline(self) -> float | None:
        """The end of a spin, a button down too long, the hand that presses by itself."""
        stuck_at = None
        if self.down_since is not None and not self._told_stuck:
            stuck_at = self.down_since + STUCK_AFTER_S
        times = [at for at in (self._spin_ends, self._hand_at, stuck_at) if at is not None]
        return min(times, default=None)

    def tick(self) -> None:
        """Do what is due."""
        now = self.body.now
        if self._spin_ends is not None and now >= self._spin_ends:
            self._spin_ends = None
            self.state = SHOWING
            read = self._read_back()
            if self.display != "mute":
                self.body.emit("SHOWN", {"offer_id": self.offer, "multiplier": read})
        if self._hand_at is not None and now >= self._hand_at:
            self._hand_at = None
            if self.down_since is None:
                self.do_press()
        held = self.down_since
        if held is not None and not self._told_stuck and now >= held + STUCK_AFTER_S:
            self._told_stuck = True
            held_ms = min(round((now - held) * 1000), 0xFFFF)
            self.body.emit("STUCK", {"held_ms": held_ms})
            self.set_faults(self.faults | STUCK_BIT)

    def do_press(self) -> dict[str, Any]:
        """Press and let go."""
        before = len(self.pressed)
        self.do_hold()
        self.do_release()
        return {"counted": len(self.pressed) > before}

    def do_hold(self) -> dict[str, Any]:
        """Press and keep the button down."""
        if self.down_since is not None:
            raise ValueError("the button is down already")
        self.down_since = self.body.now
        self.presses += 1
        if self.state == ARMED:
            offer = self.offer
            self.pressed.add(offer)
            self._disarm()
            self.body.emit("PRESS", {"offer_id": offer})
        return {}

    def do_release(self) -> dict[str, Any]:
        """Let go."""
        self.down_since = None
        if self._told_stuck:
            self._told_stuck = False
            self.set_faults(self.faults & ~STUCK_BIT)
        return {}

    def do_cover(self, *, open: bool) -> dict[str, Any]:  # noqa: A002 - the word on the wire
        """Open or close the cover."""
        if open != self.cover_open:
            self.cover_open = open
            self.body.emit("COVER", {"open": int(open)})
            self.set_faults(self.faults | COVER_BIT if open else self.faults & ~COVER_BIT)
        return {}

    def do_display(self, mode: str) -> dict[str, Any]:
        """``good``, ``dark`` (cannot be read: 0), ``wrong`` (shows something else) or ``mute``
        (shows what it is told to and never says so)."""
        if mode not in ("good", "dark", "wrong", "mute"):
            raise ValueError("a display is good, dark, wrong or mute")
        self.display = mode
        return {}

    def do_play(self, *, auto: bool, pace_ms: int = 800) -> dict[str, Any]:
        """Begin or stop pressing by itself whenever the button is armed."""
        self.auto, self.pace_ms = auto, pace_ms
        self._reach()
        return {}

    def visible_state(self) -> dict[str, Any]:
        """The button's light, the meter and the cover."""
        return {
            "state": STATES[self.state],
            "armed": self.offer if self.state == ARMED else None,
            "offer": self.offer,
            "box": self.box,
            "shown": self._read_back() if self.state == SHOWING else 0,
            "commanded": self.multiplier if self.state in (SPINNING, SHOWING) else 0,
            "pattern": self.pattern,
            "pressed": sorted(self.pressed),
            "presses": self.presses,
            "down": self.down_since is not None,
            "cover_open": self.cover_open,
            "display": self.display,
        }

    def remembered(self) -> dict[str, Any]:
        """What is no matter of power: the cover and the state of the display."""
        return {"cover_open": self.cover_open, "display": self.display}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """See :meth:`remembered`."""
        self.cover_open, self.display = memory["cover_open"], memory["display"]
        self.faults = COVER_BIT if self.cover_open else 0

    def _disarm(self) -> None:
        if self.state == ARMED:
            self.state = IDLE
        self._reach()

    def _reach(self) -> None:
        if not (self.auto and self.state == ARMED):
            self._hand_at = None
        elif self._hand_at is None:
            pace_s = self.pace_ms / 1000 * self._random.uniform(0.7, 1.3)
            self._hand_at = self.body.now + pace_s

    def _read_back(self) -> int:
        return {"dark": 0, "wrong": self.multiplier % 50 + 1}.get(self.display, self.multiplier)


class Display(Jackpot):
    """The meter of a jackpot unit."""

    def __init__(self, body: Body) -> None:
        super().__init__(body)

    def on_arm(self, _: Fields) -> Fields:
        """ARM: there is no button."""
        raise NakError(UNKNOWN_TYPE)

    def on_disarm(self, _: Fields) -> Fields:
        """DISARM: there is no button."""
        raise NakError(UNKNOWN_TYPE)

    def do_hold(self) -> dict[str, Any]:
        """Nobody can press it."""
        raise ValueError("a display has no button")
