"""The steps of ``setup``, in order: look, choose, propose, test, ask, write, apply, start, say.

The rules:

- Nothing is written before all of it is proposed, read by the daemon's reader, shown, and told yes:
  at the terminal, or by ``--yes``.
- Nothing to change is no change: nothing is written, and nothing is asked.
- A table in play is left alone: a configuration counts from the next start, and ``--start`` starts
  nothing anew in mid-round; then nothing is written either.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Final

from controller.cli.command_line.person import PersonAtTerminal
from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.cli.output import finish, say, say_json
from controller.cli.setup.account import (
    as_json,
    found_lines,
    list_lines,
    names_lines,
    proposal_lines,
    tests_lines,
)
from controller.commissioning import questions, services
from controller.commissioning.account import Account, left_to_do
from controller.commissioning.choice import DeviceChoice, choose
from controller.commissioning.device_tests import device_tests, port_rights
from controller.commissioning.draft import enter, link, rules_with, whole
from controller.commissioning.errors import (
    BadInstruction,
    CommissioningError,
    MayNotWrite,
    StepFailed,
)
from controller.commissioning.key import KeyKeeping, listed
from controller.commissioning.port_names import read_names
from controller.commissioning.proposal import Proposal, proposal, value_of
from controller.commissioning.survey import Running, look
from controller.commissioning.this_machine import ThisMachine
from controller.commissioning.written_files import NewText, check_permitted, read, write
from controller.configuration.errors import BadConfiguration
from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.control.client import NoController
from controller.table.showing.status_fields import status_of
from controller.table.state.course import Phase

BETWEEN: Final = (Phase.IDLE, Phase.CLOSED)
CODES: Final = {BadInstruction: WRONG_USE, MayNotWrite: NOT_PERMITTED, StepFailed: NOT_WELL}


class Commissioning:
    """One run of the command; ``person`` answers its questions, None where nobody is."""

    def __init__(
        self, options: argparse.Namespace, machine: ThisMachine, person: PersonAtTerminal | None
    ) -> None:
        self._options, self._machine, self._person = options, machine, person
        self._account = Account()

    def run(self) -> int:
        """The command's exit code; raises ``NotDone``, ``BadConfiguration``."""
        try:
            return self._all()
        except CommissioningError as failed:
            raise NotDone(CODES[type(failed)], str(failed)) from failed

    def _all(self) -> int:
        options, account = self._options, self._account
        running = self._running()
        self._check_start(running)
        proposed = proposal(options.config)
        rules = read(options.udev)
        for key in options.unset:
            proposed.unset(key)
        for key, value in options.set:
            proposed.set(key, value_of(value))
        choice = self._chosen(proposed, rules or "", running)
        self._say(found_lines(account.found))
        self._say(list_lines("To be seen to", choice.problems))
        config = self._completed(proposed)
        names = rules_with(choice, options.udev, rules)
        file = NewText(options.config, proposed.before, proposed.text, keeps=True)
        account.files = [names, file]
        self._say(names_lines(names))
        self._say(proposal_lines(file, config))
        account.tests = device_tests(
            self._machine, choice.devices, config.devices
        ) + self._machine.machine_tests(config, options.credential, dry=options.dry_run)
        self._say(tests_lines(account.tests))
        told = self._told_yes()
        if told and not options.dry_run:
            self._write(choice, running)
        account.left = left_to_do(
            self._machine, account, config, running, options.credential, options.page
        )
        rest = [item for item in account.left if item not in account.problems]
        self._say(list_lines("Left to do", rest))
        if options.json:
            say_json(as_json(account))
        if not told and not options.dry_run:
            finish()
            raise NotDone(NOT_WELL, "nothing was written: say yes at a terminal, or give --yes")
        return DONE if all(test["ok"] for test in account.tests) else NOT_WELL

    def _say(self, lines: Iterable[str]) -> None:
        text = "\n".join(lines)
        if text and not self._options.json:
            say(f"{text}\n")
            finish()

    def _running(self) -> Running | None:
        """What the running controller says; None where none answers."""
        try:
            with connect(self._options) as client:
                answer = client.status()
        except NoController:
            return None
        return Running.of(answer, status_of(answer))

    def _check_start(self, running: Running | None) -> None:
        if not self._options.start or self._options.dry_run:
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
        options, account = self._options, self._account
        known = proposed.devices()
        names = read_names(rules)
        told = {name: whole(port) for name, port in options.device}
        named = [*map(whole, options.port), *told.values()]
        account.found = look(self._machine, known, names, named, options.baud, running)
        choice = choose(
            account.found,
            known,
            names,
            told,
            lambda what, places: questions.which(self._person, what, places),
        )
        enter(choice, proposed, known, options.baud)
        account.devices, account.problems = choice.devices, choice.problems
        return choice

    def _completed(self, proposed: Proposal) -> Configuration:
        """The whole configuration, what is missing asked for."""
        if self._person is not None and not self._options.dry_run and proposed.is_new:
            check_permitted([self._options.config])
        questions.complete(proposed, self._person)
        try:
            return proposed.read()
        except BadConfiguration as bad:
            more = "give what is missing with --set KEY=VALUE, or run setup at a terminal"
            hints = [*self._account.problems, *([more] if "is missing" in str(bad) else [])]
            raise NotDone(WRONG_USE, "\n".join([str(bad), *hints])) from bad

    def _told_yes(self) -> bool:
        """Whether what is proposed may be written; where nothing is, nobody is asked."""
        todo = [str(file.path) for file in self._account.files if file.differs]
        if not todo or self._options.yes:
            return True
        if self._person is None or self._options.dry_run:
            return False
        return bool(self._person.ask(f"write {' and '.join(todo)}"))

    def _write(self, choice: DeviceChoice, running: Running | None) -> None:
        account = self._account
        account.written = write(account.files)
        self._say(list_lines("Written", account.written))
        try:
            self._put_to_use(choice, running)
        except (NotDone, StepFailed) as failed:
            code = failed.code if isinstance(failed, NotDone) else NOT_WELL
            done = ", ".join(account.written) or "nothing"
            raise NotDone(code, f"{failed}\nwritten before that: {done}") from failed

    def _put_to_use(self, choice: DeviceChoice, running: Running | None) -> None:
        """Names applied, the key's page, the start."""
        options, account = self._options, self._account
        bound_now = {link(one): one.place.port for one in choice.devices.values() if one.adapter}
        if bound_now or account.files[0].differs:
            test = self._machine.apply_names(
                options.udev, bound_now, changed=account.files[0].differs
            )
            account.tests.append(test)
            self._say(tests_lines([test]))
        if (rights := port_rights(load_configuration(options.config).devices)) is not None:
            account.tests.append(rights)
            self._say(tests_lines([rights]))
        if options.page is not None:
            keeping = KeyKeeping(options.credential, options.unit, options.with_key)
            new, said = keeping.write_page(options.page, load_configuration(options.config))
            account.written += [str(options.page)] if new else []
            self._say(list_lines("Page for the safe", [said]))
        keys, said = listed(self._machine, options.config, options.credential)
        account.written += [str(keys)] if keys else []
        if said:
            self._say(list_lines("Verifier key", [said]))
        if options.start:
            now = load_configuration(options.config)
            services.start(again=running is not None and running.digest != now.digest)
            with connect(options) as client:
                status = status_of(client.status())
            account.started = True
            up = sum(one.get("link") == "up" for one in status.get("devices", {}).values())
            devices = len(status.get("devices", {}))
            said = f"table {status.get('table')}, {status.get('state')}, {up} of {devices} links up"
            self._say(list_lines("Started", [said]))
