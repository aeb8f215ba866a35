"""All that ``setup`` found, proposed and did, and what is left to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import TestOutcome, is_there
from controller.commissioning.place import DevicePlace
from controller.commissioning.survey import Running
from controller.commissioning.this_machine import SERVICE, ThisMachine
from controller.commissioning.written_files import NewText
from controller.configuration.model import Configuration

PEOPLE = "usermod -aG {group} NAME"


@dataclass(slots=True)
class Account:
    """All that was found, proposed and done."""

    found: list[DevicePlace] = field(default_factory=list)
    devices: dict[str, Chosen] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    files: list[NewText] = field(default_factory=list)
    """The rules for udev and the configuration."""
    tests: list[TestOutcome] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    started: bool = False


def left_to_do(
    machine: ThisMachine,
    account: Account,
    config: Configuration,
    running: Running | None,
    credential: Path,
    page: Path | None,
) -> list[str]:
    """What is left to do, in the order in which it is done: a sentence each, with the command."""
    return [
        *account.problems,
        *_devices(account),
        *_people(machine, config),
        *_house(config),
        *_key(account, credential, page),
        *_start(account, config, running),
        "before the table is opened: tablectl ready",
    ]


def _devices(account: Account) -> Iterator[str]:
    for test in account.tests:
        if not test["ok"]:
            yield f"{test['name']} is not well: {test['what']}"


def _people(machine: ThisMachine, config: Configuration) -> Iterator[str]:
    control = config.control
    for name in machine.without_people((control.dealers, control.supervisors)):
        yield f"nobody is in the group {name}: {PEOPLE.format(group=name)}, who then logs in again"


def _house(config: Configuration) -> Iterator[str]:
    if config.weights is not None:
        yield (
            f"compare the weights {config.weights.identity[:12]} and their odds with the house's "
            "approval"
        )
    if not all(config.approved.digests.values()):
        yield (
            "not all is approved yet: --set approved.program=DIGEST --set approved.rules=DIGEST "
            "--set approved.readings=DIGEST, of 'tablectl program --json', 'tablectl rules show ID "
            "--json' and the sheet that the house signs, 'tablectl rules readings ID --html FILE'"
        )


def _key(account: Account, credential: Path, page: Path | None) -> Iterator[str]:
    if str(page) in account.written:
        yield f"bring the page {page} to the safe, and take the file off the stick"
    elif is_there(credential) is False:
        yield "install the key, before the first start: tablectl setup --page FILE"


def _start(account: Account, config: Configuration, running: Running | None) -> Iterator[str]:
    if account.started:
        return
    changed = any(file.differs for file in account.files[1:])
    if running is None:
        yield f"start it: systemctl enable --now {SERVICE}"
    elif changed or running.digest != config.digest:
        yield f"what is new counts from the next start, between rounds: systemctl restart {SERVICE}"
