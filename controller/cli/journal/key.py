"""``journal key``: which key signs the journal; and ``key --install``, where it is put.

The rules of installing (:mod:`controller.evidence.keys.installation` has its steps):

- The key is made, or taken over from the file of ``[state] key``, or from the page of the house's
  safe (``--from``). Keys that differ are never decided between.
- It is at one place at least, durably, whenever the command is cut off; given again, it goes on.
- A page is written once, of a key that is not installed yet; nothing is written over.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from controller.cli.arguments import add_option
from controller.cli.group import Group
from controller.cli.journal.sources import opened
from controller.cli.output import DONE, print_answer
from controller.configuration.model import KEY, STATE_DIRECTORY
from controller.evidence.keys.credential import BINDINGS
from controller.evidence.keys.installation import prepare
from controller.evidence.trust import named_keys
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns

CONFIGURATION: Final = Path("/etc/table-controller/table.toml")
STORE: Final = Path("/etc/credstore.encrypted/table-controller.key")
UNIT: Final = Path("/etc/systemd/system/table-controller.service.d")

LEFT: Final = (
    "the plain file was overwritten and removed; flash, file systems that write elsewhere and "
    "earlier backups may still have what it held: destroy those backups, and this disk when it is "
    "discarded"
)


def register(group: Group) -> None:
    """Add the command."""
    key = group.command("key", _key, "The public key with which the controller signs")
    add_option(
        key,
        "--install",
        "make the key, or take it over, as a credential of systemd; the controller is stopped",
    )
    add_option(
        key,
        "--prepare",
        "a key for a box that has none yet, without a page: what the package does; no "
        "configuration is needed, and 'setup --page' makes another one with its page",
    )
    add_option(key, "--export FILE", "the page for the house's safe")
    add_option(key, "--from FILE", "install the key on such a page", dest="page")
    add_option(
        key,
        "--new",
        "make another key than the journal names, which is lost; the table is then held",
    )
    add_option(
        key,
        "--with-key",
        "what it is encrypted with; auto: with the machine's TPM2 where there is one",
        choices=BINDINGS,
        default="auto",
    )
    add_option(key, "--config FILE", "the configuration", default=CONFIGURATION)
    add_option(key, "--credential FILE", "where it is stored", default=STORE)
    add_option(key, "--unit DIR", "of its drop-ins", default=UNIT)


def _key(options: argparse.Namespace) -> int:
    if options.prepare:
        return _prepare(options)
    if options.install:
        return _install(options)
    if options.export or options.page or options.new:
        raise NotDone(WRONG_USE, "--export, --from and --new go with --install")
    with opened(options) as reader:
        key, kept = next(named_keys(reader), (None, None))
    if key is None:
        raise NotDone(NOT_WELL, "the last start record names no key: no heads are signed")
    fields = {"key": key.text, "fingerprint": key.fingerprint, "kept": kept}
    print_answer(options, fields, _columned((name, value or "-") for name, value in fields.items()))
    return DONE


def _install(options: argparse.Namespace) -> int:
    from controller.commissioning.key import KeyKeeping

    if options.state is not None:
        raise NotDone(
            WRONG_USE, "--install finds the state directory in the configuration: use --config"
        )
    keeping = KeyKeeping(options.credential, options.unit, options.with_key)
    done = keeping.install(
        options.config, page=options.page, export=options.export, new=options.new
    )
    said = _columned((name, value) for name, value in done.items() if value)
    safe = "bring the page to the safe. After the start 'tablectl journal key' names this key"
    print_answer(options, done, [*said, *([LEFT] if done["removed"] else []), safe])
    return DONE


def _prepare(options: argparse.Namespace) -> int:
    state = Path(options.state or STATE_DIRECTORY)
    done = prepare(
        options.config, state, state / KEY, options.credential, options.unit, options.with_key
    )
    print_answer(options, done, _columned(done.items()))
    return DONE


def _columned(fields: Iterable[tuple[str, object]]) -> Iterator[str]:
    yield columns(fields, indent="")
