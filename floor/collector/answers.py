"""What is answered where it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from floor.protocol.refusals import PLAIN

OK: Final = 200


@dataclass(frozen=True, slots=True)
class FloorAnswer:
    """Status, body and content type."""

    body: str
    status: int = OK
    kind: str = PLAIN
