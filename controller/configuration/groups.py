"""The groups that may connect to a controller, as another user of its machine finds them out."""

from __future__ import annotations

import grp
import os
import pwd
from pathlib import Path

from controller.configuration.model import DEALERS, SUPERVISORS
from controller.configuration.reading import DEFAULT_PATH, load_configuration
from controller.configuration.tables import BadConfiguration
from controller.forms.json_values import JsonObject


def who_is_let_in() -> str:
    """Which groups may connect, as far as this user can find out, and what to do."""
    names = [DEALERS, SUPERVISORS]
    try:
        control = load_configuration(DEFAULT_PATH).control
        names = [control.dealers, control.supervisors, *filter(None, [control.viewers])]
        said = "The configuration names"
    except BadConfiguration:
        said = "Where the configuration names no others these are"
    return (
        f"{said} the groups {', '.join(names)}: root makes a user a member ('usermod -aG GROUP "
        "USER'), who then logs in again"
    )


def may_ask(socket: Path, status: JsonObject) -> bool:
    """Whether this user may ask what is the supervisor's (traffic, a round): root, the controller's
    own user, or a supervisor by the configuration that ``status`` names; where that cannot be read,
    by the usual name of the group.

    The controller is not asked: what it refuses is an attempt that stands in the journal, and a
    screen that is left open is none.
    """
    try:
        if os.geteuid() in (0, socket.stat().st_uid):
            return True
        group = grp.getgrnam(supervisors(status))
    except (OSError, KeyError):
        return False
    return group.gr_gid in {os.getegid(), *os.getgroups()} or _login() in group.gr_mem


def supervisors(status: JsonObject) -> str:
    """The name of the supervisors' group."""
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
