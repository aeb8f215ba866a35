"""Faults of the controller itself: journal, program, configuration, generator, disk, memory and
clock.

The daemon finds them: at its start, before any device is contacted, and later by its watches, and
tells the table of each as a condition. Frequent changes never fill the journal: ``throttle_s``.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from controller.faults.model import Clears, Fault, Severity, hold

_MINUTE: Final = 60
_HOUR: Final = 3600

_fault = partial(Fault, of_controller=True)
_hold_by_name = partial(_fault, severity=Severity.HOLD, clears=Clears.NAMED)
_notice = partial(_fault, severity=Severity.NOTICE, clears=Clears.ITSELF)

FAULTS: Final = (
    hold(
        "power-failure",
        "The machine itself was started anew in the middle of a round, after a power cut or a "
        "crash of it. A controller that only died goes on by itself.",
        "Compare the cards and wagers on the table with the screen. The document's clause is on "
        "the screen, and which remedies it has; `resume` plays on from where it was.",
        requirements=("PWR-01", "PWR-07", "PWR-12", "PWR-16"),
    ),
    _hold_by_name(
        "journal-differs",
        "The journal does not give the same table when it is played again.",
        "1. `tablectl journal verify`. 2. `tablectl journal export`, and keep the file. 3. Compare "
        "what lies on the table with the screen; then `resume`, or another remedy that the screen "
        "lists. Report it to the maker.",
        requirements=("PWR-06", "INT-03"),
        clears=Clears.SUPERVISOR,
    ),
    _fault(
        "counters-differ",
        "The table's counters do not add up, or are not those that its journal gives.",
        "The round is finished first. The screen says which figure differs, and by how much. "
        "1. `tablectl counters --check` rebuilds all of them from the journal; write them down. "
        "2. Compare what was drawn and paid in the last rounds (`tablectl round show`) with what "
        "the dealer did. 3. `resume --by NAME --why TEXT`. Report it to the maker.",
        _MINUTE,
        ("JKP-03", "LOG-06"),
        severity=Severity.BETWEEN,
        clears=Clears.NAMED,
    ),
    _hold_by_name(
        "journal-damaged",
        "The journal of this table has been changed or damaged on its disk.",
        "No device is spoken to. 1. `tablectl journal verify` names the first bad entry. 2. Copy "
        "the state directory away as it is. 3. Recover from the second copy, or exchange the disk.",
        _MINUTE,
        ("PWR-06", "ERR-01", "ERR-03", "INT-03"),
        devices_closed=True,
        clears=Clears.CURED,
    ),
    _hold_by_name(
        "journal-not-signed",
        "The last entry of the journal is not signed with the controller's key: somebody without "
        "that key has written there.",
        "Nobody can say what of the journal is true. 1. Keep a copy of the whole state directory, "
        "of the signed heads and of the second copy as they are, and tell the inspector. 2. Where "
        "the second copy is well, stop the controller and put that in its place: `tablectl journal "
        "recover --from DIR`. 3. To go on all the same: `resume --by NAME --why TEXT`. It vouches "
        "for nothing: `journal verify` and every examination name this start for ever, the night "
        "until `tablectl nightly --accept`.",
        _MINUTE,
        ("PWR-06", "INT-02", "INT-05"),
    ),
    _hold_by_name(
        "journal-cut",
        "The end of the journal is missing: something that was acknowledged is not in it.",
        "The screen says what shows it. Compare the cards on the table with the screen; look "
        "whether the second copy goes further. Put it right with what the screen lists, then "
        "`resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-06", "PWR-07", "LOG-06"),
    ),
    _hold_by_name(
        "journal-differs-from-head",
        "The journal does not agree with its signed heads: entries are missing or were exchanged.",
        "Copy the state directory away as it is and have an inspector compare it with the exported "
        "heads. Play only with his word: `resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-06", "INT-02", "INT-03", "INT-05"),
    ),
    _hold_by_name(
        "heads-doubted",
        "Signed heads of the journal, or the key that signs them, are gone, were exchanged, or "
        "others can get at the key.",
        "A cut journal would not show by itself. 1. The screen says what it is. Heads: put their "
        "medium in. The key: put the copy that was made of it in its place; one that others may "
        "read: `chmod 600` if it was only ever on this machine. Start the controller again. 2. If "
        "they are lost, have an inspector compare the journal with what was exported or written "
        "down, and write down the new key (`tablectl journal key`). To go on: "
        "`resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-06", "INT-02", "INT-05"),
    ),
    _notice(
        "heads-failing",
        "The signed heads of the journal cannot be written to their place.",
        "Look whether the medium is there, is not full and may be written by the controller. Play "
        "goes on; until it is mended a cut journal would show less well.",
        10 * _MINUTE,
        ("PWR-09", "INT-05"),
    ),
    _hold_by_name(
        "journal-behind-copy",
        "The journal ends before its second copy does: entries that were made are missing in it.",
        "Stop the controller, copy both away as they are, and recover the journal from the copy. "
        "To go on without those entries: `resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-09", "INT-04"),
    ),
    _fault(
        "journal-behind-witness",
        "A witness has cosigned more of this log than the journal has: the journal was put back.",
        "Copy the state directory away as it is and have an inspector compare both: `tablectl "
        "journal witness` says what each witness cosigned, and witnesses keep it. After an honest "
        "loss recover the journal from its second copy; where there is none begin another log "
        "(`tablectl journal key --install --new`). A witness's answer has no signature: where the "
        "screen shows no cosignature, ask the witness's operator. Then "
        "`resume --by NAME --why TEXT`.",
        10 * _MINUTE,
        ("PWR-06", "INT-02", "INT-05"),
        severity=Severity.BETWEEN,
        clears=Clears.NAMED,
    ),
    _fault(
        "journal-differs-from-witness",
        "A witness knows another history of this log than the journal has.",
        "Copy the state directory away as it is and have an inspector compare it with what the "
        "witness has. Look whether another box signs with the same key. A witness's answer has no "
        "signature: ask its operator. Then `resume --by NAME --why TEXT`.",
        10 * _MINUTE,
        ("PWR-06", "INT-02", "INT-05"),
        severity=Severity.BETWEEN,
        clears=Clears.NAMED,
    ),
    _notice(
        "witness-silent",
        "A witness does not cosign the journal.",
        "Play goes on. The screen says what it answered, docs/technician.md what that means. "
        "Nothing was told of it: `systemctl status table-controller-witness`. No answer: look at "
        "the network. 404 or 403: give its operator the log's key (`tablectl journal checkpoint "
        "--vkey`).",
        _HOUR,
        ("INT-05",),
    ),
    _hold_by_name(
        "journal-recovered",
        "The journal was recovered from a copy; what was entered last may be missing.",
        "The second copy may have been behind, by a fifth of a second or by more if it was "
        "failing; what came from the floor ends with a round, or earlier. "
        "Compare the cards and wagers on the table, and what was paid, with the screen. Put it "
        "right with what the screen lists, then `resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-06", "PWR-07", "PWR-09"),
    ),
    _hold_by_name(
        "copy-differs",
        "The second copy of the journal tells another story than the journal.",
        "Copy both away as they are; `tablectl journal verify` on each says which is whole. Put "
        "a new medium in for the copy, then `resume --by NAME --why TEXT`.",
        _MINUTE,
        ("PWR-09", "INT-03"),
    ),
    _notice(
        "copy-failing",
        "The second copy of the journal cannot be written.",
        "Look whether its medium is there and not full; put in another one. Play goes on with the "
        "journal alone; the copy catches up by itself. Where the screen says that the copy is "
        "damaged: move its directory away, keep it, and start the controller; a new copy is begun.",
        10 * _MINUTE,
        ("PWR-09", "INT-04"),
    ),
    _notice(
        "copy-damaged",
        "The second copy of the journal has been changed or damaged on its medium.",
        "Play goes on; the journal could not be recovered from this copy. Between rounds stop the "
        "controller, move the copy's directory away and keep it, put in another medium, and start; "
        "a new copy is begun. It ends when that is level, or when a whole look over a copy that "
        "was not begun anew finds nothing.",
        10 * _MINUTE,
        ("PWR-09", "ERR-01", "INT-04"),
    ),
    _notice(
        "copy-same-medium",
        "What is kept apart from the journal lies on the journal's own disk, and is lost with it.",
        "The screen names the directory. Look whether its medium is mounted, or put another one "
        "in; then start the controller. Play goes on.",
        _HOUR,
        ("PWR-09",),
    ),
    _hold_by_name(
        "program-changed",
        "The program is another one than at the last stop.",
        "Compare the version and digest on the screen with those of the approved program. If they "
        "agree, `resume --by NAME --why TEXT`; if not, call the technician.",
        _MINUTE,
        ("PWR-08", "INT-01", "INT-07", "LAW-02"),
    ),
    _hold_by_name(
        "program-damaged",
        "A file of the program is missing, is not as it was installed, or does not belong there.",
        "No device is spoken to. The screen names the file. Install the approved program again and "
        "start the controller.",
        _MINUTE,
        ("PWR-05", "PWR-15", "ERR-03", "INT-05"),
        devices_closed=True,
        clears=Clears.CURED,
    ),
    _hold_by_name(
        "configuration-changed",
        "The configuration is another one than at the last stop.",
        "The screen says what has changed. If it was meant, `resume --by NAME --why TEXT`; if not, "
        "put the former file back and start the controller.",
        _MINUTE,
        ("PWR-08", "PWR-13", "SEC-08", "JKP-02", "LOG-03", "LAW-02"),
    ),
    _hold_by_name(
        "generator-failed",
        "The generator of the multiplier has failed a health test.",
        "Nothing is drawn. 1. `tablectl draw test`. 2. Start the machine anew. 3. If it fails "
        "again, exchange the machine; until then play without the Pandemonium wager is not "
        "possible here.",
        _MINUTE,
        ("RNG-03", "RNG-15", "JKP-03"),
        clears=Clears.CURED,
    ),
    _hold_by_name(
        "self-test-failed",
        "A self-test of the box could not be carried out at its start.",
        "No device is spoken to. The screen says which test and why. Start the controller again; "
        "if it fails again, exchange the machine.",
        _MINUTE,
        ("PWR-04", "PWR-13", "PWR-15", "ERR-03"),
        devices_closed=True,
        clears=Clears.CURED,
    ),
    _notice(
        "disk-low",
        "A disk of the table is filling up.",
        "Play goes on. The screen says which one, and for how many days it lasts. Archive old "
        "entries or put in a larger medium within that time.",
        _HOUR,
        ("ERR-02",),
    ),
    _fault(
        "disk-full-soon",
        "The disk with the journal is nearly full.",
        "The round is finished first; what it needs is kept free. Make room: remove files that do "
        "not belong there, archive old entries. Play goes on by itself when there is room.",
        10 * _MINUTE,
        ("ERR-02", "PWR-11"),
        severity=Severity.BETWEEN,
        clears=Clears.ITSELF,
    ),
    _notice(
        "disk-unknown",
        "A disk of the table does not say how much room it has.",
        "Look whether its medium is mounted and readable. Play goes on as long as entries can be "
        "written. A disk that was found full counts as full until it answers.",
        _HOUR,
        ("ERR-02",),
    ),
    _notice(
        "disk-slow",
        "The disk with the journal is slow: everything that is entered waits for it.",
        "Play goes on and nothing is lost. Wait for each answer and enter nothing twice. If it "
        "lasts, have the technician look at the disk between rounds: a memory card that is worn "
        "out does this (`tablectl ready` says what it tells of its wear, `dmesg` what the kernel "
        "found); put another one in. It ends by itself when a minute of play was stored quickly.",
        10 * _MINUTE,
        ("ERR-02",),
        in_play=True,
    ),
    _notice(
        "memory-low",
        "Main memory of the box is running low.",
        "Play goes on. The screen says how much is left and how much the controller itself takes. "
        "If it is the controller that has grown, stop and start it between rounds and report it to "
        "the maker; if not, end what else runs on the machine.",
        _HOUR,
        ("ERR-02",),
    ),
    _fault(
        "memory-full-soon",
        "Main memory of the box is nearly used up.",
        "The round is finished first. End what else runs on the machine, or stop and start the "
        "controller: between rounds nothing is lost. Play goes on by itself when there is room.",
        10 * _MINUTE,
        ("ERR-02", "PWR-11"),
        severity=Severity.BETWEEN,
        clears=Clears.ITSELF,
    ),
    _notice(
        "memory-unknown",
        "The box does not say how much main memory it has left.",
        "Report the words on the screen to the technician. Play goes on; where it is held because "
        "there is little left, it stays held until the machine says that there is more.",
        _HOUR,
        ("ERR-02",),
    ),
    _fault(
        "clock-stepped",
        "The clock of the box has jumped.",
        "Nothing is to be done if the time was set, or a time server was found. Play goes by the "
        "order of events, not by the clock; times in the journal before and after do not compare.",
        _MINUTE,
        ("LOG-03",),
        severity=Severity.REMARK,
        clears=Clears.ITSELF,
    ),
    _notice(
        "clock-unset",
        "The clock of the box shows a time that has passed already.",
        "Compare it with a watch. If it is wrong, set it, or look why the time server is not "
        "reached; if it happens after every power cut, the clock's battery is empty. If it is "
        "right, the clock was ahead before: between rounds a supervisor accepts it, "
        '`tablectl supervisor "resume" --by NAME --why TEXT`. Play goes by the order of events '
        "meanwhile.",
        _HOUR,
        ("LOG-03", "PWR-10"),
    ),
    _notice(
        "clock-ahead",
        "The clock of the box is far ahead of where it was.",
        "Compare it with a watch. If it is wrong, set it before play: entries are given that time. "
        "If it is right, between rounds a supervisor accepts it, "
        '`tablectl supervisor "resume" --by NAME --why TEXT`; it ends by itself when a time server '
        "is reached. Play goes by the order of events meanwhile.",
        _HOUR,
        ("LOG-03", "PWR-10"),
    ),
    _notice(
        "zone-unknown",
        "The time zone of the machine is not known.",
        "The technician installs the zones, `apt install tzdata` (`tzdata-legacy` has old names), "
        "or names one that is there, as Asia/Singapore. Play goes on; until then no report on a "
        "gaming day is made, and times are shown in UTC.",
        _HOUR,
        ("LOG-03",),
    ),
    _notice(
        "link-flapping",
        "A device comes and goes many times a minute.",
        "Push its cable home at both ends and exchange it; look at the device's power supply.",
        _MINUTE,
        ("ERR-04", "JKP-03"),
    ),
    _notice(
        "device-floods",
        "A device reports far more events than any device of a table does.",
        "Play goes on. The screen says which device, and how fast it reported; it is slowed, "
        "nothing of it is lost, and the other devices do not wait for it. Exchange it, or pull "
        "its cable where play does not need it: every event takes room on the disk. It ends a "
        "minute after the device is quiet.",
        _MINUTE,
        ("ERR-02", "ERR-04"),
    ),
    _hold_by_name(
        "unknown-fault",
        "The box reports a fault that is not in this version's catalogue.",
        "The screen gives the fault's own name and words. Call the technician; `resume` lets play "
        "go on.",
        _MINUTE,
        ("ERR-04",),
        clears=Clears.SUPERVISOR,
    ),
)
