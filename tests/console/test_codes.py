"""What stands in a round's QR code, with as many cosignatures as it holds."""

from __future__ import annotations

from hashlib import sha256

import pytest
import segno
import zxingcpp

from controller.sheets.codes import as_svg
from controller.sheets.round_code import FORM, MOST_BYTES, round_code

OWN = "table-controller/0123456789abcdef\n118\nROOT=\n\n\u2014 table-controller/0123 SIGNATURE=\n"
LINE = "\u2014 witness.example/w{} " + "A" * 104 + "=\n"
PROOF = b'{"entries": []}\n'


@pytest.mark.parametrize(("given", "kept"), [(0, 0), (3, 3), (100, 20)])
def test_as_many_cosignatures_as_fit_are_read_back(given: int, kept: int) -> None:
    checkpoint = OWN + "".join(LINE.format(number) for number in range(given))
    code = round_code(7, PROOF, checkpoint)
    assert (code.cosignatures, code.left_out) == (kept, given - kept)
    assert len(code.text.encode()) <= MOST_BYTES
    if code.left_out:
        assert len((code.text + LINE.format(kept)).encode()) > MOST_BYTES
    head = f"{FORM}\nround 7\nproof {sha256(PROOF).hexdigest()}"
    assert read(code.text) == f"{head}\n\n{code.checkpoint}"
    assert checkpoint.startswith(code.checkpoint)


def test_the_picture_runs_nothing_and_loads_nothing() -> None:
    picture = as_svg("a")
    assert picture.startswith("<svg ")
    assert not any(word in picture for word in ("href", "script", "style", "http://e"))


def read(text: str) -> str:
    """The text, read off its code as a camera's program does."""
    matrix = segno.make(text, error="l", micro=False).matrix_iter(scale=3, border=4)
    rows = [bytes(0 if dark else 255 for dark in row) for row in matrix]
    picture = memoryview(b"".join(rows)).cast("B", (len(rows), len(rows[0])))
    [found] = zxingcpp.read_barcodes(picture)
    return str(found.text)
