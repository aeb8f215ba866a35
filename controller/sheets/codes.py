"""What stands in the QR code of a round, and QR codes for a terminal and for a page.

A round's code has what vouches for it: the digest of its proof, and the checkpoint by which that is
a proof. The form is that of a C2SP tlog-proof: lines, an empty one, and behind it the checkpoint as
it is. Somebody who has photographed it can tell later whether a file is that proof, and whether a
journal goes on from that checkpoint. Its lines are ``table-controller round 1``, ``round 118``,
``proof SHA-256 OF ITS FILE, in hexadecimal``, an empty one, and the checkpoint with cosignatures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from itertools import groupby
from typing import Final

QUIET: Final = 4
"""Light modules around a code."""


def as_picture(text: str) -> tuple[int, str]:
    """The text as a QR code, of the size that it needs with the weakest correction: its side in
    modules, and the dark ones as the path of a line one module wide."""
    import segno  # noqa: PLC0415  # who only names a code does without: floor and screens

    rows = list(segno.make(text, error="l", micro=False).matrix_iter(border=QUIET))
    return len(rows), "".join(_line(y, row) for y, row in enumerate(rows))


def _line(y: int, row: Iterable[int]) -> str:
    x, found = 0, []
    for dark, run in groupby(row):
        width = len(list(run))
        if dark:
            found.append(f"M{x} {y}.5h{width}")
        x += width
    return "".join(found)


def as_svg(text: str) -> str:
    """The text as a QR code: an ``svg`` element that takes the room it is given."""
    side, dark = as_picture(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path stroke="#000" d="{dark}"/></svg>'
    )


def as_blocks(text: str) -> str:
    """The text as a QR code of half blocks, for a terminal."""
    import segno  # noqa: PLC0415

    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


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
