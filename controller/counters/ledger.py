"""The ledger: an account for each span, kept entry by entry behind the counters.

The rules:

- Money, rounds, draws, cards, voids and corrections are counted by
  :class:`~controller.counters.counting.Counters` themselves, on a set of their own that is written
  down in the accounts. So the accounts of all shifts, or of all days, add up to what the counters
  have in all.
- A round is written down when the table has moved on and nothing can change it any more, in the
  account of its own span; until then :meth:`Ledger.account` adds it as it stands.
- A second person counts when he agrees, not when he is asked.
- A hold counts when it begins, for each device; its time is that of the fault, once, while the
  controller runs. One that goes on into the next span has its time there, and no count.
- A shoe counts with its first card, burned or dealt; tried in service it is none.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field

from controller.counters.belonging import Belonging, Moment, Span, ends_shift
from controller.counters.counting import Counters
from controller.counters.figures import Figures, count_name, who_of
from controller.game.round.state import Round
from controller.table.events.event import Event
from controller.table.state.table import Table


@dataclass(slots=True)
class HeldTime:
    """How often a fault began to hold play, and for how long it did while the controller ran."""

    count: int = 0
    ns: int = 0


@dataclass(slots=True)
class SpanAccount:
    """Of a span: ``since`` and ``until`` by the wall clock, as the journal has them (None: it goes
    on), ``by`` whom it was begun; ``ran_ns`` is for how long the controller ran in it.

    ``second_person``: what a second person has agreed to, by who that was; ``holds`` by fault;
    ``shoes`` of which the first card was drawn.
    """

    since: str = ""
    until: str | None = None
    by: str = ""
    figures: Figures = field(default_factory=Figures)
    ran_ns: int = 0
    second_person: dict[str, int] = field(default_factory=dict)
    holds: dict[str, HeldTime] = field(default_factory=dict)
    shoes: int = 0


@dataclass(slots=True)
class _LastTable:
    """The table as the last entry has left it, as far as it is compared with the next."""

    rnd: Round | None = None
    asked: bool = False
    out: int = 0
    standing: Counter[str] = field(default_factory=Counter)

    @classmethod
    def from_table(cls, table: Table) -> _LastTable:
        rnd = table.rnd
        return cls(
            rnd,
            table.entering.void_asked is not None,
            table.shoe.book.out,
            Counter(held.fault for held in table.holds.standing),
        )


class Ledger:
    """The accounts from where ``counters`` and ``table`` stand; ``belonging`` says whose an entry
    is. ``last``: when the entry before was made, where time is counted from it on."""

    def __init__(
        self, belonging: Belonging, counters: Counters, table: Table, last: Moment | None = None
    ) -> None:
        self._belonging = belonging
        self._counting = Counters.load(counters.dump())
        self._counting.kept.total = Figures()
        self._accounts: dict[Span, SpanAccount] = {}
        self._last = last
        self._seen = _LastTable.from_table(table)

    def note_event(self, event: Event, moment: Moment, table: Table) -> None:
        """Write down an event that ``table`` has taken."""
        before = self._belonging.now
        if self._counting.has_moved_on(table) or ends_shift(event):
            self._write_down_round()
        span = self._belonging.span_of(event, moment, table)
        account = self._account_of(span, moment)
        passed = moment.since(self._last)
        share = self._belonging.share_before(self._last, moment, passed)
        self._pass(self._account_of(before, moment), share)
        self._pass(account, passed - share)
        who = self._counting.kept.corrections.command_giver(event)
        self._counting.kept.total = account.figures  # what comes is counted there
        self._counting.count_event(event, table.outcome, table)
        self._compare(account, who, table)
        self._close(before, span, event, moment)
        self._last = moment

    def account(self, span: Span) -> SpanAccount | None:
        """The account of that span, the round that may still change included; the caller's own."""
        account = deepcopy(self._accounts.get(span))
        counted = self._counting.kept
        if account is not None and self._belonging.of_round(counted.number) == span:
            account.figures.add(counted.last)
        return account

    @property
    def spans(self) -> list[Span]:
        """The spans of which there are accounts, in the order in which they began."""
        return list(self._accounts)

    def is_over(self, span: Span) -> bool:
        """Whether nothing that comes next belongs to that span, as long as no clock goes back."""
        last = self._belonging.of_round(self._counting.kept.number)
        return span not in (self._belonging.now, last)

    def _account_of(self, span: Span, moment: Moment) -> SpanAccount:
        if span not in self._accounts:
            self._accounts[span] = SpanAccount(moment.wall)
        return self._accounts[span]

    def _write_down_round(self) -> None:
        """The last round stands: nothing changes it any more."""
        kept = self._counting.kept
        account = self._accounts.get(self._belonging.of_round(kept.number))
        if account is not None:
            account.figures.add(kept.last)
        kept.last = Figures()

    def _pass(self, account: SpanAccount, passed_ns: int) -> None:
        """Count time that has passed, and for which faults play was held meanwhile."""
        if not passed_ns:
            return
        account.ran_ns += passed_ns
        for fault in self._seen.standing:
            account.holds.setdefault(fault, HeldTime()).ns += passed_ns

    def _compare(self, account: SpanAccount, who: str, table: Table) -> None:
        """Count what is told by what has changed; ``who`` has given the command."""
        seen, now = self._seen, _LastTable.from_table(table)
        self._seen = now
        for fault, count in (now.standing - seen.standing).items():
            account.holds.setdefault(fault, HeldTime()).count += count
        if now.out and not seen.out:
            account.shoes += 1
        if seen.asked and not now.asked and now.rnd is not seen.rnd:
            count_name(account.second_person, who)

    def _close(self, before: Span, span: Span, event: Event, moment: Moment) -> None:
        now = self._belonging.now
        if now != before and before in self._accounts:
            self._accounts[before].until = moment.wall
        account = self._account_of(now, moment)
        account.until = None
        if now != span:
            account.by = who_of(event)
