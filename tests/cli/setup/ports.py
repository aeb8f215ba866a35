"""``tablectl`` on a machine whose serial ports are the test's: pseudo-terminals are not listed.

``python -m tests.cli.setup.ports ARGUMENTS`` takes them from the environment (``SETUP_PORTS``).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from controller.cli.main import main

VARIABLE = "SETUP_PORTS"
FTDI = (0x0403, 0x6001)


def listed(port: object, number: str | None, usb: tuple[int, int] | None = FTDI) -> ListPortInfo:
    """A port as pyserial lists it; ``number`` is its adapter's."""
    info = ListPortInfo(str(port))
    info.vid, info.pid = usb or (None, None)
    info.serial_number, info.description = number, "FT232R USB UART"
    return info


def environment(ports: Sequence[ListPortInfo]) -> dict[str, str]:
    """What has a process see these ports."""
    rows: list[Any] = [(one.device, one.serial_number, (one.vid, one.pid)) for one in ports]
    return os.environ | {VARIABLE: json.dumps(rows)}


if __name__ == "__main__":
    ROWS = json.loads(os.environ[VARIABLE])
    with patch.object(list_ports, "comports", return_value=[listed(*row) for row in ROWS]):
        sys.exit(main(sys.argv[1:]))
