"""The tests of the generator: at a start and after every failure, and continuously from then on.

**At a start**, before any device is commanded: the mapping is proven, not sampled, for every raw
number is given to it, and what comes is counted. Then a fixed number of tickets passes through the
continuous tests, on the path that draws take; SP 800-90B (4.3) asks for 1,024 at least. Tests draw
for no offer: nothing of them is stored, shown or paid. The long statistical battery is the
technician's (``tablectl draw test``, :mod:`controller.draw.battery`).

**Continuously** every ticket is tested before it counts, those rejected and those discarded between
plays included, by the continuous health tests of NIST SP 800-90B (4.4). The kernel's generator is
no noise source, so its tickets are taken to have all the entropy of their bits; what the tests find
is a generator that is *broken* (stuck, repeating, lopsided), not one that is weak.

- Repetition count (4.4.1): the same ticket ``repeats`` times in a row.
- Adaptive proportion (4.4.2): of a window of tickets too many are the same as its first.
- Repeated sequence: tickets that make up :data:`SEQUENCE_BITS` bits came in the same order among
  the last :data:`REMEMBERED`. It stands where FIPS 140-2 (4.9.2) compares a block with the one
  before it, and finds a source that plays its output again.

The chance that a sound generator fails is at most 2**-60 for a ticket (repetition), 2**-60 for a
window (proportion) and 2**-84 for a ticket (sequence): a table that takes a hundred million tickets
a year is held without reason once in about 10**9 years. SP 800-90B suggests 2**-20 to 2**-40; a
lower chance costs a few tickets of delay and no supervisor is called without cause.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from controller.draw.weights import SourceFailed, Weights, multiplier_for, take_ticket, ticket_bits

START_TICKETS = 4096
_ENUMERATED_UP_TO = 1 << 16


def start_up(weights: Weights, bits: Callable[[int], int]) -> Health:
    """Test mapping and generator; the continuous tests to go on with. Raises SourceFailed."""
    if (wrong := mapping_fault(weights)) is not None:
        raise SourceFailed(wrong)
    health = Health(ticket_bits(weights.total))
    cycle(weights, watched(bits, health), START_TICKETS)
    return health


def cycle(weights: Weights, source: Callable[[int], int], tickets: int) -> None:
    """Take that number of tickets in the same way as draws do, and discard them."""
    for _ in range(tickets):
        take_ticket(source, weights.total)


def mapping_fault(weights: Weights) -> str | None:
    """Put every raw number through the mapping, with very large totals only the ends of every
    share; what is wrong, None when each multiplier has exactly its weight."""
    if weights.total <= _ENUMERATED_UP_TO:
        good = _every_number(weights) == dict(weights.pairs)
    else:
        good, first = True, 0
        for multiplier, weight in weights.pairs:
            ends = {multiplier_for(weights, first), multiplier_for(weights, first + weight - 1)}
            good = good and ends == {multiplier}
            first += weight
    return None if good else f"the mapping of tickets does not give the weights {weights.canonical}"


def _every_number(weights: Weights) -> Counter[int]:
    """How many raw numbers stand for each multiplier; behind one that is rejected comes a 0."""
    counts = Counter[int]()
    for raw in range(1 << ticket_bits(weights.total)):
        numbers = iter((raw, 0))
        ticket, rejected = take_ticket(lambda _, numbers=numbers: next(numbers), weights.total)  # type: ignore[misc]
        if not rejected:
            counts[multiplier_for(weights, ticket)] += 1
    return counts


def mapping_told(weights: Weights) -> str:
    """How the mapping is proven, in plain words."""
    if weights.total <= _ENUMERATED_UP_TO:
        numbers = 1 << ticket_bits(weights.total)
        return f"all {numbers} raw numbers mapped one by one, {weights.total} of them count"
    return f"first and last of every share of {weights.total} tickets mapped"


ALPHA_BITS = 60
"""A test of repetition or proportion fails for no reason with a chance of at most 2**-60."""
WINDOW = 512
BINARY_WINDOW = 1024
"""Tickets in a window of the adaptive proportion test; of one bit each (SP 800-90B 4.4.2)."""
SEQUENCE_BITS = 96
REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """Where the tests fail: at ``repeats`` equal tickets in a row, ``same`` tickets of a ``window``
    equal to its first, or ``sequence`` tickets that came before in that order."""

    repeats: int
    window: int
    same: int
    sequence: int


@lru_cache
def cutoffs(width: int) -> Cutoffs:
    """Return the cutoffs for tickets of ``width`` bits (1 or more)."""
    window = BINARY_WINDOW if width == 1 else WINDOW
    return Cutoffs(
        repeats=1 + -(-ALPHA_BITS // width),
        window=window,
        same=1 + _critical(window - 1, width),
        sequence=-(-SEQUENCE_BITS // width),
    )


def _critical(trials: int, width: int) -> int:
    """The least count of tickets equal to a given one whose chance is at most 2**-60."""
    others = (1 << width) - 1
    allowed = (1 << trials * width) >> ALPHA_BITS
    tail = 0
    for count in range(trials, 0, -1):
        tail += comb(trials, count) * others ** (trials - count)
        if tail > allowed:
            return count + 1
    return 1


class Health:
    """The tests of one source of tickets of ``width`` bits, from a beginning on."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.taken = 0
        self._cutoffs = cutoffs(width) if width else None
        self._last, self._run = -1, 0
        self._first, self._same, self._left = -1, 0, 0
        self._sequence = 0
        self._mask = (1 << width * self._cutoffs.sequence) - 1 if self._cutoffs else 0
        self._order: deque[int] = deque()
        self._known: set[int] = set()

    def test_ticket(self, ticket: int) -> None:
        """Look at the next ticket; :class:`SourceFailed`, with test and figures, if it fails."""
        cut = self._cutoffs
        if cut is None:
            return  # one multiplier only: tickets have no bits and nothing is left to chance
        self.taken += 1
        if ticket == self._last:
            self._run += 1
            if self._run >= cut.repeats:
                raise SourceFailed(f"repetition count: {self._run} equal numbers in a row")
        else:
            self._last, self._run = ticket, 1
        if not self._left:
            self._first, self._same, self._left = ticket, 0, cut.window
        self._left -= 1
        if ticket == self._first:
            self._same += 1
            if self._same >= cut.same:
                raise SourceFailed(
                    f"adaptive proportion: {self._same} of {cut.window - self._left} numbers equal"
                )
        self._follow(ticket, cut.sequence)

    def _follow(self, ticket: int, length: int) -> None:
        """Remember the last tickets as one number; the same again is no chance."""
        self._sequence = (self._sequence << self.width | ticket) & self._mask
        if self.taken < length:
            return
        if self._sequence in self._known:
            ago = len(self._order) - self._order.index(self._sequence)
            raise SourceFailed(
                f"repeated sequence: the last {length} numbers came in the same order {ago} "
                "numbers before"
            )
        self._known.add(self._sequence)
        self._order.append(self._sequence)
        if len(self._order) > REMEMBERED:
            self._known.remove(self._order.popleft())


def watched(bits: Callable[[int], int], health: Health) -> Callable[[int], int]:
    """``bits`` as draws take it: :class:`SourceFailed` for a number that has failed a test, and
    when the operating system gives nothing."""

    def tested_ticket(width: int) -> int:
        try:
            ticket = bits(width)
        except OSError as error:
            raise SourceFailed(f"the operating system gives no random numbers: {error}") from error
        if not 0 <= ticket < 1 << width:
            raise SourceFailed(f"the generator gave {ticket} for {width} random bits")
        health.test_ticket(ticket)
        return ticket

    return tested_ticket
