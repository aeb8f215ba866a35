"""Whether this user may ask what is the supervisor's: traffic, a round.

It is found out without asking the controller, since what it refuses is an attempt that stands in
the journal, and a screen that is left open is none.
"""

from __future__ import annotations

import grp
import os
import pwd
from pathlib import Path

from controller.json_values import JsonObject


def may_ask(socket: Path, status: JsonObject) -> bool:
    """Whether he is root, the controller's own user, or a supervisor by the configuration that
    ``status`` names; where that cannot be read, by the usual name of the group."""
    try:
        if os.geteuid() in (0, socket.stat().st_uid):
            return True
        group = grp.getgrnam(supervisors(status))
    except (OSError, KeyError):
        return False
    return group.gr_gid in {os.getegid(), *os.getgroups()} or _login() in group.gr_mem


def supervisors(status: JsonObject) -> str:
    """The name of the supervisors' group."""
    from controller.configuration.errors import BadConfiguration
    from controller.configuration.reading import SUPERVISORS, load_configuration

    told = status.get("configuration")
    path = told.get("path") if isinstance(told, dict) else None
    try:
        return load_configuration(Path(str(path))).control.supervisors
    except BadConfiguration:
        return SUPERVISORS


def _login() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return ""
