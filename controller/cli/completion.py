"""``completion``: the text by which a shell completes ``tablectl``, with the values known now.

``eval "$(tablectl completion bash)"``, likewise for zsh; for fish ``tablectl completion fish |
source``. The shell then asks ``tablectl`` itself (argcomplete), which builds all of its commands
and says what may come next.
"""

from __future__ import annotations

import argparse
from typing import Final

from controller.cli.arguments import add_option
from controller.cli.group import Group
from controller.cli.output import DONE, print_line
from controller.not_done import WRONG_USE, NotDone

SHELLS: Final = ("bash", "zsh", "fish")


def register(top: Group) -> None:
    """Add the command."""
    completion = top.command("completion", _completion)
    add_option(completion, "shell", "which one reads it", choices=SHELLS)


def _completion(options: argparse.Namespace) -> int:
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError as error:
        raise NotDone(WRONG_USE, "completion needs the extra 'cli' of the package") from error
    print_line(shellcode(["tablectl"], shell=options.shell).rstrip("\n"))
    return DONE


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell that asks, and end the process; nothing where the library is missing."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)
