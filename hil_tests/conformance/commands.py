"""Section 3: commands and their answers, HELLO first, and a controller that falls silent."""

from __future__ import annotations

import time

from drivers.table_link.messages import ANSWER_BIT, COMMANDS, SPECS, Role
from drivers.table_link.timing import ANSWER_WITHIN_S, GONE_AFTER_S
from hil_tests.conformance.catalogue import demands
from hil_tests.conformance.controller import LARGEST_ID, NOTHING, ONCE_S, Controller
from hil_tests.conformance.judge import NotMade
from hil_tests.conformance.restarts import goes_on_or_begins
from hil_tests.conformance.subject import WELL_GONE_S, Subject

ALMOST_GONE_S = GONE_AFTER_S - 0.5
PINGS = 20
LATE = 2
"""The number of them that may be late: the machine that examines is no device and is busier."""

TRIES = 3
ALIKE = "the answer of before to a repeated command, byte by byte"
REMEMBERED = 8
UNKNOWN_TYPES = (0x00, 0x07, 0x0F, 0x30, 0x3F, 0x7E)


@demands("section 3, HELLO")
def the_answer_to_hello(controller: Controller) -> None:
    """Sections 3 and 5: HELLO tells its kind, minor 0, a session that is not 0, a serial number
    in printable ASCII, and the same when asked again."""
    hello = controller.greet()
    kind = ("shoe", "shuffler", "jackpot", "keypad").index(controller.kind) + 1
    controller.expect(hello["kind"] == kind, f"kind={kind}, a {controller.kind}")
    controller.expect(hello["minor"] == 0, "minor=0")
    controller.expect(hello["session_id"] != 0, "a session_id that is not 0")
    serial = str(hello["serial"])
    good = serial and serial.isascii() and serial.isprintable()
    controller.expect(good, "a serial number in printable ASCII, not empty")
    again = controller.greet()
    controller.expect(again == hello, "two HELLOs that confirm nothing to be answered alike")


@demands("section 3, commands")
def an_answer_has_its_commands_id(controller: Controller) -> None:
    """Section 3: an answer has its command's id, which goes up to 65535 and begins again at 1."""
    for command_id in (1, 2, 0x7FFF, 0x8000, LARGEST_ID):
        controller.waits_for(command_id)
        controller.answered(controller.send_command("PING", command_id=command_id), "PING")


@demands("section 3, commands")
def an_unknown_type_gets_nak_1(controller: Controller) -> None:
    """Section 3: types that nobody has, and those of other kinds of device, get NAK 1."""
    others = [
        spec
        for spec in SPECS.values()
        if spec.role is Role.COMMAND and controller.kind not in spec.kinds
    ]
    wanted = [(number, b"") for number in UNKNOWN_TYPES]
    wanted += [(spec.type, bytes(spec.layout.size)) for spec in others]
    for number, body in wanted:
        message = controller.answered(controller.say_type(number, body)).message
        controller.expect(
            message.name == "NAK" and message.fields == {"code": 1, "refused": number},
            f"NAK 1 (unknown type) for type {number:#04x}, which a {controller.kind} does not have",
        )


@demands("section 3, commands")
def a_repeated_command_gets_the_same_answer(controller: Controller) -> None:
    """Section 3: a repeated PING gets the answer of before, though its time is another by now."""
    payload = controller.send_command("PING")
    first = controller.answered(payload, "PING")
    for _ in range(3):
        controller.listen(0.02)
        controller.send(payload)
        again = controller.once(payload, "the repeated PING to be answered")
        controller.expect(again.payload == first.payload, ALIKE)


@demands("section 3, commands")
def eight_answers_are_remembered(controller: Controller) -> None:
    """Section 3: the first of the last eight answers is given again as it was."""
    payloads = [controller.send_command("PING")]
    first = controller.answered(payloads[0], "PING")
    for _ in range(REMEMBERED - 1):
        controller.listen(0.01)
        payloads.append(controller.send_command("PING"))
        controller.answered(payloads[-1], "PING")
    controller.send(payloads[0])
    again = controller.once(payloads[0], "the first of eight PINGs to be answered again")
    controller.expect(again.payload == first.payload, f"{ALIKE}, the first of eight")


