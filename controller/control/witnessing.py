"""What the process that speaks to witnesses and to the floor asks of the daemon, and tells it."""

from __future__ import annotations

from typing import Protocol, TypedDict

from controller.control.protocol import Request
from controller.forms.json_values import JsonObject


class NewestCheckpoint(TypedDict):
    """The newest ``checkpoint``: see :meth:`Witnessing.checkpoint`."""

    checkpoint: str
    size: int
    proof: list[str] | None
    cosigned: dict[str, int]


class Witnessing(Protocol):
    """What the daemon does; errors as in :class:`controller.control.handler.Handler`."""

    async def entries(self, after: int, most: int) -> JsonObject:
        """``lines``: the entries behind ``after``, at most ``most`` (1 to 256), as ``journal
        export`` writes them; fewer beyond 1 MiB. Entries of closed journals, too, while they are
        here; else ``refused``, ``taken-away``.

        Raises:
            BadCommand: ``most`` is not 1 to 256. RequestRefused: they cannot be read now.
        """

    async def checkpoint(self, after: int, old: int) -> JsonObject:
        """The newest signed ``checkpoint`` and its ``size``, empty and 0 while there is none;
        waited for, some 20 s, while it is for ``after`` entries or fewer. ``proof``: hashes in
        base64 (RFC 6962, 2.1.2), that it extends the tree of ``old`` entries; empty for 0 and for
        ``size``, null where ``old`` is larger, ``refused`` with ``cannot-be-proven`` where its
        entries are gone. ``cosigned``: how far each witness has cosigned, by name.

        Raises:
            RequestRefused: the proof cannot be had now.
        """

    async def subtree(self, start: int, end: int, size: int) -> JsonObject:
        """``proof``: hashes in base64, that the entries behind ``start`` up to ``end`` are a
        subtree of the tree of ``size`` entries (draft-ietf-plants-merkle-tree-certs, 4.4), as C2SP
        tlog-mirror has it with each package; ``size`` is at most that of the newest checkpoint,
        which extends that tree. ``refused`` with ``cannot-be-proven`` where nodes are gone.

        Raises:
            BadCommand: there is no such subtree. RequestRefused: the proof cannot be had now.
        """

    async def witnessed(self, request: Request) -> JsonObject:
        """Take what the witness ``name`` has answered at ``time`` (seconds since 1970) to the
        checkpoint for ``size`` entries: ``answer``, at most 500 characters that begin with the
        status (``none: …`` is no answer), and at most eight ``cosignatures``, lines ``— NAME
        BASE64``. ``known``: whether the configuration has such a witness, ``good``: whether one of
        the cosignatures is good by its key."""
