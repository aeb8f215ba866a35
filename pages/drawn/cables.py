"""Where each cable goes: the devices of the example configuration, each by what it names, the port
or the USB unit."""

from __future__ import annotations

import tomllib
from typing import Final

from pages.drawn.svg import AMBER, BLUE, EDGE, FAINT, Drawing
from pages.generated import ROOT

EXAMPLE: Final = ROOT / "config" / "table.example.toml"
KNOWN: Final = {
    "shoe": "reads each card as it leaves",
    "shuffler": "shuffles the set that is not in play",
    "keypad": "the dealer's; key switch for the supervisor",
    "jackpot": "button for the player, and meter",
}
"""What each is for, by its name in the example; another name has no words."""
STEP_PX, TOP_PX = 118, 96


def drawn() -> str:
    """The picture."""
    devices = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))["devices"]
    height = TOP_PX + STEP_PX * len(devices) + 44
    picture = Drawing(900, height, "Where each cable goes")
    picture.words(30, 46, "Where each cable goes", size=20, bold=True)
    bottom = TOP_PX + STEP_PX * len(devices) - 34
    picture.box(640, TOP_PX, 230, bottom - TOP_PX, fill=FAINT)
    picture.words(755, TOP_PX - 12, "the controller", size=16, bold=True, at="middle")
    for number, (name, told) in enumerate(devices.items()):
        y = TOP_PX + 34 + STEP_PX * number
        serial = "port" in told
        picture.box(30, y - 34, 250, 84)
        picture.words(155, y - 8, name, size=16, bold=True, at="middle")
        picture.words(155, y + 14, KNOWN.get(name, ""), size=12, colour=EDGE, at="middle", wide=32)
        colour = BLUE if serial else AMBER
        picture.path(f"M280 {y + 8} H640", edge=colour, wide=4)
        if serial:
            picture.box(380, y - 16, 150, 48, edge=colour)
            picture.words(455, y + 5, "USB serial adapter", size=12, bold=True, at="middle")
            picture.words(455, y + 23, "its serial number", size=11, colour=EDGE, at="middle")
            picture.words(330, y, "RS-232", size=11, colour=colour, at="middle")
            picture.words(585, y, "USB", size=11, colour=colour, at="middle")
        else:
            picture.words(460, y, "USB, no adapter", size=12, colour=colour, at="middle")
        picture.box(655, y - 14, 200, 44, edge=colour)
        picture.words(755, y + 13, told.get("port") or told["usb"], size=14, mono=True, at="middle")
    picture.words(
        30, height - 30,
        "Any USB socket will do: a name follows the adapter's serial number, and an adapter stays "
        "with its device. Where setup named a socket instead, because an adapter has no number of "
        "its own, its cable stays in that socket.",
        size=12, colour=EDGE, wide=118,
    )  # fmt: skip
    return picture.svg()
