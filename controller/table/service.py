"""``service on`` and ``service off``: between rounds, so that devices may be tried by hand.

The rules:

- Nothing is played: the dealer's commands are refused, and the supervisor's but ``service off``.
- What shoe, button, meter and keypad report is stored and concerns no round: no card counts as
  drawn, no press as a player's. What a device says of its own health holds as ever, and so does
  what the shuffler says of a card set.
- A technician's command to a device that offers or shows something takes the table's next number of
  an offer, or one that was taken since service began: no number is used twice. Of the tests of a
  device the last one of each name is kept until another device takes its place.
- Afterwards the table is as it was. The cards of play are in the shoe again if it was emptied
  before any card was drawn, and reports the number of cards that it had; a full one is a new shoe,
  as ever. If cards have left it otherwise, nobody knows their order or which are in it, so a
  shuffled shoe is to be loaded, unless a supervisor lets play go on (``play-on``).
"""

from __future__ import annotations

from typing import Final

from controller.forms.json_values import checked
from controller.game.commands.command import Command
from controller.game.round.refusal import Refused
from controller.table import holds, sequence
from controller.table.dealing import cards_in
from controller.table.events.event import Reported
from controller.table.events.of_devices import CardCame, ShoeReported
from controller.table.events.of_people import DeviceCommanded, DeviceTested
from controller.table.shoe import book
from controller.table.state.device import Tested
from controller.table.state.parts import Service
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_EMPTY, SHOE_LID_OPEN, SHOE_LOADED

ON: Final = Command("service", option="on")
OFF: Final = Command("service", option="off")


def switch(table: Table, order: Command) -> None:
    """``service on``, ``service off``; raises :class:`Refused` where it is not possible now."""
    if order == ON:
        _begin_service(table)
    else:
        _end_service(table)


def _begin_service(table: Table) -> None:
    sequence.check(table, "service_on")
    if table.entering.pending or table.entering.leftover:
        said = "the card shoe is still being locked: wait"
        raise Refused(said, short="WAIT: SHOE", code="wait-shoe")
    if table.shoe.shuffle is not None:
        said = "the shuffler is at work: wait until it is done"
        raise Refused(said, short="WAIT: SHUFFLER", code="wait-shuffler")
    if table.holds.cards:
        raise Refused(f"{table.reason}: decide about that card first", short="CARD COMES FIRST")
    shoe = table.devices.get("shoe")
    table.service = Service(
        came_from=table.phase,
        offers_from=table.jackpot.next_offer,
        ran_out=shoe is not None and shoe.emptied,
    )
    sequence.pull(table, "service_on")
    table.entering.notify("")
    table.note("service begins: nothing is played")


def _end_service(table: Table) -> None:
    sequence.check(table, "service_off")
    sequence.pull(table, "service_off")
    before, table.service = table.service, Service()
    table.note("service is over")
    _return_shoe(table, before)


def _return_shoe(table: Table, service: Service) -> None:
    """Have the table know what is in the shoe now."""
    shoe = table.devices.get("shoe")
    if shoe is None:
        return
    state, left = service.shoe or (None, book.UNKNOWN)
    loaded = state == SHOE_LOADED
    known = book.remaining(table) is not None and left == book.remaining(table)
    if service.exchanged and not service.touched and loaded and known:
        shoe.shoe_loaded(ran_out=service.ran_out)
        table.shoe.lid(opened=False)
        return
    if state is not None:
        cards_in.take_shoe_state(table, shoe, state, left)
    if (service.drawn or service.exchanged) and not (loaded and left == table.settings.shoe_size):
        cards = f"{service.drawn} card{'s' if service.drawn != 1 else ''} left the shoe"
        what = cards if service.drawn else "the cards were taken out of the shoe"
        table.shoe.lose_count()
        table.shoe.shuffle_due(table.round_number, f"{what} in service")


# ---- what devices report meanwhile ------------------------------------------------------------


def card(table: Table, _: CardCame) -> None:
    """A card has left the shoe: it belongs to no round and to no shoe."""
    table.service.drawn += 1
    table.service.touched |= not table.service.exchanged
    table.service.shoe = None


def shoe_state(table: Table, event: ShoeReported) -> None:
    """The shoe reports its state, which counts when service is over."""
    shoe = table.named(event.device)
    if shoe is None:
        return
    state = event.state
    shoe.take_state(state)
    if state == SHOE_LID_OPEN:
        table.shoe.lid(opened=True)
    table.service.exchanged |= state == SHOE_EMPTY
    table.service.shoe = (state, event.remaining)


def tried(_: Table, __: Reported) -> None:
    """Button, meter, cutting card or key was tried: nothing of play."""


OFFER: Final = "offer_id"


def device_command(table: Table, event: DeviceCommanded) -> None:
    """A device is to carry out a command; Refused where the table is not in service, or the number
    of the offer was used for play."""
    device, command, fields = table.named(event.device), event.command, event.fields
    if not table.in_service or device is None:
        raise Refused(f'{command}: only in service (supervisor "{ON}")', short="NOT IN SERVICE")
    if command == "START" and fields["set"] == table.shoe.sets.in_shoe:
        raise Refused(f"set {fields['set']} is in play", short="SET IS IN PLAY")
    if OFFER in fields:
        number = checked(int, fields[OFFER], OFFER)
        if not table.service.offers_from <= number <= table.jackpot.next_offer:
            raise Refused(f"offer {number} is not of this service", short="OTHER OFFER")
        table.jackpot.use_number(number)
    # In the order in which the journal stores them: a replay knows no other.
    said = " ".join(f"{name}={value}" for name, value in sorted(fields.items()))
    table.note(f"service: the {device.plain} is to do {command} {said}".rstrip())


def device_tested(table: Table, event: DeviceTested) -> None:
    """A device was tested."""
    device = table.named(event.device)
    if device is None:
        return
    device.was_tested(event.test, Tested(event.ok, event.what, event.by_hand, event.at))
    holds.note_test(table, device)
    table.note(f"{device.plain}, {event.test}: {'well' if event.ok else 'NOT WELL'}, {event.what}")
