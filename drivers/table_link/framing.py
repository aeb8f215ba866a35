"""Frames on a serial line: COBS, then one 0x00 (protocol section 2, Serial).

The delimiter stands nowhere else on the line, so a reader is in step again at the next 0x00
whatever was lost, doubled or damaged before it: a damaged byte costs the frame it is in (a
damaged delimiter the two frames it parted), and nothing waits for bytes which never come.
"""

from __future__ import annotations

from collections.abc import Callable

from cobs import cobs

DELIMITER = b"\0"
"""Ends each frame; who opens a line sends one first, to end whatever stood there before."""

MAX_FRAME = 57
"""Bytes of the longest frame without its delimiter: 56 of payload and one of COBS."""


def encode_frame(payload: bytes) -> bytes:
    """The payload as it goes on the line: COBS-encoded, then 0x00."""
    return bytes(cobs.encode(payload)) + DELIMITER


class Deframer:
    """Bytes off the line to payloads, however they are cut up. Never holds above 57 bytes.

    ``noise`` counts the runs of more than 57 bytes without 0x00, ``bad_frames`` the frames that
    are not COBS; ``broken`` is told the bytes of either, a run's as far as they were looked at.
    Whether a payload is one is not judged here.
    """

    __slots__ = ("_broken", "_held", "_skipping", "bad_frames", "noise")

    def __init__(self, broken: Callable[[bytes], None] = lambda _: None) -> None:
        self._broken = broken
        self._held = bytearray()
        self._skipping = False
        self.noise = 0
        self.bad_frames = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes as they come; returns the payloads completed by them, in order."""
        *ended, rest = data.split(DELIMITER)
        payloads = []
        for piece in ended:
            self._hold(piece)
            if self._held:
                try:
                    payloads.append(bytes(cobs.decode(bytes(self._held))))
                except cobs.DecodeError:
                    self.bad_frames += 1
                    self._broken(bytes(self._held))
            self.clear()
        self._hold(rest)
        return payloads

    def clear(self) -> None:
        """Forget the frame begun: the port was opened again."""
        self._held.clear()
        self._skipping = False

    def _hold(self, piece: bytes) -> None:
        if self._skipping:
            return
        if len(self._held) + len(piece) > MAX_FRAME:
            self.noise += 1
            self._skipping = True
            self._broken(bytes(self._held + piece))
            self._held.clear()
        else:
            self._held += piece
