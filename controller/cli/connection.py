"""Where the controller and its journal are: by option, by environment, by their usual place."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from controller.cli.output import NO_CONTROLLER
from controller.control.client import ANSWER_S, ControlClient, NoController, RefusedByController
from controller.forms.json_values import JsonObject
from controller.not_done import NOT_PERMITTED, WRONG_USE, NotDone

ENVIRONMENT: Final = "TABLE_CONTROLLER_SOCKET"
USUAL: Final = "/run/table-controller/control.sock"


def socket_path(options: argparse.Namespace) -> Path:
    """``--socket``, then the environment, then the usual place."""
    return Path(options.socket or os.environ.get(ENVIRONMENT) or USUAL)


def connect(options: argparse.Namespace, answer_s: float = ANSWER_S) -> ControlClient:
    """A connection to the controller, with so long for each answer; raises ``NoController``."""
    return ControlClient(socket_path(options), answer_s)


def configuration_path(options: argparse.Namespace) -> Path:
    """``--config``, else the file of the running controller, else the usual place."""
    from controller.configuration.reading import DEFAULT_PATH

    if options.config is not None:
        return Path(options.config)
    try:
        with connect(options) as client:
            return started_with(client.status()) or DEFAULT_PATH
    except (NoController, RefusedByController):
        return DEFAULT_PATH


def started_with(status: JsonObject) -> Path | None:
    """The configuration that a controller says it was started with."""
    told = status.get("configuration")
    path = told.get("path") if isinstance(told, dict) else None
    return Path(path) if isinstance(path, str) else None


def state_directory(options: argparse.Namespace) -> Path:
    """``--state``, else what the running controller says its state directory is; raises ``NotDone``
    where there is none to ask."""
    if options.state is not None:
        return Path(options.state)
    try:
        with connect(options) as client:
            answer = client.status().get("state_directory")
    except NoController as error:
        raise NotDone(
            NO_CONTROLLER, f"{error}\nA stopped table's journal is read with --state DIRECTORY"
        ) from error
    if not isinstance(answer, str) or not answer:
        raise NotDone(
            WRONG_USE, "the controller does not say where its journal is: use --state DIRECTORY"
        )
    return Path(answer)


def code_of(rejected: RefusedByController) -> int:
    """The exit code of what a controller answers no with."""
    return WRONG_USE if rejected.kind == "malformed" else NOT_PERMITTED
