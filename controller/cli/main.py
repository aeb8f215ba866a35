"""``tablectl``: options, dispatch, exit codes.

The rules:

- Global options stand before or after the verb. What is not understood is wrong use, 2.
- A module per group of commands registers them; nothing that only one command needs is imported
  before that command runs.
- No traceback for any input of a person: command line, file, or an unplugged device.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from controller.cli import commands
from controller.cli.connection import code_of
from controller.cli.output import DONE, NO_CONTROLLER, complain, finish, prepare
from controller.control.client import NoController, NotLetIn, RefusedByController
from controller.forms.json_values import WrongForm
from controller.not_done import NOT_PERMITTED, NOT_WELL, NotDone
from controller.verbs import INTERRUPTED

SHELL_ASKS = "_ARGCOMPLETE"
"""The variable by which a shell asks what may come next (:func:`.commands.complete`)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Wrong options end in ``SystemExit`` with 2."""
    prepare()
    if SHELL_ASKS in os.environ:
        commands.complete(commands.build())
    try:
        return run_command(commands.parse(sys.argv[1:] if argv is None else argv))
    except BrokenPipeError:  # the reader has closed the stream
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        finish()


def run_command(options: argparse.Namespace) -> int:
    """The command's exit code, its failures written to standard error."""
    try:
        code: int = options.run(options)
        finish()
    except NotDone as failed:
        complain(str(failed))
        return failed.code
    except NotLetIn as shut:
        from controller.configuration.places import who_is_let_in

        complain(f"{shut}. {who_is_let_in()}")
        return NOT_PERMITTED
    except NoController as nobody:
        complain(str(nobody))
        return NO_CONTROLLER
    except RefusedByController as rejected:
        complain(str(rejected))
        return code_of(rejected)
    except BrokenPipeError:
        raise
    except (OSError, WrongForm) as error:  # a full disk, say, or a controller of another version
        complain(str(error))
        return NOT_WELL
    return code


if __name__ == "__main__":
    sys.exit(main())
