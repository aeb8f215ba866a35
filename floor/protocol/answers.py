"""How a request is answered: what is done, and what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

OK: Final = 200
BAD_REQUEST: Final = 400
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
CONFLICT: Final = 409
UNPROVEN: Final = 422
BUSY: Final = 503

PLAIN: Final = "text/plain; charset=utf-8"
SIZE: Final = "text/x.tlog.size"
MIRROR_INFO: Final = "text/x.tlog.mirror-info"


@dataclass(frozen=True, slots=True)
class FloorAnswer:
    """Status, body, content type, and what else its head says."""

    body: str | bytes
    status: int = OK
    kind: str = PLAIN
    headers: Mapping[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """It is not done; the message is for a person. ``body`` and ``kind`` are the answer's where
    programs read it. ``evidence``: under a good signature something stands that contradicts what
    is held, which is to be kept."""

    def __init__(
        self, status: int, words: str, body: str = "", kind: str = PLAIN, *, evidence: bool = False
    ) -> None:
        self.status = status
        self.kind = kind
        self.body = body or f"{words}\n"
        self.evidence = evidence
        super().__init__(words)
