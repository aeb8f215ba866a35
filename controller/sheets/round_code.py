"""What stands in the QR code of a round: what vouches for it.

It has the digest of the round's proof, and the checkpoint by which that is a proof. The form is
that of a C2SP tlog-proof: lines, an empty one, and behind it the checkpoint as it is. Somebody who
has photographed it can tell later whether a file is that proof, and whether a journal goes on from
that checkpoint. Its lines are ``table-controller round 1``, ``round 118``, ``proof SHA-256 OF ITS
FILE, in hexadecimal``, an empty one, and the checkpoint with cosignatures.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

FORM: Final = "table-controller round 1"
MOST_BYTES: Final = 2900
"""In a code: what one of the largest size holds is 2,953."""
ITS_OWN: Final = 5
"""Lines of a checkpoint up to its own signature; cosignatures follow."""


@dataclass(frozen=True, slots=True)
class RoundCode:
    """What stands in a round's code, with so many ``cosignatures``; ``left_out`` more have no room.
    ``digest`` is that of the proof's file, in hexadecimal."""

    text: str
    digest: str
    checkpoint: str
    cosignatures: int
    left_out: int


def round_code(number: int, proof: bytes, checkpoint: str) -> RoundCode:
    """The code of a round, whose proof's file has these bytes."""
    digest = sha256(proof).hexdigest()
    lines = checkpoint.splitlines(keepends=True)
    own, cosigned = "".join(lines[:ITS_OWN]), lines[ITS_OWN:]
    text = f"{FORM}\nround {number}\nproof {digest}\n\n{own}"
    room, kept = MOST_BYTES - len(text.encode()), 0
    while kept < len(cosigned) and (room := room - len(cosigned[kept].encode())) >= 0:
        kept += 1
    told = "".join(cosigned[:kept])
    return RoundCode(text + told, digest, own + told, kept, len(cosigned) - kept)
