"""A journal and the place of its closed files, and a table that was played at."""

from __future__ import annotations

from tests.daemon.conftest import place
from tests.journal.conftest import places

__all__ = ["place", "places"]
