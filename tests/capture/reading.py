"""Captures out of files."""

from __future__ import annotations

from pathlib import Path

from drivers.capture.reader import Capture, capture_of


def read_capture(path: Path) -> Capture:
    return capture_of(path, path.read_bytes())
