"""A table and the console's process beside it, as on the box of a table; each is killed and started
again by itself. And hands that lie on the felt before a page is looked at: dealt at the table, not
by touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from hil_tests.bench.logged_program import LISTENS, LoggedProgram, free_port
from hil_tests.bench.setup import Setup
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer, Wagers

FULL: Final = "8S 8H 6D 9C 2C 5C KS AH 8C 8D 6H 9D 3C 5D QS 8D 2S"
"""Eights to split twice at box 1, and the dealer's ace."""


def burn_first(dealer: Dealer, cards: str) -> None:
    """Have these cards come next; the first one of a new shoe is burned before."""
    dealer.burn_where_due()
    dealer.stack(cards)


def open_anew(dealer: Dealer, cards: str) -> None:
    """Have these cards come next, bets open, and no wager lie there."""
    burn_first(dealer, cards)
    if dealer.state == "idle":
        dealer.open_bets()
    dealer.clear_wagers()


def dealt(dealer: Dealer, cards: str, **wagers: float) -> None:
    """These cards, with main wagers on boxes (``b1=100``), as far as the initial deal."""
    deal_anew(dealer, cards, {box[1:]: {"main": amount} for box, amount in wagers.items()})


def deal_anew(dealer: Dealer, cards: str, wagers: Wagers) -> None:
    """The same, with these wagers."""
    open_anew(dealer, cards)
    for seat, amounts in wagers.items():
        dealer.wager(seat, **amounts)
    dealer.no_more_bets()
    dealer.deal()


def fill_felt(dealer: Dealer) -> None:
    """Seven boxes with three bettors each, one of them split to three hands, with insurance."""
    placed: dict[int | str, dict[str, float | None]] = {}
    for box in range(1, 8):
        stakes = {"": 100 * box, "b": 50, "c": 25}
        placed |= {f"{box}{bettor}": {"main": stake} for bettor, stake in stakes.items()}
    deal_anew(dealer, FULL, placed)
    dealer.enter("insure 2 100")
    dealer.enter("insure 3b 25")
    for _ in range(2):
        dealer.enter("split 1")
        dealer.card()


QUICK: Final = Setup(boxes=7, spin_ms=20)
"""A table whose meter does not take its time."""


class ConsoleBesideTable:
    """A context manager: the table at :attr:`bench`, worked by :attr:`dealer`'s hands (cards and
    the button), and the console, which answers at :attr:`url`.

    ``settings`` are further lines of ``console.toml``, as TOML values by key; ``port``: where it
    answers, any free one when left out.
    """

    def __init__(
        self,
        setup: Setup = QUICK,
        settings: Mapping[str, str] | None = None,
        port: int | None = None,
    ) -> None:
        self.bench = VirtualBench(setup)
        self.dealer = Dealer(self.bench)
        self.port = port or free_port()
        folder = self.bench.folder
        self.config = folder / "console.toml"
        (folder / "console").mkdir()
        lines = {
            "listen": f'"127.0.0.1:{self.port}"',
            "socket": f'"{self.bench.socket}"',
            "state": f'"{folder / "console"}"',
            **(settings or {}),
        }
        text = "".join(f"{key} = {value}\n" for key, value in lines.items())
        self.config.write_text(text, encoding="utf-8")
        command = ("console.main", "--config", str(self.config))
        self.program = LoggedProgram(command, folder / "console.log")

    @property
    def url(self) -> str:
        """Of the dealer's page."""
        return f"http://127.0.0.1:{self.port}/"

    def start_console(self) -> None:
        """Start the console; returns when it answers."""
        self.program.log.unlink(missing_ok=True)
        self.program.start()
        self.program.until_said(LISTENS)

    def restart_console(self) -> None:
        """Kill it between any two instructions, and start it again."""
        self.program.kill()
        self.start_console()

    def __enter__(self) -> Self:
        try:
            self.bench.set_up()
            self.dealer.wait_for_devices()
            assert self.dealer.status  # the connection stands before a test begins
            self.start_console()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End both; nothing is left."""
        self.program.kill()
        self.bench.close()
