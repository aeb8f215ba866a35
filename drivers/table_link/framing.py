"""Frames on a serial line: COBS, then one 0x00 (protocol section 2, Serial).

The delimiter stands nowhere else on the line, so a reader is in step again at the next 0x00
whatever was lost, doubled or damaged before it: a damaged byte costs the frame it is in (a
damaged delimiter the two frames it parted), and nothing waits for bytes which never come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

DELIMITER = b"\0"
"""Ends each frame; who opens a line sends one first, to end whatever stood there before."""

MAX_FRAME = 57
"""Bytes of the longest frame without its delimiter: 56 of payload and one of COBS."""


_CODES: Final = tuple(bytes([length + 1]) for length in range(254))
"""What COBS puts before a run of bytes without 0x00, by the run's length; a longer run would be
divided, and no payload has one."""


def encode_frame(payload: bytes) -> bytes:
    """The payload, of 253 bytes at most, as it goes on the line: COBS-encoded, then 0x00."""
    runs = payload.split(b"\0")
    return b"".join([_CODES[len(run)] + run for run in runs]) + DELIMITER


def _decoded(frame: bytes) -> bytes | None:
    """The payload of a frame without 0x00 and of :data:`MAX_FRAME` bytes at most; None where it is
    not COBS."""
    runs, at = [], 0
    while at < len(frame):
        begins, at = at + 1, at + frame[at]
        runs.append(frame[begins:at])
    return b"\0".join(runs) if at == len(frame) else None


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
                frame = bytes(self._held)
                payload = _decoded(frame)
                if payload is None:
                    self.bad_frames += 1
                    self._broken(frame)
                else:
                    payloads.append(payload)
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
