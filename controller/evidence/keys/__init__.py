"""Installing the key that signs: which one lies here, the credential of systemd, the page for the
house's safe. What a start finds of it: :mod:`controller.upkeep.signing`."""
