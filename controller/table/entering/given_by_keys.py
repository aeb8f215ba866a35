"""Commands that keys have made, carried out; the second row tells the result."""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.game.round.steps.step import Malformed
from controller.table.command_reading import SupervisorCommand, read_dealer_command
from controller.table.entering import echo, fence, supervising
from controller.table.people import KEY_SWITCH, Who
from controller.table.state.table import Table


def enter(table: Table, text: str) -> bool:
    """Make a dealer's command; whether it was accepted. A refusal is shown on the keypad and
    changes nothing."""
    try:
        fence.take_command(table, text, from_keypad=True)
    except Refused as refused:
        table.entering.keypad.tell(refused)
        return False
    except Malformed as error:
        table.entering.keypad.tell(Refused(str(error), short="NO SUCH AMOUNT"))
        return False
    if table.entering.pending is None:
        table.entering.keypad.tell(None, echo.of(table, read_dealer_command(text)))
    return True


def order(table: Table, command: SupervisorCommand, why: str = "", *, named: bool = False) -> None:
    """Give a supervisor's command by the key switch; ``named``: its reason was given before.

    Raises:
        Refused: it is not permitted now; nothing has changed.
    """
    supervising.carry_out(table, command, named=named or bool(why), who=Who(KEY_SWITCH))
    reason = f": {why}" if why else ""
    table.note(f"supervisor: {command} by {KEY_SWITCH}{reason}")
    table.entering.keypad.tell(None)
