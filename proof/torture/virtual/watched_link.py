"""A link of the daemon with the ledger beside it: what leaves through it must follow from what is
stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.api import Answer, Value
from drivers.table_link.driver import TableLink
from proof.torture.virtual.ledger import Ledger


class WatchedLink(TableLink):
    """A link of the daemon with the ledger beside it."""

    ledger: Ledger
    device: str

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to ``event_no`` is on stable storage: is it?"""
        self.ledger.acknowledged(self.device, session, event_no)
        super().acknowledge(session, event_no)

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Send a command: does it follow from what is stored?"""
        if name == "SHOW":
            self.ledger.told_to_show(int(str(fields["offer_id"])), int(str(fields["multiplier"])))
        super().command(name, fields, done)
