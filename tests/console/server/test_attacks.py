"""Whoever reaches the console's port and floods it keeps no dealer from dealing, and does not have
it ended for its memory."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from hil_tests.bench.logged_program import LoggedProgram, until
from tests.console.server.attacks import ATTACKS, UNDER_WAY
from tests.console.server.beside import ConsolePage, DealersConsole
from tests.systemd.test_units import UNITS, settings

COMMANDS: Final = 5
MOST_KIB: Final = int(settings(UNITS / "table-console.service")["MemoryMax"][0][:-1]) << 10


def most_kib(process: Path) -> int:
    return int((process / "status").read_text("ascii").split("VmHWM:")[1].split()[0])


def dealt(page: ConsolePage, command: str) -> None:
    """A command is done: one whose answer does not come is given again, as the page does."""
    terms = {"at": page.parts["table"]["at"], "key": secrets.token_hex(8)}

    def done() -> bool:
        with suppress(OSError):
            return page.give(command, **terms)[0] == 200
        return False

    until(done, command)
    page.until(lambda parts: parts["table"]["at"] > terms["at"])


def has_a_place(page: ConsolePage) -> bool:
    with suppress(AssertionError, OSError), page.following():
        return True
    return False


@pytest.mark.parametrize("name", ATTACKS)
def test_a_dealer_deals_on(resting: DealersConsole, tmp_path: Path, name: str) -> None:
    program = ("tests.console.server.attacks", name, str(resting.port))
    attack = LoggedProgram(program, tmp_path / "log")
    with resting.acting() as page:
        dealt(page, "open")
        attack.start()
        try:
            attack.until_said(UNDER_WAY)
            for number in range(COMMANDS):
                page.take()
                dealt(page, f"wager 1 main {30 + 5 * number}")
        finally:
            attack.kill()
        assert page.parts["seat"] == page.name
    assert most_kib(resting.process) < MOST_KIB * 9 // 10
    until(lambda: has_a_place(resting.page()), "all are gone")
