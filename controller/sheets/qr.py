"""QR codes, for a terminal and for a page."""

from __future__ import annotations

from io import BytesIO, StringIO

import segno


def as_svg(text: str) -> str:
    """The text as a QR code: an ``svg`` element that takes the room it is given."""
    out = BytesIO()
    code = segno.make(text, error="l", micro=False)
    code.save(out, kind="svg", xmldecl=False, omitsize=True, light="#fff", nl=False)
    return out.getvalue().decode("ascii")


def as_blocks(text: str) -> str:
    """The text as a QR code of half blocks, for a terminal."""
    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
