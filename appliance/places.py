"""Where packages and what they are made with are kept: ``build/deb`` of the checkout.

``made`` and ``run`` are the virtual machine's: what is made once is named after what it is made of.
"""

from __future__ import annotations

from typing import Final

from hil_tests.benches.vm.places import ROOT, CannotBuild, digest, ensure_folder, run

FOLDER: Final = ROOT / "build" / "deb"

__all__ = ["FOLDER", "ROOT", "CannotBuild", "digest", "ensure_folder", "run"]
