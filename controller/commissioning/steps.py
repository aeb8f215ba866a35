"""The steps of commissioning, in order: look, choose, propose, test, ask, write, apply, start.

The rules:

- Nothing is written before all of it is proposed, read by the daemon's reader, shown, and told yes:
  by the person, or beforehand (``yes``).
- Nothing to change is no change: nothing is written, and nothing is asked.
- A table in play is left alone: a configuration counts from the next start, and ``start`` starts
  nothing anew in mid-round; then nothing is written either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from controller.commissioning import questions, this_machine
from controller.commissioning.account import (
    Account,
    file_lines,
    left_to_do,
    listed,
    name_lines,
    place_lines,
    test_lines,
)
from controller.commissioning.choice import DeviceChoice, choose
from controller.commissioning.key import KeyKeeping, add_installed_key
from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.place import read_names
from controller.commissioning.proposal import (
    Proposal,
    enter,
    full_port,
    link,
    proposal,
    rules_with,
    value_of,
)
from controller.commissioning.survey import (
    Running,
    device_tests,
    port_rights,
    running_at,
    survey_places,
)
from controller.commissioning.this_machine import ThisMachine
from controller.commissioning.written_files import NewText, check_permitted, read_text, write
from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.control.client import ControlClient
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.table.showing.status_fields import status_of
from controller.table.state.parts import Phase

BETWEEN: Final = (Phase.IDLE, Phase.CLOSED)


@dataclass(frozen=True, slots=True)
class WantedTable:
    """What somebody wants of commissioning.

    ``config`` and ``udev`` are the files that are written; keys are taken out (``unset``) and given
    values (``set``); a ``device`` is at a port, further ports are asked (``port``), those on
    serial lines with that speed (``baud``). ``credential``, ``unit``, ``with_key``: how the key is
    kept; ``page``: it is installed, and its page written there. ``yes``: nobody is asked whether to
    write; ``dry_run``: nothing is written; ``start``: the service is started at the end.
    """

    config: Path
    udev: Path
    unset: Sequence[str]
    set: Sequence[tuple[str, str]]
    device: Sequence[tuple[str, str]]
    port: Sequence[str]
    baud: int
    credential: Path
    unit: Path
    with_key: str
    page: Path | None
    yes: bool
    dry_run: bool
    start: bool


class Commissioning:
    """One run; ``person`` answers its questions, None where nobody is. ``socket`` is that of the
    controller, which may run already. Each step that is done is told, in the lines of a section;
    ``words`` are those of a configuration."""

    def __init__(
        self,
        wanted: WantedTable,
        socket: Path,
        machine: ThisMachine,
        person: PersonAtTerminal | None,
        tell: Callable[[Iterable[str]], None],
        words: Callable[[Configuration], Iterable[str]],
    ) -> None:
        self._wanted, self._socket, self._machine = wanted, socket, machine
        self._person, self._tell, self._words = person, tell, words
        self.account = Account()

    def set_up_table(self) -> bool:
        """Whether all that was wanted was done, or needed no doing; what was found and done is in
        the ``account``. Raises ``NotDone`` where it ends on the way."""
        wanted, account, tell = self._wanted, self.account, self._tell
        running = running_at(self._socket)
        self._check_start(running)
        proposed = proposal(wanted.config)
        rules = read_text(wanted.udev)
        for key in wanted.unset:
            proposed.unset(key)
        for key, value in wanted.set:
            proposed.set(key, value_of(value))
        choice = self._chosen(proposed, rules or "", running)
        tell(place_lines(account.found))
        tell(listed("To be seen to", choice.problems))
        config = self._completed(proposed)
        names = rules_with(choice, wanted.udev, rules)
        file = NewText(wanted.config, proposed.before, proposed.text, keeps=True)
        account.files = [names, file]
        tell(name_lines(names))
        tell([*file_lines(file), "", *self._words(config)])
        account.tests = device_tests(
            self._machine, choice.devices, config.devices
        ) + self._machine.machine_tests(config, wanted.credential, dry=wanted.dry_run)
        tell(test_lines(account.tests))
        told = self._told_yes()
        if told and not wanted.dry_run:
            self._write(choice, running)
        left = left_to_do(self._machine, account, config, running, wanted.credential, wanted.page)
        account.left = list(left)
        rest = [item for item in account.left if item not in account.problems]
        tell(listed("Left to do", rest))
        return told or wanted.dry_run

    def _check_start(self, running: Running | None) -> None:
        if not self._wanted.start or self._wanted.dry_run:
            return
        if running is not None and running.state not in BETWEEN:
            raise NotDone(
                NOT_PERMITTED,
                f"a round is not over ({running.state}), and --start would begin the table anew: "
                "nothing was written. Give it between rounds, or without --start",
            )
        if not self._machine.booted():
            raise NotDone(NOT_WELL, "systemd does not run this machine: give it without --start")

    def _chosen(self, proposed: Proposal, rules: str, running: Running | None) -> DeviceChoice:
        """Look, choose, and put into the proposal how it gets to each device."""
        wanted, account = self._wanted, self.account
        known = proposed.devices()
        names = read_names(rules)
        told = {name: full_port(port) for name, port in wanted.device}
        named = [*map(full_port, wanted.port), *told.values()]
        account.found = survey_places(self._machine, known, names, named, wanted.baud, running)
        which = partial(questions.which, self._person)
        choice = choose(account.found, known, names, told, which)
        enter(choice, proposed, known, wanted.baud)
        account.devices, account.problems = choice.devices, choice.problems
        return choice

    def _completed(self, proposed: Proposal) -> Configuration:
        if self._person is not None and not self._wanted.dry_run and proposed.is_new:
            check_permitted([self._wanted.config])
        questions.complete(proposed, self._person)
        try:
            return proposed.read_configuration()
        except BadConfiguration as bad:
            more = "give what is missing with --set KEY=VALUE, or run setup at a terminal"
            hints = [*self.account.problems, *([more] if "is missing" in str(bad) else [])]
            raise NotDone(WRONG_USE, "\n".join([str(bad), *hints])) from bad

    def _told_yes(self) -> bool:
        """Whether what is proposed may be written; where nothing is, nobody is asked."""
        todo = [str(file.path) for file in self.account.files if file.differs]
        if not todo or self._wanted.yes:
            return True
        if self._person is None or self._wanted.dry_run:
            return False
        return bool(self._person.confirm(f"write {' and '.join(todo)}"))

    def _write(self, choice: DeviceChoice, running: Running | None) -> None:
        account = self.account
        account.written = write(account.files)
        self._tell(listed("Written", account.written))
        try:
            self._put_to_use(choice, running)
        except NotDone as failed:
            done = ", ".join(account.written) or "nothing"
            raise NotDone(failed.code, f"{failed}\nwritten before that: {done}") from failed

    def _put_to_use(self, choice: DeviceChoice, running: Running | None) -> None:
        wanted, account = self._wanted, self.account
        bound_now = {link(one): one.place.port for one in choice.devices.values() if one.adapter}
        if bound_now or account.files[0].differs:
            test = self._machine.apply_names(
                wanted.udev, bound_now, changed=account.files[0].differs
            )
            account.tests.append(test)
            self._tell(test_lines([test]))
        config = load_configuration(wanted.config)
        if (rights := port_rights(config.devices)) is not None:
            account.tests.append(rights)
            self._tell(test_lines([rights]))
        if wanted.page is not None:
            keeping = KeyKeeping(wanted.credential, wanted.unit, wanted.with_key)
            new, said = keeping.write_page(wanted.page, config)
            account.written += [str(wanted.page)] if new else []
            self._tell(listed("Page for the safe", [said]))
        keys, said = add_installed_key(self._machine, wanted.config, wanted.credential)
        account.written += [str(keys)] if keys else []
        if said:
            self._tell(listed("Verifier key", [said]))
        if wanted.start:
            this_machine.start(again=running is not None and running.digest != config.digest)
            with ControlClient(self._socket) as client:
                status = status_of(client.status())
            account.started = True
            up = sum(one.get("link") == "up" for one in status.get("devices", {}).values())
            devices = len(status.get("devices", {}))
            said = f"table {status.get('table')}, {status.get('state')}, {up} of {devices} links up"
            self._tell(listed("Started", [said]))
