"""A unit that this user may not open, run by ``test_usb`` where the bus can refuse even root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.api import DriverError
from drivers.carriers.usb_unit import list_units, open_unit
from simulators.hands import Hands

PORT = Path(os.environ["TABLE_TEST_BUS"]) / "unit"


def test_unit_that_may_not_be_opened() -> None:
    with Hands.start("jackpot", PORT, "--serial", "JP-0001", line="--usb-port"):
        PORT.chmod(0)
        with pytest.raises(DriverError, match="may not be opened by this user"):
            open_unit("1209:0001")
        with pytest.raises(DriverError, match=r"may this user not open it \(udev rule\)"):
            open_unit("1209:0001:JP-0001")
        assert list_units(0x1209, 1) == ["1209:0001"]
        PORT.chmod(0o600)
        open_unit("1209:0001:JP-0001").close()