@demands("section 3, commands", kinds=("shoe", "jackpot", "shuffler"))
def a_repeated_command_is_not_done_again(subject: Subject, controller: Controller) -> None:
    """Section 3: a command that is taken back and repeated under its old id stays taken back."""
    offer = subject.next_offer()
    todo = {
        "shoe": (("GATE", {"unlocked": 1, "cards": 0}), ("GATE", {"unlocked": 0, "cards": 0})),
        "jackpot": (("ARM", {"offer_id": offer, "box": 1}), ("DISARM", {"offer_id": offer})),
        "shuffler": (("START", {"set": 1}), ("ABORT", {})),
    }
    do, undo = todo[controller.kind]
    payload = controller.send_command(do[0], do[1])
    first = controller.answered(payload, do[0])
    carried_out = first.message.type == COMMANDS[do[0]].type | ANSWER_BIT
    controller.expect(carried_out, f"{do[0]} to be carried out, not refused")
    controller.carry_out(undo[0], **undo[1])
    before = controller.carry_out("PING")["state"]
    controller.send(payload)
    controller.once(payload, f"the repeated {do[0]} to be answered")
    wanted = f"the state of before, as a repeated {do[0]} is answered and not carried out again"
    controller.shows("PING", wanted, state=before)


@demands("section 3, HELLO")
def hello_empties_the_memory_of_answers(controller: Controller) -> None:
    """Section 3: behind HELLO an id from before is a new command: PING tells the time of now."""
    payload = controller.send_command("PING")
    first = controller.answered(payload, "PING").message.fields
    controller.greet(controller.session, controller.stored)
    controller.listen(0.05)
    controller.send(payload)
    again = controller.once(payload, "an id from before HELLO to be answered").message
    afresh = again.fields.get("uptime_ms") != first["uptime_ms"]
    controller.expect(afresh, "another uptime_ms, as HELLO has emptied the memory of answers")


@demands("section 3, HELLO")
def a_repeated_hello_is_answered_afresh(controller: Controller) -> None:
    """Section 3: HELLO is answered each time it comes, also when it is repeated."""
    payload = controller.send_command("HELLO", NOTHING)
    controller.answered(payload, "HELLO")
    controller.send(payload)
    controller.once(payload, "a repeated HELLO to be answered afresh")


@demands("section 3, timing")
def answers_come_in_time(controller: Controller) -> None:
    """Section 3: PING is answered within 150 ms; behind that the controller repeats itself."""
    took = []
    for _ in range(PINGS):
        began = time.monotonic()
        heard = controller.answer(controller.send_command("PING"), within_s=1.0)
        took.append(heard.at - began if heard else 1.0)
    late = [each for each in took if each > ANSWER_WITHIN_S]
    slowest = f"{len(late)} of {PINGS} took longer, the slowest {max(took) * 1000:.0f} ms"
    controller.expect(len(late) <= LATE, f"PING to be answered within 150 ms; {slowest}")


@demands("section 3, timing")
def a_long_command_is_answered_once(controller: Controller) -> None:
    """Section 3: SELF_TEST has 5 s; repeated while it runs it is ignored, and answered once."""
    payload = controller.send_command("SELF_TEST")
    controller.send(payload)
    first = controller.answered(payload, "SELF_TEST")
    controller.expect(first.message.name == "SELF_TEST", "SELF_TEST to be carried out")
    second = controller.answer(payload, within_s=0.1)
    if second is not None:  # the repetition came behind the answer: it is given from memory
        controller.expect(second.payload == first.payload, ALIKE)


