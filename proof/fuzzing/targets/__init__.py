"""One file for each surface; here they are by name."""

from __future__ import annotations

from proof.fuzzing.target import Target


def by_name() -> dict[str, Target]:
    """Every target. Imported when asked for, so that libFuzzer can look into what they import."""
    from proof.fuzzing.targets import (  # noqa: PLC0415
        commands,
        configuration,
        controller_link,
        conversation,
        device_link,
        devices,
        exports,
        floor,
        requests,
        rules,
        scripts,
        socket,
    )

    modules = (
        controller_link,
        device_link,
        conversation,
        devices,
        requests,
        socket,
        commands,
        configuration,
        rules,
        scripts,
        exports,
        floor,
    )
    return {module.TARGET.name: module.TARGET for module in modules}
