"""Where the key that signs is kept: the credential of systemd, the page for the house's safe."""
