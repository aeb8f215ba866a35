"""``tablectl nightly``: what is done by night beside play: verifying, taking away, removing."""
