"""What a technician does with a device, and what came of it: entries of the journal.

- ``device-command``: the device is to carry out a command, in service only: ``device``, ``command``
  by its name in the link protocol, ``fields``, ``user``. A command that offers or shows something
  takes the table's next number of an offer, or one that was taken since service began: no number
  is used twice.
- ``device-tested``: one test of a device: ``device``, ``test`` (its name), ``ok``, ``what`` in
  plain words, ``by_hand``, ``at`` (wall clock, ISO 8601), ``user``. The last one of each name is
  kept until another device takes its place.
"""

from __future__ import annotations

from typing import Final

from controller.forms.json_values import checked
from controller.game.round.refusal import Refused
from controller.table.events.of_people import DeviceCommanded, DeviceTested
from controller.table.holds import exchanges
from controller.table.service.mode import ON
from controller.table.state.device import Tested
from controller.table.state.table import Table

OFFER: Final = "offer_id"


def device_command(table: Table, event: DeviceCommanded) -> None:
    """A device is to carry out a command.

    Raises:
        Refused: the table is not in service, or the number of the offer was used for play.
    """
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
    exchanges.note_test(table, device)
    table.note(f"{device.plain}, {event.test}: {'well' if event.ok else 'NOT WELL'}, {event.what}")
