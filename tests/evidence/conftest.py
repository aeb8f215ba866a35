"""A journal and the place of its closed files."""

from __future__ import annotations

from tests.journal.conftest import places

__all__ = ["places"]
