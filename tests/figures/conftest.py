"""What of these tests a checkout without the extra ``figures`` does without."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("matplotlib") and find_spec("weasyprint") else ["report"]
collect_ignore += [] if find_spec("numpy") else ["strategy"]
