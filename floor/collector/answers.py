"""What is answered where it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from floor.protocol.refusals import PLAIN

OK: Final = 200
BUSY: Final = 503


@dataclass(frozen=True, slots=True)
class FloorAnswer:
    """Status, body, content type, and what else its head says."""

    body: str | bytes
    status: int = OK
    kind: str = PLAIN
    headers: Mapping[str, str] = field(default_factory=dict)
