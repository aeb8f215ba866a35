"""Facts about what a table consists of: its devices' links, and what its program runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.table.events.of_controller import ControllerStarted
from controller.table.events.of_links import LinkCame, LinkWent
from floor.facts.kinds import LinkFact, StartFact
from floor.facts.seen import PlayedEntry


def equipment_facts(seen: PlayedEntry) -> Iterator[LinkFact | StartFact]:
    """The link that came or went with the entry, or the start that it is."""
    match seen.event:
        case LinkCame() | LinkWent() as event:
            yield _link(seen, event)
        case ControllerStarted() as event:
            yield _start(seen, event)


def _link(seen: PlayedEntry, event: LinkCame | LinkWent) -> LinkFact:
    device = seen.table.named(event.device)
    reason = event.reason if isinstance(event, LinkWent) else ""
    if device is None:
        return LinkFact(seen.at, event.device, "", event.up, "", "", reason)
    return LinkFact(
        seen.at, device.name, device.kind, event.up, device.serial, device.firmware, reason
    )


def _start(seen: PlayedEntry, event: ControllerStarted) -> StartFact:
    digests: Mapping[str, str] = event.digests or {}
    versions = event.versions or {}
    settings = seen.table.setup.next_settings or seen.table.settings
    return StartFact(
        seen.at,
        str(versions.get("controller", "")),
        str(versions.get("engine", "")),
        digests.get("program", ""),
        digests.get("libraries", ""),
        digests.get("configuration", ""),
        digests.get("rules", ""),
        digests.get("weights", ""),
        settings.rules.id,
        digests.get("readings", ""),
    )


def engine_of(event: ControllerStarted) -> str:
    """The version of the engine that plays from that start on."""
    return str((event.versions or {}).get("engine", ""))
