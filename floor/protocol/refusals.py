"""Whatever is not done, as it is answered."""

from __future__ import annotations

from typing import Final

BAD_REQUEST: Final = 400
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
CONFLICT: Final = 409
UNPROVEN: Final = 422

PLAIN: Final = "text/plain; charset=utf-8"
SIZE: Final = "text/x.tlog.size"
MIRROR_INFO: Final = "text/x.tlog.mirror-info"


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
