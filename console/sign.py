"""What the sign tells of the table, and the multipliers that it remembers.

The rules:

- Of a table in play the sign tells only what the unit has reported shown, and what everybody knows
  before a card is dealt: limits and rules. No card is ever on it.
- The last multipliers are those that were seen reported, newest first; a file keeps them over a
  restart. Where the file cannot be read or written the list is what is known since then: nothing is
  invented. A meter that reports the same again (it was started anew) adds nothing; what was shown
  in a round that is void stays, for the guests have seen it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypedDict

from controller.causes.finding import cause_of
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.regular_files import open_regular, read_whole

MOST: Final = 10
FILE: Final = "shown.json"

_log = logging.getLogger(__name__)


class ShownMultiplier(TypedDict):
    """A multiplier as the unit reported it shown: ``offer`` is its number at the table."""

    round: int
    offer: int
    box: int
    multiplier: int


class ShownMultipliers:
    """The last multipliers that the unit of this table has shown, newest first."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.last: list[ShownMultiplier] = self._read_file()

    def note_meter(self, status: JsonObject) -> None:
        """Remember what the meter shows in this state, if it is another than the last one."""
        meter = status.get("meter")
        if not isinstance(meter, Mapping) or not meter.get("multiplier"):
            return
        form = {
            "round": status.get("round"),
            **{key: meter[key] for key in ("offer", "box", "multiplier")},
        }
        seen = checked(ShownMultiplier, form, "meter")
        if seen in self.last:
            return
        self.last = [seen, *self.last][:MOST]
        self._write()

    def _read_file(self) -> list[ShownMultiplier]:
        try:
            return checked(list[ShownMultiplier], json.loads(read_whole(self._path)), FILE)[:MOST]
        except FileNotFoundError:
            return []
        except OSError as error:
            _log.warning("%s: %s", self._path, cause_of(error, self._path))
        except (ValueError, RecursionError, WrongForm) as error:
            _log.warning("%s is not what was written there: %s", self._path, error)
        return []

    def _write(self) -> None:
        beside = self._path.with_name(f"{FILE}.new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            with os.fdopen(open_regular(beside, flags, 0o644), "w", encoding="ascii") as file:
                json.dump(self.last, file)
            beside.replace(self._path)
        except OSError as error:
            _log.warning("%s: %s", self._path, cause_of(error, self._path))
            with contextlib.suppress(OSError):
                beside.unlink()
