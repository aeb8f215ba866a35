"""What every run does, whoever plays its rounds: ``processes`` spreads tasks over this machine,
``interrupts`` keeps what is done when Ctrl-C ends it."""
