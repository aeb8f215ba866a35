"""Table Link knows no clock, no chance and no port: its modules import none."""

from __future__ import annotations

import subprocess
import sys

MODULES = ["controller_session", "device_session", "framing", "messages"]
BANNED = ["asyncio", "random", "serial", "socket", "sqlite3", "usb"]

_PROBE = f"""
import sys
import importlib
for name in {MODULES}:
    importlib.import_module("drivers.table_link." + name)
print(*[name for name in {BANNED} if name in sys.modules])
"""


def test_neither_port_nor_loop_nor_chance_is_imported() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == []
