"""``table-controller --config FILE``: the daemon, in the foreground.

Its exit statuses are in :data:`MEANING`. Logs go to standard error.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import faulthandler
import logging
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.causes.cause import OF_A_DISK
from controller.causes.finding import cause_of
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.daemon.app import START_AGAIN, CannotStart, DiskEnded, serve
from controller.daemon.log_messages import PlainFormatter, Throttle
from controller.daemon.service_manager import Life
from controller.journal.errors import (
    DamagedJournal,
    DiskFailed,
    JournalError,
    NoJournal,
    OtherFormat,
)
from controller.threads import NoThread
from controller.upkeep.known_elsewhere import advice
from drivers.printable import printable

MEANING: Final = {
    0: "stopped in good order",
    1: "anything else, a full, read-only or failing disk included: it may be started again",
    2: "starting again helps nothing: a bad configuration, a damaged journal, a key that cannot be "
    "read, what its user may not open, or another process holds the state, the socket or a port",
}
"""Of its exit statuses, in the words of a manual."""

EXAMPLES: Final = (
    ("table-controller --config /etc/table-controller/table.toml", "as its unit starts it"),
)


PR_SET_DUMPABLE: Final = 4
"""Of ``linux/prctl.h``."""


def keep_memory_private() -> None:
    """Have no core made of this process, and nobody but root look into it; before the key is read
    with which the journal is signed. OSError where the kernel refuses.

    - The process is not *dumpable*: however it dies, the kernel writes no core file and starts no
      collector of cores either, which a limit of 0 alone does not stop (core(5)).
    - Nobody but root traces such a process or reads its memory, environment or descriptors under
      ``/proc``.
    - faulthandler still writes the stack of whatever died to the log.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "PR_SET_DUMPABLE")


def _complain(text: str) -> None:
    print(printable(f"table-controller: {text}", lines=True), file=sys.stderr)


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    parser = argparse.ArgumentParser(
        prog="table-controller", description="The controller of a casino Pontoon table"
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the table's configuration"
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the daemon; returns its exit status."""
    given, life = build().parse_args(argv), Life()
    keep_memory_private()
    # Where a library of C dies, or the watchdog aborts the daemon, the log says in which call. Of
    # that thread alone: the others go on running, and faulthandler now and then crashes as it walks
    # a stack that changes (CPython issue 116008). SIGABRT then ended as a segmentation fault.
    if not faulthandler.is_enabled():
        faulthandler.enable(all_threads=False)
    log = logging.StreamHandler(sys.stderr)
    log.setFormatter(PlainFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[Throttle(log)])
    # The library tells of every callback; at this level that costs more than the callbacks.
    logging.getLogger("transitions").setLevel(logging.WARNING)
    try:
        config = load_configuration(given.config)
    except BadConfiguration as error:
        _complain(str(error))
        return 2
    try:
        status = asyncio.run(serve(config))
        if status == START_AGAIN:
            sys.stderr.flush()
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - ourselves
        return status
    except DiskEnded as error:
        life.rest(str(error))
        return 1
    except CannotStart as error:
        _complain(f"{error}{advice(config, error.__cause__)}")
        if not error.heals:
            return 2
        life.rest(str(error))
        return 1
    except JournalError as error:  # it could be opened, but not be played again to its end
        _complain(f"{error}{advice(config, error)}")
        if isinstance(error, DiskFailed):
            life.rest(str(error))
        return 2 if isinstance(error, DamagedJournal | NoJournal | OtherFormat) else 1
    except NoThread as error:  # of those that a start makes; play needs no other
        _complain(f"{cause_of(error, config.state_directory)}; the service manager starts it again")
        return 1
    except OSError as error:  # met while a start looked around, before the journal was opened
        cause = cause_of(error, Path(error.filename or config.state_directory))
        if error.filename is None and cause.kind not in OF_A_DISK:
            raise
        _complain(f"{error}; {cause.of_the_daemon()}")
        if not cause.heals:
            return 2
        life.rest(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
