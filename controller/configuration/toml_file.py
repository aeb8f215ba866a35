"""A configuration's file as TOML, for the programs beside the daemon. The daemon's own is read from
bytes, whose digest counts (:mod:`~controller.configuration.reading`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.errors import BadConfiguration
from controller.regular_files import read_whole
from controller.utf8 import text_of


def toml_in(path: Path) -> Mapping[str, object]:
    """What stands in the file at ``path``, with decimals as they are written.

    Raises:
        BadConfiguration: it cannot be read, or is no TOML in UTF-8.
    """
    try:
        return tomllib.loads(text_of(read_whole(path)), parse_float=Decimal)
    except OSError as error:
        why = cause_of(error, path, wants=READ)
        raise BadConfiguration(path, [f"cannot be read: {why}"]) from error
    except (ValueError, RecursionError) as error:
        raise BadConfiguration(path, [f"is not TOML in UTF-8: {error}"]) from error