@demands("section 5, every device")
def authenticate_depends_on_the_nonce(controller: Controller) -> None:
    """Section 5: AUTHENTICATE gives the same digest for the same nonce, another for another."""
    one, other = "00" * 16, "00" * 15 + "01"
    digests = [
        str(controller.carry_out("AUTHENTICATE", nonce=nonce)["digest"]) for nonce in (one, other)
    ]
    controller.expect(digests[0] != digests[1], "another digest for another nonce")
    same = controller.carry_out("AUTHENTICATE", nonce=one)["digest"] == digests[0]
    controller.expect(same, f"the digest of before, {digests[0]}, for the same nonce")


@demands("section 3, alive")
def a_controller_that_is_slow_is_not_gone(controller: Controller) -> None:
    """Section 3: a controller is served until there was no valid payload for 2 s."""
    for _ in range(TRIES):
        controller.greet(controller.session, controller.stored)
        began = time.monotonic()
        controller.carry_out("PING")
        controller.listen(ALMOST_GONE_S)
        heard = controller.answered(controller.send_command("PING"), "PING")
        if heard.at - began < GONE_AFTER_S:
            break
    else:
        raise NotMade("the machine that examines, or the device's answer, is too slow to tell")
    served = heard.message.name == "PING"
    controller.expect(served, f"PING to be served after {ALMOST_GONE_S:g} s of silence")


@demands("section 3, alive")
def only_valid_payloads_count_as_life(controller: Controller) -> None:
    """Section 3: after 2 s of noise and no valid payload the device wants HELLO first."""
    controller.carry_out("PING")
    for _ in range(10):
        controller.listen(WELL_GONE_S / 10)
        controller.send(bytes(range(1, 21)))
    controller.refused(6, f"{WELL_GONE_S:g} s without a valid payload", "PING")
    controller.greet(controller.session, controller.stored)
    controller.carry_out("PING")


@demands("section 3, HELLO")
def hello_is_first(subject: Subject, controller: Controller) -> None:
    """Section 3: before HELLO NAK 6 for everything, known or not, of whatever length; HELLO of a
    wrong length NAK 2; EVENT_ACK is ignored."""
    controller.listen(WELL_GONE_S)
    controller.refused(6, "its controller was gone, and has not said HELLO", "PING")
    commands = [(0x30, b""), (COMMANDS["SELF_TEST"].type, b"\0"), (COMMANDS["RESET"].type, b"\0")]
    for number, body in commands:
        message = controller.answered(controller.say_type(number, body)).message
        controller.expect(
            message.fields == {"code": 6, "refused": number},
            f"NAK 6 (HELLO first) for type {number:#04x}, known or not, of whatever length",
        )
    short = controller.answered(controller.say_type(COMMANDS["HELLO"].type, b"\0")).message
    controller.expect(
        short.fields == {"code": 2, "refused": COMMANDS["HELLO"].type},
        "NAK 2 (bad body) for a HELLO of the wrong length",
    )
    controller.acknowledge(controller.last)
    controller.refused(6, "nothing but HELLO begins the conversation", "PING")
    controller.greet(controller.session, controller.stored)
    controller.carry_out("PING")


@demands("section 3, RESET")
def a_reset_device_wants_hello_and_keeps_its_session(
    subject: Subject, controller: Controller
) -> None:
    """Sections 3 and 4: RESET is answered or met with silence. Then the device may be silent, and
    its port may go and come: this run's grace is 30 s, the document gives none. Its first answer
    to anything but HELLO is NAK 6. The same session goes on with the same numbers and what was
    not acknowledged; another one begins with 1 and the present state."""
    kept = subject.make_event_by_command(controller)
    session, last = controller.session, controller.last
    payload = controller.send_command("RESET")
    controller.answer(payload, ONCE_S)
    controller.line.close()
    fresh = subject.restarted()
    try:
        goes_on_or_begins(subject, fresh, session, last, kept)
    finally:
        subject.end_check(fresh, "behind RESET")
