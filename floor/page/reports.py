"""A gaming day's or a shift's report, as ``table-floor report`` prints it.

What is to be expected of a rule file is looked for in the folder ``expected`` beside the
configuration: DIGEST.json, as ``tablectl simulate --json`` prints it.
"""

from __future__ import annotations

from typing import Final

from floor.configuration import FloorSettings
from floor.facts.report.accounts import AskedSpan, accounts_of
from floor.facts.report.expected import Expectations
from floor.facts.report.floor_report import FloorReport, report_of
from floor.store.store import FloorStore

EXPECTED: Final = "expected"


class Reports:
    """Makes reports out of a store."""

    def __init__(self, store: FloorStore, settings: FloorSettings) -> None:
        self._store, self._settings = store, settings

    async def report_on(self, asked: AskedSpan) -> FloorReport:
        """The report on that span.

        Raises:
            NothingTold: no table has anything in it.
            StoreFails: the database. NotDone: a file of what is expected cannot be used.
        """
        async with self._store.connection() as connection:
            accounts = await accounts_of(connection, asked)
        folder = self._settings.path.parent / EXPECTED
        expectations = Expectations(folder if folder.is_dir() else None)
        return report_of(asked, accounts, self._settings, expectations)
