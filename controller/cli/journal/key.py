"""``journal key``: which key signs the journal; and ``key --install``, where it is put.

The rules of installing (:mod:`controller.evidence.keys.installation` has its steps):

- The key is made, or taken over from the file of ``[state] key``, or from the page of the house's
  safe (``--from``). Keys that differ are never decided between.
- It is at one place at least, durably, whenever the command is cut off; given again, it goes on.
- A page is written once, of a key that is not installed yet; nothing is written over.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.opened import opened
from controller.cli.output import say, say_json
from controller.evidence.keys.credential import BINDINGS
from controller.plain_text import columns

if TYPE_CHECKING:
    from controller.cli.group import Group

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
    key.add_argument(
        "--install",
        action="store_true",
        help="make the key, or take it over, as a credential of systemd; the controller is stopped",
    )
    key.add_argument(
        "--prepare",
        action="store_true",
        help="a key for a box that has none yet, without a page: what the package does; no "
        "configuration is needed, and 'setup --page' makes another one with its page",
    )
    key.add_argument("--export", metavar="FILE", type=Path, help="the page for the house's safe")
    key.add_argument(
        "--from", dest="page", metavar="FILE", type=Path, help="install the key on such a page"
    )
    key.add_argument(
        "--new",
        action="store_true",
        help="make another key than the journal names, which is lost; the table is then held",
    )
    key.add_argument(
        "--with-key",
        choices=BINDINGS,
        default="auto",
        help="what it is encrypted with; auto: with the machine's TPM2 where there is one",
    )
    key.add_argument(
        "--config", metavar="FILE", type=Path, default=CONFIGURATION, help="the configuration"
    )
    key.add_argument(
        "--credential", metavar="FILE", type=Path, default=STORE, help="where it is stored"
    )
    key.add_argument("--unit", metavar="DIR", type=Path, default=UNIT, help="of its drop-ins")


def _key(options: argparse.Namespace) -> int:
    if options.prepare:
        return _prepare(options)
    if options.install:
        return _install(options)
    if options.export or options.page or options.new:
        raise CommandFailed(WRONG_USE, "--export, --from and --new go with --install")
    from controller.evidence.trust import named_keys

    with opened(options) as reader:
        key, kept = next(named_keys(reader), (None, None))
    if key is None:
        raise CommandFailed(NOT_WELL, "the last start record names no key: no heads are signed")
    fields = {"key": key.text, "fingerprint": key.fingerprint, "kept": kept}
    if options.json:
        say_json(fields)
    else:
        say(columns(((name, value or "-") for name, value in fields.items()), indent=""))
    return DONE


def _install(options: argparse.Namespace) -> int:
    from controller.commissioning.key import KeyKeeping

    if options.state is not None:
        raise CommandFailed(
            WRONG_USE, "--install finds the state directory in the configuration: use --config"
        )
    keeping = KeyKeeping(options.credential, options.unit, options.with_key)
    done = keeping.install(
        options.config, page=options.page, export=options.export, new=options.new
    )
    if options.json:
        say_json(done)
        return DONE
    say(columns(((name, value) for name, value in done.items() if value), indent=""))
    if done["removed"]:
        say(LEFT)
    say("bring the page to the safe. After the start 'tablectl journal key' names this key")
    return DONE


def _prepare(options: argparse.Namespace) -> int:
    from controller.configuration.reading import KEY, STATE_DIRECTORY
    from controller.evidence.keys.installation import prepare

    state = Path(options.state or STATE_DIRECTORY)
    done = prepare(
        options.config, state, state / KEY, options.credential, options.unit, options.with_key
    )
    if options.json:
        say_json(done)
    else:
        say(columns(done.items(), indent=""))
    return DONE
