"""The dealer's keypad: keys, two rows of text, lamps (protocol section 5).

Without a controller it shows ``NO CONTROLLER``, takes no keys and makes no events; after a HELLO
its rows are empty until they are written.
"""

from __future__ import annotations

from typing import Any, ClassVar

from simulators.model import BAD_BODY, Body, Fields, Model, NakError, number

KEYS = "0123456789.#*ONBMPJSDLIUWYFAXVRE"
ROWS = 2
HOLD_LAMP = 16
BOXES = 16
WITHOUT = ["NO CONTROLLER", ""]


class Keypad(Model):
    """A keypad and the fingers on it."""

    kind: ClassVar[int] = 4
    name: ClassVar[str] = "keypad"

    def __init__(self, body: Body) -> None:
        super().__init__(body)
        self.rows = list(WITHOUT)
        self.lit = 0
        self.supervisor = False
        self.taken = 0
        self.ignored = 0

    def on_text(self, fields: Fields) -> Fields:
        """TEXT: one row."""
        row, text = number(fields, "row"), fields["text"]
        if row >= ROWS or not isinstance(text, str):
            raise NakError(BAD_BODY)
        self.rows[row] = text
        return {}

    def on_lamps(self, fields: Fields) -> Fields:
        """LAMPS: all at once."""
        self.lit = number(fields, "lit")
        return {}

    def abandoned(self) -> None:
        """Say so, and go dark."""
        self.rows, self.lit = list(WITHOUT), 0

    def greeted(self) -> None:
        """A controller is there again; a HELLO in between changes nothing."""
        if self.rows == WITHOUT:
            self.rows = ["", ""]

    def do_key(self, keys: str) -> dict[str, Any]:
        """Press keys one after the other; how many were taken."""
        before = self.taken
        for key in keys:
            if key not in KEYS:
                raise ValueError(f"there is no key {key!r}")
            if not self.body.served:
                self.ignored += 1
                continue
            self.taken += 1
            self.body.emit("KEY", {"key": key, "supervisor": int(self.supervisor)})
        return {"taken": self.taken - before}

    def do_switch(self, *, supervisor: bool) -> dict[str, Any]:
        """Turn the key switch."""
        self.supervisor = supervisor
        return {}

    def visible_state(self) -> dict[str, Any]:
        """Rows, lamps by box, the switch."""
        return {
            "rows": list(self.rows),
            "lamps": [box for box in range(1, BOXES + 1) if self.lit >> (box - 1) & 1],
            "hold": bool(self.lit >> HOLD_LAMP & 1),
            "supervisor": self.supervisor,
            "taken": self.taken,
            "ignored": self.ignored,
        }
