"""Errors of the system become words in one place, ``controller/causes``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PLACES: Final = ("controller", "exporter")
OWN_WORDS: Final = re.compile(r"\.strerror|\.errno\b")

DECIDED: Final = "controller/causes"

OTHERS: Final = {
    "controller/regular_files.py": "makes the errors of what is no regular file",
    "controller/files/media.py": "makes NoAnswer out of NoThread",
    "controller/daemon/readiness/report.py": "NoAnswer, in words of its own",
    "controller/daemon/health/watches.py": "NoAnswer, in words of its own",
    "controller/daemon/journaling/keeping.py": "NoAnswer, in words of its own",
    "controller/upkeep/signing.py": "NoAnswer: late, or nobody could ask",
    "controller/daemon/journaling/sealing.py": "NoThread, in words of its own",
    "controller/daemon/people_desk.py": "NoThread, in words of its own",
    "controller/witness/main.py": "NoThread, in words of its own",
    "exporter/collector.py": "NoThread, in words of its own",
    "controller/journal/lock.py": "NotRegular, in words of its own",
    "controller/control/serving/acceptor.py": "decides what to do next, and tells nobody a cause",
    "controller/daemon/devices/device.py": "hands the number of a port on, with its cause",
    "controller/files/new_files.py": "decides what to do next, and tells nobody a cause",
    "controller/witness/exchange.py": "of a network, which has no path and no owner",
    "controller/verbs.py": "of standard output, and of programs that no table waits for",
    "controller/daemon/main.py": "makes the error of a call of the C library's",
    "exporter/serving.py": "of a network, which has no path and no owner; NoThread",
}
"""Modules that look at an error themselves, each with the reason."""


def test_nobody_else_translates_an_error() -> None:
    found = {
        str(file.relative_to(ROOT))
        for place in PLACES
        for file in (ROOT / place).rglob("*.py")
        if OWN_WORDS.search(file.read_text(encoding="utf-8"))
    }
    others = {one for one in found if not one.startswith(DECIDED)}
    assert others - OTHERS.keys() == set(), "ask controller.causes.finding.cause_of"
