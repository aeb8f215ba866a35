"""Faults of the devices: what they report about themselves or refuse, and what their links show.

None of these is found by the daemon itself: each follows from an event of a device or of its link,
so each occurrence is stored in the journal (law 1).
"""

from __future__ import annotations

from typing import Final

from controller.faults.model import Clears, Fault, Severity, hold, notice

FAULTS: Final = (
    Fault(
        "shoe-down",
        "A card is due and the card shoe is not connected, or cannot give one.",
        "1. Look whether the shoe has power and its lid is closed. 2. Push its cable home at both "
        "ends. 3. `tablectl devices list` says since when and why. Play goes on by itself.",
        requirements=("JKP-05", "PWR-14"),
        severity=Severity.WAIT,
        clears=Clears.ITSELF,
    ),
    Fault(
        "jackpot-down",
        "The button is offered or its meter is to show, and the jackpot unit is not connected.",
        "1. Look whether the unit has power. 2. Push its cable home. 3. `tablectl devices "
        "list` says since when and why. What was pressed and drawn is kept; a drawn multiplier may "
        "be paid from the screen, where it lists that.",
        requirements=("JKP-03", "JKP-05", "PWR-14"),
        severity=Severity.WAIT,
        clears=Clears.ITSELF,
    ),
    hold(
        "device-restarted",
        "A device was started anew in the middle of a round and may have lost events.",
        "Compare the cards and wagers on the table with the screen. If they agree, `resume`; if "
        "a card is missing on the screen, give the correction or a remedy that the screen lists.",
        requirements=("PWR-12", "PWR-14"),
    ),
    hold(
        "device-replaced",
        "A device was exchanged for another one, with another serial number, during a round.",
        "It came in the middle of a round; a jackpot unit is not armed, not heard and shows "
        "nothing before it is accepted, and is forgotten when the one from before is back. Ask who "
        "exchanged it and why; compare the serial number on its plate, and the cards and wagers on "
        "the table, with the screen. `resume` accepts it; "
        "if something was lost, give the correction or another remedy that the screen lists.",
        requirements=("SEC-01", "SEC-02", "INT-01"),
    ),
    notice(
        "device-exchanged",
        "A device was exchanged for another one, with another serial number, between rounds.",
        "Compare the serial number on its plate with the one told. If the exchange was meant, "
        "`tablectl devices test NAME` between rounds: that tells who has seen it, and ends this. "
        "If it was not, ask who was at the table, and put the one from before back.",
        requirements=("SEC-02", "LOG-03"),
        clears=Clears.SUPERVISOR,
    ),
    hold(
        "device-altered",
        "A device has another firmware than before, under the same serial number, during a round.",
        "A jackpot unit is not armed, not heard and shows nothing before it is accepted. Compare "
        "the firmware on the screen with the approved one, and the cards and wagers on the table "
        "with the screen. If they agree, `resume --by NAME --why TEXT`; if not, give another "
        "remedy that the screen lists, and call the technician.",
        requirements=("LAW-02", "INT-01", "SEC-02"),
        clears=Clears.NAMED,
    ),
    Fault(
        "firmware-changed",
        "A device has another firmware than before, under the same serial number.",
        "It came between rounds. Compare the firmware on the screen with the approved one; both "
        "are in the journal. If nobody is to have changed it, exchange the device.",
        requirements=("LAW-02", "INT-01"),
        severity=Severity.REMARK,
        clears=Clears.ITSELF,
    ),
    hold(
        "device-refuses",
        "A device refuses a command that play needs.",
        "Look at the device: lid, cover, display, its own lamp. Switch it off and on if it does "
        "not recover. `resume` has the command tried again. A multiplier that the meter refuses to "
        "show may be paid from the screen, where it lists that.",
        requirements=("PWR-13", "JKP-03"),
    ),
    notice(
        "device-fault",
        "A device reports a fault of its own.",
        "The screen names the device and its part. Play goes on while the device does its work; "
        "have it mended or exchanged between rounds.",
        requirements=("ERR-04",),
    ),
    hold(
        "two-controllers",
        "Another controller has acknowledged events of a device that belongs to this table.",
        "Two controllers speak to one device. Find the second one by the device's cable and take "
        "it off. Compare the cards on the table with the screen: what the other controller took is "
        "missing here. Put it right with what the screen lists, then "
        "`resume --by NAME --why TEXT`.",
        requirements=("SEC-01", "JKP-03"),
        of_controller=True,
        clears=Clears.NAMED,
    ),
    hold(
        "cover-open",
        "The cover of the jackpot unit is open.",
        "See who opened it and why, and close it. The round goes on where it was. If the unit says "
        "so with its cover closed, exchange it.",
        requirements=("SEC-01", "SEC-02", "SEC-03", "ERR-07"),
        of_controller=True,
        clears=Clears.ITSELF,
    ),
    notice(
        "button-stuck",
        "The jackpot button is stuck.",
        "It has been down for over five seconds. Free it. If a player leans on it, ask him not to. "
        "While it is down, no press of it can be told; if it cannot be freed, exchange the unit "
        "between rounds.",
        requirements=("ERR-06",),
    ),
    hold(
        "meter-differs",
        "The meter of the jackpot unit reads back another multiplier than was drawn.",
        "The drawn multiplier counts. Look at the meter. It shows what the screen says was drawn: "
        "`seen N`. It does not: `pay N` pays it from the screen, or `resume` has the meter told "
        "again. Have the unit exchanged after the round.",
        requirements=("JKP-03", "JKP-06"),
    ),
    hold(
        "meter-differs-later",
        "The meter of the jackpot unit reads back another multiplier than was drawn and settled.",
        "The drawn multiplier is settled: it is paid once, as the screen says, and nothing more, "
        "whatever the meter reads. Look at the meter; if players see another figure there, tell "
        "them that the drawn one counts. `resume` plays on: a meter that still reads otherwise is "
        "made dark and not told again. Have the unit exchanged after the round.",
        requirements=("JKP-03", "JKP-06"),
    ),
    hold(
        "meter-silent",
        "The meter of the jackpot unit does not report what it was told to show.",
        "The drawn multiplier counts. Look at the meter. It shows what the screen says was drawn: "
        "`seen N`. It does not: `pay N` pays it from the screen, or `resume` has the meter told "
        "again. Have the unit exchanged after the round.",
        requirements=("JKP-03", "JKP-06"),
    ),
    notice(
        "shuffler-stopped",
        "The shuffler has stopped.",
        "It has a jam, its door open, or a fault. Open it, take the cards out, count them, and "
        "start the shuffle again. The round at the table is not concerned.",
        requirements=("SHF-03",),
    ),
    notice(
        "set-incomplete",
        "A set of cards came out of the shuffler incomplete, or with a card that is not its own.",
        "The set may not be played. Have it counted by hand; when it is in order, "
        "`clear-set N --by NAME --why TEXT`, and have it shuffled again.",
        requirements=("SHF-03",),
        clears=Clears.NAMED,
    ),
)
