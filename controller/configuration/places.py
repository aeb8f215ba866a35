"""Whether the daemon's user can use what a configuration names, asked without being that user; and
which groups may connect, as another user of the machine finds them out.

The same code judges these places when the daemon starts.
"""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from controller.causes.cause import Cause
from controller.causes.finding import cause_of
from controller.causes.places import folder_trouble, of_the_unit, socket_trouble
from controller.causes.who_may import ENTER, READ, WRITE, User, daemon, refused
from controller.configuration.model import DEALERS, SUPERVISORS, Configuration
from controller.configuration.reading import DEFAULT_PATH, load_configuration
from controller.configuration.tables import BadConfiguration
from controller.control.peers import Groups
from controller.evidence.trust import keys_beside
from controller.forms.json_values import JsonObject
from controller.journal.opening import directory_trouble
from controller.local_time import ZoneUnknown, known_zone


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
    """Whether this user may ask what is the supervisor's: root, the controller's own user, or a
    supervisor by the configuration that ``status`` names, else by the usual name of the group. The
    controller is not asked: what it refuses is an attempt that stands in the journal."""
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


def unusable(config: Configuration) -> Iterator[tuple[str, Cause]]:
    """Keys whose places keep the daemon from starting, each with the cause."""
    user = daemon()
    state, socket = config.state_directory, config.control.socket
    for key, file in _files(config):
        if os.path.lexists(file) and (no := refused(file, READ, user)) is not None:
            yield key, no
    if not of_the_unit(state, user):
        yield from _cause_of_path("state.directory", state, directory_trouble(state, user))
    if not of_the_unit(socket.parent, user):
        yield from _cause_of_path("control.socket", socket, socket_trouble(socket, user))


def doubtful(config: Configuration) -> Iterator[tuple[str, Cause]]:
    """Keys whose places do not keep the daemon from starting, but cannot be used by it."""
    user = daemon()
    apart = {"state.copy": config.copy, "state.heads": config.heads.parent}
    for key, folder in apart.items():
        if folder in (None, config.state_directory) or of_the_unit(folder, user):
            continue
        yield from _cause_of_path(key, folder, folder_trouble(folder, user))
    for name, device in config.devices.items():
        if device.port is not None and (no := port_refused(Path(device.port), user)) is not None:
            yield f"devices.{name}", no


def port_refused(port: Path, user: User) -> Cause | None:
    """What keeps the user from opening a port that is there; None where nothing does."""
    return refused(port, READ | WRITE, user) if port.exists() else None


def _files(config: Configuration) -> Iterator[tuple[str, Path]]:
    yield "the configuration", config.path
    yield "the keys that count", keys_beside(config.path)
    if config.table.rules_file is not None:
        yield "table.rules", config.table.rules_file


def nearest_folder(path: Path) -> Path:
    """The folder, or the one that is there in which it will be made."""
    return next(one for one in (path, *path.parents) if one.is_dir())


def _cause_of_path(key: str, path: Path, cause: Cause | None) -> Iterator[tuple[str, Cause]]:
    if cause is not None:
        yield f"{key} {path}", cause


def doubts(config: Configuration) -> list[str]:
    """What would not keep the daemon from starting, and is probably a mistake on this machine."""
    control = config.control
    groups = Groups(control.dealers, control.supervisors, control.viewers)
    notes = [
        f"this machine knows no group {name!r}: nobody has that role by it"
        for name in groups.missing(groups.numbers())
    ]
    notes += [
        f"devices.{device.name}: there is no {device.port} now"
        for device in config.devices.values()
        if device.port is not None and not Path(device.port).exists()
    ]
    notes += [f"{key}: {cause}" for key, cause in unusable(config) if cause.heals]
    notes += [f"{key}: {cause}" for key, cause in doubtful(config)]
    try:
        known_zone()
    except ZoneUnknown as error:
        notes.append(f"table.day_begins: when a gaming day begins is not known: {error}")
    return notes + list(_of_the_archive(config))


def _of_the_archive(config: Configuration) -> Iterator[str]:
    """What would keep a night from taking closed journals away."""
    to = config.archive.to
    if to is None:
        return
    if not config.archive.closes:
        yield "archive.to: nothing is taken there without archive.after_days or archive.after_mb"
    try:
        if not to.is_dir():
            yield f"archive.to: there is no directory {to} now: put the medium in and mount it"
        elif to.stat().st_dev == nearest_folder(config.state_directory).stat().st_dev:
            yield f"archive.to: {to} lies on the journal's own disk: is its medium mounted?"
    except OSError as error:  # whoever asks may not look there
        yield f"archive.to: {to} cannot be looked at: {cause_of(error, to, wants=ENTER)}"
