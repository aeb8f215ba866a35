"""What a device keeps when its power fails: its events and where its cards are, in one file.

Written whole (beside, then renamed) before a byte of it goes out, so that a process killed between
any two instructions has either told nobody or will tell the same again. There is no ``fsync``: the
twin survives being killed, not the machine's loss of power.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.table_link.link_events import Memory


class MemoryFile:
    """The memory of one device; without a path it forgets."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._written: tuple[Memory, Mapping[str, Any]] | None = None

    @property
    def is_kept(self) -> bool:
        """Whether anything is kept beyond the process."""
        return self._path is not None

    def load(self) -> tuple[Memory, dict[str, Any]] | None:
        """The events and the model's state; None when there is nothing, or nothing sound."""
        if self._path is None:
            return None
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            events = tuple(bytes.fromhex(event) for event in data["events"])
            return Memory(data["session_id"], data["last_event"], events), data["model"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, memory: Memory, model: Mapping[str, Any]) -> None:
        """Write what has changed; ``model`` may not change afterwards."""
        if self._path is None or self._written == (memory, model):
            return
        text = json.dumps(
            {
                "session_id": memory.session_id,
                "last_event": memory.last_event,
                "events": [event.hex() for event in memory.events],
                "model": model,
            }
        )
        beside = self._path.with_name(f".{self._path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self._path)
        self._written = memory, model
